package io.runledger.postgres.embedded

import io.runledger.postgres.error.PostgresUnavailableException
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.WRITE
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** A directory per user with files that many JVMs share, and with the directories of running servers. */
internal class ServerCache private constructor(private val root: Path) {
    private val servers = root.resolve("servers")

    /**
     * The directory [name]. If it does not exist, [fill] creates its contents. It appears completely or not at all: an
     * incomplete directory, for example after a cleanup of old files, is created again.
     */
    fun published(name: String, fill: (Path) -> Unit): Path {
        val target = root.resolve(name)
        if (isComplete(target)) return target
        return exclusively {
            if (!isComplete(target)) {
                val part = root.resolve("$name.part")
                removeTree(part)
                makeReadable(Files.createDirectory(part))
                fill(part)
                part.resolve(COUNT).writeText("${countFiles(part) + 1}")
                removeTree(target)
                Files.move(part, target, ATOMIC_MOVE)
            }
            target
        }
    }

    /** A directory for a new server of this JVM. Also removes the directories of servers whose JVM has died. */
    fun newHome(keep: Boolean): ServerHome = exclusively {
        makeReadable(Files.createDirectories(servers))
        LeftServers(servers).sweep()
        val directory = servers.resolve(ServerHome.nameFor(sequence.incrementAndGet()))
        ServerHome.at(makeReadable(Files.createDirectory(directory)), keep)
    }

    // File locks belong to a process, so threads need another lock. An interned string works across class loaders.
    private fun <T> exclusively(work: () -> T): T = synchronized("io.runledger.postgres $root".intern()) {
        FileChannel.open(root.resolve("lock"), CREATE, WRITE).use { channel -> channel.lock().use { work() } }
    }

    companion object {
        private const val COUNT = ".files"
        private val sequence = AtomicInteger()

        /** The cache of this user in a directory that users share. */
        fun within(shared: Path): ServerCache = open(shared.resolve("runledger-postgres-${CurrentUser.uid}"))

        fun open(directory: Path): ServerCache {
            val root = Files.createDirectories(directory.toAbsolutePath())
            if (Files.getAttribute(root, "unix:uid") != CurrentUser.uid) {
                throw PostgresUnavailableException(
                    "$root belongs to another user, whose programs must not be run. Remove it, or choose another " +
                        "directory with RUNLEDGER_TEST_PG_DIR or EmbeddedPostgresBuilder.cache.",
                )
            }
            makeReadable(root)
            return ServerCache(root.toRealPath())
        }

        private fun isComplete(directory: Path): Boolean {
            val count = directory.resolve(COUNT)
            return Files.exists(count) && count.readText().toIntOrNull() == countFiles(directory)
        }

        private fun countFiles(directory: Path): Int =
            Files.walk(directory).use { paths -> paths.filter { !Files.isDirectory(it) }.count().toInt() }

        private fun makeReadable(directory: Path): Path =
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"))
    }
}
