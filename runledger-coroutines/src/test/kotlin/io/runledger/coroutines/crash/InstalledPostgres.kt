package io.runledger.coroutines.crash

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.isExecutable
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** PostgreSQL as Debian installs it: unlike the embedded one it has the program that makes a standby. */
internal class InstalledPostgres private constructor(private val folder: Path, val majorVersion: Int) {
    /** The command to run [program] in [home]. Runs as another user if this process is root, because PostgreSQL refuses root. */
    fun process(program: String, vararg arguments: String, home: Path): ProcessBuilder {
        val command = listOf("${folder.resolve(program)}") + arguments
        val changed = if (Files.getOwner(home).name == "root") listOf("/bin/sh", "-c", AS_ANOTHER, user) + command else command
        return ProcessBuilder(changed).directory(home.toFile()).redirectErrorStream(true)
    }

    /** Runs [program] to its end. */
    fun run(program: String, vararg arguments: String, home: Path, password: String = "") {
        val process = process(program, *arguments, home = home).also { it.environment()["PGPASSWORD"] = password }.start()
        val said = process.inputReader().readText()
        check(process.waitFor() == 0) { "$program failed: $said" }
    }

    companion object {
        /** The newest that has everything, or null. */
        val newest: InstalledPostgres? = Path.of("/usr/lib/postgresql").takeIf { it.exists() }?.listDirectoryEntries().orEmpty()
            .mapNotNull { version -> version.name.toIntOrNull()?.let { InstalledPostgres(version.resolve("bin"), it) } }
            .filter { it.majorVersion >= OLDEST && it.isComplete() }
            .maxByOrNull { it.majorVersion }

        private fun InstalledPostgres.isComplete() =
            listOf("initdb", "postgres", "pg_ctl", "pg_basebackup").all { folder.resolve(it).isExecutable() }

        private val user = System.getenv("RUNLEDGER_TEST_PG_USER")?.ifBlank { null } ?: "nobody"

        // Of util-linux, which Debian cannot be without. Its process becomes the program's.
        private const val AS_ANOTHER =
            """exec setpriv --reuid="$(id -u "$0")" --regid="$(id -g "$0")" --clear-groups -- "$@""""
        private const val OLDEST = 15
    }
}
