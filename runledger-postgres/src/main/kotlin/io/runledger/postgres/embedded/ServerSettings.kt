package io.runledger.postgres.embedded

import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The library's settings in `postgresql.conf`. `ALTER SYSTEM` takes precedence. */
internal object ServerSettings {
    private const val MARK = "\n# Written at every start; lines below this one are replaced.\n"

    fun shared(durable: Boolean, statements: Boolean): Map<String, String> {
        val survival = if (durable) "on" else "off"
        return buildMap {
            put("fsync", survival)
            put("synchronous_commit", survival)
            put("full_page_writes", survival)
            put("max_connections", "200")
            put("shared_buffers", "64MB")
            put("max_wal_size", if (durable) "1GB" else "256MB")
            put("autovacuum", "on")
            // Neither UTC nor a whole hour from it, so that code that ignores the time zone fails visibly.
            put("timezone", "Asia/Kathmandu")
            put("log_timezone", "UTC")
            put("log_checkpoints", "off")
            if (statements) put("shared_preload_libraries", "pg_stat_statements")
        }
    }

    fun write(data: Path, settings: Map<String, String>) {
        val file = data.resolve("postgresql.conf")
        val lines = settings.entries.joinToString("\n", postfix = "\n") { (name, value) ->
            "$name = '${value.replace("'", "''")}'"
        }
        // Written in place, because the file belongs to the server's user.
        file.writeText(file.readText().substringBefore(MARK) + MARK + lines)
    }
}
