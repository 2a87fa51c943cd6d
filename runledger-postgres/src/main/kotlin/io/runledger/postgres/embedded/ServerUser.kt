package io.runledger.postgres.embedded

import io.runledger.postgres.error.PostgresUnavailableException
import java.nio.file.Files
import java.nio.file.Path

/**
 * The user that runs the server's programs: the current user, or an unprivileged user if the current user is root, because
 * PostgreSQL refuses to run as root.
 */
internal class ServerUser private constructor(
    val name: String,
    private val uid: Int?,
    private val wrap: (List<String>) -> List<String>,
) {
    fun command(vararg command: String): List<String> = wrap(command.asList())

    /** Makes the user the owner of [path]. */
    fun own(path: Path) {
        if (uid != null) Files.setAttribute(path, "unix:uid", uid)
    }

    private fun works() = Shell.run(command("sh", "-c", "exit 0")).succeeded

    companion object {
        fun of(name: String): ServerUser = if (CurrentUser.uid != 0) ServerUser("self", null) { it } else insteadOfRoot(name)

        // Each tool is tried: a container may forbid changing the user, and the setpriv of BusyBox cannot do it.
        fun insteadOfRoot(name: String, tools: List<String> = listOf("setpriv", "runuser", "su", "unshare")): ServerUser {
            val ids = listOf("-u", "-g").map {
                Shell.run(listOf("id", it, name)).takeIf(Shell.Output::succeeded)?.text?.trim()?.toInt()
            }
            val candidates = tools.map { tool -> candidate(tool, name, ids[0], ids[1]) }
            return candidates.firstOrNull { it != null && it.works() } ?: throw PostgresUnavailableException(
                "PostgreSQL refuses to run as root, and none of ${tools.joinToString()} could run it as '$name'" +
                    (if (ids[0] == null) ", a user that does not exist" else "") +
                    ". Run the JVM as another user, set RUNLEDGER_TEST_PG_USER to an existing user, or set a running server in " +
                    "RUNLEDGER_TEST_DATABASE_URL.",
            )
        }

        private fun candidate(tool: String, name: String, uid: Int?, gid: Int?): ServerUser? = when {
            // In a separate user namespace, root appears as the user nobody, and so do its files: no file changes its owner.
            tool == "unshare" -> ServerUser("namespace", null) { listOf("unshare", "-U") + it }

            uid == null || uid == 0 -> null

            tool == "setpriv" -> ServerUser(name, uid) {
                listOf("setpriv", "--reuid=$uid", "--regid=$gid", "--clear-groups") +
                    it
            }

            tool == "runuser" -> ServerUser(name, uid) { listOf("runuser", "-u", name, "--") + it }

            tool == "su" -> ServerUser(name, uid) { listOf("su", "-s", "/bin/sh", "-c", "exec " + quoted(it), name) }

            else -> null
        }

        private fun quoted(command: List<String>) = command.joinToString(" ") { "'" + it.replace("'", "'\\''") + "'" }
    }
}
