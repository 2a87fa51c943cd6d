package io.runledger.postgres.embedded

import io.runledger.postgres.error.PostgresUnavailableException
import java.nio.file.Files
import java.nio.file.Path

/** The server did not start. The message contains the end of its log. */
internal class StartFailure(message: String, val portTaken: Boolean) : PostgresUnavailableException(message) {
    companion object {
        private const val TAIL = 20

        fun of(what: String, log: Path): StartFailure {
            val lines = if (Files.exists(log)) Files.readAllLines(log) else emptyList()
            val tail = lines.takeLast(TAIL).joinToString("\n")
            return StartFailure("PostgreSQL $what.${hint(tail)} The end of its log:\n$tail", "Address already in use" in tail)
        }

        fun hint(text: String): String = when {
            "Address already in use" in text ->
                " The port is in use. Choose another port, or 0 for a free one."

            "No space left on device" in text ->
                " The disk is full. Free some space, or choose another directory with RUNLEDGER_TEST_PG_DIR."

            "ermission denied" in text ->
                " The server's user cannot access or run these files. Choose a directory that every user may access and that " +
                    "is not mounted noexec, with RUNLEDGER_TEST_PG_DIR or EmbeddedPostgresBuilder.cache."

            "loading shared libraries" in text || "xec format error" in text || "error=2," in text ->
                " The binaries are for another system. This system needs ${Platform.current().artifact}."

            "incompatible with server" in text ->
                " The data directory belongs to another version of PostgreSQL. Use an empty directory."

            else -> ""
        }
    }
}
