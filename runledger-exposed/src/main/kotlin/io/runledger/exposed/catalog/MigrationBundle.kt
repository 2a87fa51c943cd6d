package io.runledger.exposed.catalog

/** The migrations of this build. */
public object MigrationBundle {
    /** A short text that changes with every migration. Use it in the names of database templates. */
    @get:JvmName("fingerprint")
    @JvmStatic
    public val fingerprint: String by lazy {
        val last = BundledMigration.all.last().version
        val sum = BundledMigration.all.fold(0L) { sum, migration -> sum * 31 + migration.checksum }
        "v${last}_${sum.toULong().toString(36)}"
    }
}
