package io.runledger.postgres.embedded

import io.runledger.postgres.PostgresUnavailableException
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

/** A user's directory of things made once and used by many JVMs, and of the servers running now. */
internal class ServerCache private constructor(private val root: Path) {
    private val servers = root.resolve("servers")

    /**
     * The directory [name], made by [fill] if need be. It appears complete or not at all: a half-finished one of a JVM
     * that died, or one a cleaner of old files has been at, is made again.
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

    /** A directory for a new server of this JVM; on the way, those of servers whose JVM is gone are removed. */
    fun newHome(keep: Boolean): ServerHome = exclusively {
        makeReadable(Files.createDirectories(servers))
        LeftServers(servers).sweep()
        val directory = servers.resolve(ServerHome.nameFor(sequence.incrementAndGet()))
        ServerHome.at(makeReadable(Files.createDirectory(directory)), keep)
    }

    // Files are locked per process, so threads need a lock of their own; an interned name is one even across class loaders.
    private fun <T> exclusively(work: () -> T): T = synchronized("io.runledger.postgres $root".intern()) {
        FileChannel.open(root.resolve("lock"), CREATE, WRITE).use { channel -> channel.lock().use { work() } }
    }

    companion object {
        private const val COUNT = ".files"
        private val sequence = AtomicInteger()

        /** The one of this user in a directory that users share. */
        fun within(shared: Path): ServerCache = open(shared.resolve("runledger-postgres-${CurrentUser.uid}"))

        fun open(directory: Path): ServerCache {
            val root = Files.createDirectories(directory.toAbsolutePath())
            if (Files.getAttribute(root, "unix:uid") != CurrentUser.uid) {
                throw PostgresUnavailableException(
                    "$root belongs to another user, and programs found there would be run. Remove it, or choose another " +
                        "place with RUNLEDGER_TEST_PG_DIR or EmbeddedPostgresBuilder.cache.",
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
