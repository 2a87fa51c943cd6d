package io.runledger.postgres

/**
 * A database that is prepared once per server and copied for each test.
 *
 * On a server that outlives the JVM, the prepared database stays and is reused by [name]. The [name] must therefore change
 * with [preparation]: include a schema version or a checksum of the migrations.
 */
public class DatabaseTemplate(
    @get:JvmName("name") public val name: String,
    @get:JvmSynthetic internal val preparation: Preparation,
) {
    init {
        require(name.isNotBlank()) { "The name of a database template is blank. Use a name that describes its contents." }
    }

    /** Fills an empty database. If it throws an exception, the database is dropped and the next caller tries again. */
    public fun interface Preparation {
        /** Must close every connection it opens. Open connections are terminated. */
        @Throws(Exception::class)
        public fun prepare(database: PostgresDatabase)
    }
}
