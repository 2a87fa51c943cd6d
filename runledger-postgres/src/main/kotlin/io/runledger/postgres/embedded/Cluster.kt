package io.runledger.postgres.embedded

import io.runledger.postgres.error.PostgresUnavailableException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.security.SecureRandom
import java.util.Base64
import kotlin.io.path.copyTo
import kotlin.io.path.writeText

/** A data directory created by initdb. Copying it takes a quarter of the time of initdb. */
internal class Cluster private constructor(private val directory: Path, private val user: ServerUser) {
    fun copyTo(home: ServerHome) {
        directory.resolve("password").copyTo(home.password, overwrite = true)
        Files.setPosixFilePermissions(home.password, ownerOnly)
        makeData(home.data, user)
        val copied = Shell.run(user.command("cp", "-Rp", "$directory/data/.", home.data.toString()))
        if (!copied.succeeded) throw failure("copying a data directory to ${home.data}", copied)
    }

    companion object {
        private val ownerOnly = PosixFilePermissions.fromString("rw-------")

        fun initialised(cache: ServerCache, binaries: Binaries, user: ServerUser): Cluster =
            Cluster(cache.published("cluster-${binaries.id}-${user.name}") { initialise(it, binaries, user) }, user)

        private fun initialise(directory: Path, binaries: Binaries, user: ServerUser) {
            val version = Shell.run(user.command(binaries.executable("initdb"), "--version"))
            if (!version.succeeded) throw failure("running ${binaries.executable("initdb")} as ${user.name}", version)
            val password = writePassword(directory, user)
            val data = makeData(directory.resolve("data"), user)
            val command = user.command(
                binaries.executable("initdb"),
                "--pgdata=$data",
                "--username=$SUPERUSER",
                "--pwfile=$password",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                *cheapPasswords(version.text),
            )
            val initialised = Shell.run(command)
            if (!initialised.succeeded) throw failure("initdb", initialised)
        }

        // A long random password needs no key stretching. With one iteration, authentication takes 2 ms instead of 4.
        private fun cheapPasswords(version: String): Array<String> {
            val major = version.substringAfter("(PostgreSQL) ").takeWhile(Char::isDigit).toInt()
            return if (major >= 16) arrayOf("--set=scram_iterations=1") else emptyArray()
        }

        private fun writePassword(directory: Path, user: ServerUser): Path {
            val random = ByteArray(24).also(SecureRandom()::nextBytes)
            val file = Files.createFile(directory.resolve("password"), PosixFilePermissions.asFileAttribute(ownerOnly))
            file.writeText(Base64.getUrlEncoder().encodeToString(random))
            user.own(file)
            return file
        }

        private fun makeData(path: Path, user: ServerUser): Path {
            Files.createDirectories(path)
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"))
            user.own(path)
            return path
        }

        private fun failure(what: String, output: Shell.Output) = PostgresUnavailableException(
            "$what failed with exit code ${output.exitCode}.${StartFailure.hint(output.text)}\n${output.text}",
        )
    }
}
