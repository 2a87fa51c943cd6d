package io.runledger.exposed.schema

/** The migrations this build ships, as one value. */
public object MigrationBundle {
    /** A short text that changes whenever a migration does; name database templates after it. */
    @JvmStatic
    public val fingerprint: String by lazy {
        val last = BundledMigration.all.last().version
        val sum = BundledMigration.all.fold(0L) { sum, migration -> sum * 31 + migration.checksum }
        "v${last}_${sum.toULong().toString(36)}"
    }
}
