package io.runledger.postgres.embedded

import org.apache.commons.compress.archivers.tar.TarArchiveEntry
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import org.tukaani.xz.XZInputStream
import java.io.InputStream
import java.net.JarURLConnection
import java.net.URL
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions

/** The unpacked programs of the server. [id] identifies the archive. */
internal class Binaries private constructor(private val directory: Path, val id: String) {
    val hasStatementStatistics: Boolean =
        Files.exists(directory.resolve("share/postgresql/extension/pg_stat_statements.control"))

    fun executable(name: String): String = directory.resolve("bin").resolve(name).toString()

    companion object {
        fun unpacked(cache: ServerCache, platform: Platform): Binaries {
            val archive = platform.find()
            val id = platform.archive.removeSuffix(".txz") + "-" + fingerprint(archive)
            return Binaries(cache.published("binaries-$id") { unpack(archive.openStream(), it) }, id)
        }

        // From the directory of the jar, without reading the 15 MB entry.
        private fun fingerprint(archive: URL): String {
            val connection = archive.openConnection().apply { useCaches = false }
            if (connection !is JarURLConnection) return "%x-%x".format(connection.contentLengthLong, connection.lastModified)
            return connection.jarFile.use { "%x-%08x".format(connection.jarEntry.size, connection.jarEntry.crc) }
        }

        private fun unpack(archive: InputStream, target: Path) =
            TarArchiveInputStream(XZInputStream(archive.buffered())).use { tar ->
                generateSequence { tar.nextEntry }.forEach { entry -> unpack(entry, tar, target) }
            }

        // Permissions are set rather than left to the umask: the server may run as another user.
        private fun unpack(entry: TarArchiveEntry, content: InputStream, target: Path) {
            val path = target.resolve(entry.name).normalize()
            check(path.startsWith(target)) { "The archive contains a path outside its directory: ${entry.name}" }
            makeDirectories(if (entry.isDirectory) path else path.parent, target)
            when {
                entry.isDirectory -> Unit

                entry.isSymbolicLink -> Files.createSymbolicLink(path, Path.of(entry.linkName))

                else -> {
                    Files.copy(content, path)
                    Files.setPosixFilePermissions(path, if (entry.mode and 0b001_000_000 != 0) executable else readable)
                }
            }
        }

        private fun makeDirectories(path: Path, target: Path) {
            if (path == target || Files.isDirectory(path)) return
            makeDirectories(path.parent, target)
            Files.createDirectory(path)
            Files.setPosixFilePermissions(path, executable)
        }

        private val executable = PosixFilePermissions.fromString("rwxr-xr-x")
        private val readable = PosixFilePermissions.fromString("rw-r--r--")
    }
}
