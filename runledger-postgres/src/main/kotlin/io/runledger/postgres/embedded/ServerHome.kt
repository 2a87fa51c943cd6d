package io.runledger.postgres.embedded

import io.runledger.postgres.error.PostgresUnavailableException
import java.io.IOException
import java.nio.channels.FileChannel
import java.nio.channels.FileLock
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.WRITE
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The directory of one server. The owning JVM holds a lock on a file in it. The lock ends with the JVM. */
internal class ServerHome private constructor(val directory: Path, val keep: Boolean, private val channel: FileChannel) {
    val data: Path = directory.resolve("data")
    val log: Path = directory.resolve("log")
    val password: Path = directory.resolve("password")

    fun exists(): Boolean = channel.isOpen

    fun isNew(): Boolean = !Files.exists(data.resolve("PG_VERSION"))

    fun readPassword(): String = password.readText()

    fun majorVersion(): Int = data.resolve("PG_VERSION").readText().trim().toInt()

    /** Unlocks the directory, and removes it unless [keep] is set. */
    fun release() {
        if (!channel.isOpen) return
        if (!keep) removeTree(directory)
        channel.close()
        owned.remove(directory)
    }

    companion object {
        private const val LOCK = "owner.lock"
        private const val KEPT = "kept"
        private val owned = ConcurrentHashMap.newKeySet<Path>()

        // Identifies this JVM even if containers share the directory and process ids repeat.
        private val ownPrefix = with(ProcessHandle.current()) {
            "${pid()}-${info().startInstant().map { it.toEpochMilli() }.orElse(0)}-"
        }

        fun nameFor(number: Int): String = ownPrefix + number

        fun at(directory: Path, keep: Boolean): ServerHome {
            val home = Files.createDirectories(directory.toAbsolutePath()).toRealPath()
            // Checked before the file is opened: closing a second channel would release the lock of the first.
            if (!owned.add(home)) throw inUse(home)
            val channel = FileChannel.open(home.resolve(LOCK), CREATE, WRITE)
            if (channel.tryLock() == null) {
                channel.close()
                owned.remove(home)
                throw inUse(home)
            }
            if (keep) home.resolve(KEPT).writeText("")
            StrayServer.stop(home.resolve("data"))
            return ServerHome(home, keep, channel)
        }

        fun isAbandoned(home: Path): Boolean {
            if (home.name.startsWith(ownPrefix) || Files.exists(home.resolve(KEPT))) return false
            return try {
                FileChannel.open(home.resolve(LOCK), CREATE, WRITE).use { it.tryLock()?.use(FileLock::isValid) == true }
            } catch (_: IOException) {
                false
            }
        }

        private fun inUse(home: Path) =
            PostgresUnavailableException("$home is in use by another server. Close that one, or choose another directory.")
    }
}
