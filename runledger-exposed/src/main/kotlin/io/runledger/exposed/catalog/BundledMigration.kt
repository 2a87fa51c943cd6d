package io.runledger.exposed.catalog

import java.util.zip.CRC32

/** A migration of this build. */
internal class BundledMigration(val version: String, val description: String) {
    val script: String get() = "V${version}__${description.replace(' ', '_')}.sql"

    /** The checksum as Flyway computes it: over the lines of the script, without line ends, before placeholders are replaced. */
    val checksum: Int by lazy {
        val crc = CRC32()
        checkNotNull(BundledMigration::class.java.getResourceAsStream("/$FOLDER/$script")) { "$script is not on the class path" }
            .bufferedReader()
            .useLines { lines -> lines.forEach { crc.update(it.toByteArray()) } }
        crc.value.toInt()
    }

    override fun toString(): String = "V$version $description"

    companion object {
        const val FOLDER = "io/runledger/exposed/migration"

        /** In the order of application. A test compares the list with the folder. */
        val all: List<BundledMigration> =
            listOf(
                BundledMigration("1", "types"),
                BundledMigration("2", "jobs"),
                BundledMigration("3", "schedules"),
                BundledMigration("4", "workflows"),
                BundledMigration("5", "views"),
                BundledMigration("6", "operators"),
                BundledMigration("7", "causes"),
                BundledMigration("8", "flow control"),
                BundledMigration("9", "backfill"),
                BundledMigration("11", "job keys"),
                BundledMigration("12", "worker queues"),
            )
    }
}
