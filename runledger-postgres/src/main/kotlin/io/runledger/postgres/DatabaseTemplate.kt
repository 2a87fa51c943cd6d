package io.runledger.postgres

/**
 * A database prepared once per server and copied for every test that asks for it.
 *
 * On a server that outlives the JVM the prepared database stays and is found again by [name], so [name] must change
 * whenever what [preparation] does changes: put a schema version or a checksum of the migrations into it.
 */
public class DatabaseTemplate(public val name: String, @get:JvmSynthetic internal val preparation: Preparation) {
    init {
        require(name.isNotBlank()) { "a database template needs a name that says what is in it" }
    }

    /** Fills an empty database. When it throws, the database is dropped and the next caller tries again. */
    public fun interface Preparation {
        /** Must close every connection it opens; one left open is terminated. */
        @Throws(Exception::class)
        public fun prepare(database: PostgresDatabase)
    }
}
