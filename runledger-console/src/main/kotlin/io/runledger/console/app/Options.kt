package io.runledger.console.app

import io.runledger.console.access.ConsoleRole
import java.net.InetAddress
import java.net.UnknownHostException
import java.nio.file.Path

/** The options of the command line. */
internal class Options(
    val url: String,
    val replicaUrl: String?,
    val user: String?,
    val passwordFile: Path?,
    val schema: String,
    val bind: InetAddress,
    val port: Int,
    val role: ConsoleRole,
) {
    companion object {
        const val HELP = """java -jar runledger-console-app.jar --url jdbc:postgresql://host/database [options]

  --url ADDRESS         the database with the ledger
  --user NAME           the role of the database
  --password-file FILE  a file with the password; else RUNLEDGER_PASSWORD, PGPASSWORD or ~/.pgpass
  --schema NAME         the schema of the ledger (runledger)
  --replica-url ADDRESS a replica that the pages read from
  --port NUMBER         the port of the console (8700); 0 takes a free one
  --bind ADDRESS        the address to listen on (the loopback interface)
  --read-only           allow no changes (the default)
  --role ROLE           viewer, operator or administrator: what may be changed (viewer)
  --help, --version     say so and end"""

        private const val READ_ONLY = "--read-only"
        private val names =
            setOf("--url", "--user", "--password-file", "--schema", "--replica-url", "--port", "--bind", "--role")
        private const val DEFAULT_PORT = 8700
        private const val LAST_PORT = 65535

        fun parse(arguments: List<String>): Options {
            val given = valuesOf(arguments)
            val role = roleOf(given["--role"])
            if (READ_ONLY in given &&
                role != ConsoleRole.VIEWER
            ) {
                refuse("$READ_ONLY and --role ${role.name.lowercase()} contradict each other")
            }
            return Options(
                withoutPassword(given["--url"] ?: refuse("--url is missing")),
                given["--replica-url"]?.let(::withoutPassword),
                given["--user"],
                given["--password-file"]?.let { Path.of(it) },
                given["--schema"] ?: "runledger",
                addressOf(given["--bind"]),
                portOf(given["--port"]),
                role,
            )
        }

        /** The values by option: `--port 80` and `--port=80` are the same. */
        private fun valuesOf(arguments: List<String>): Map<String, String> {
            val values = LinkedHashMap<String, String>()
            val rest = ArrayDeque(arguments)
            while (rest.isNotEmpty()) {
                val argument = rest.removeFirst()
                val name = argument.substringBefore('=')
                val value = when {
                    name == READ_ONLY -> ""
                    name == "--password" -> refuse(NO_PASSWORD)
                    name !in names -> refuse("'$name' is not an option")
                    '=' in argument -> argument.substringAfter('=')
                    else -> rest.removeFirstOrNull() ?: refuse("$name has no value")
                }
                if (values.put(name, value) != null) refuse("$name is given twice")
            }
            return values
        }

        private fun withoutPassword(url: String): String {
            if (!url.startsWith("jdbc:postgresql:")) refuse("the address of the database must begin with jdbc:postgresql:")
            if (Regex("[?&]password=", RegexOption.IGNORE_CASE).containsMatchIn(url)) refuse(NO_PASSWORD)
            return url
        }

        private fun roleOf(text: String?): ConsoleRole = when {
            text == null -> ConsoleRole.VIEWER

            else -> ConsoleRole.entries.find { it.name.equals(text, ignoreCase = true) }
                ?: refuse("--role is '$text': give viewer, operator or administrator")
        }

        private fun addressOf(text: String?): InetAddress = try {
            if (text == null) InetAddress.getLoopbackAddress() else InetAddress.getByName(text)
        } catch (_: UnknownHostException) {
            refuse("--bind is '$text', which is no address of this machine")
        }

        private fun portOf(text: String?): Int = if (text == null) {
            DEFAULT_PORT
        } else {
            text.toIntOrNull()?.takeIf { it in 0..LAST_PORT }
                ?: refuse("--port is '$text': give 0 to $LAST_PORT")
        }

        private fun refuse(reason: String): Nothing = throw RefusedStartException(
            "The console does not start: $reason. --help lists the options.",
            RefusedStartException.USAGE,
        )

        private const val NO_PASSWORD = "a password on the command line can be read by every user of this machine. Set " +
            "RUNLEDGER_PASSWORD, or name a file with --password-file"
    }
}
