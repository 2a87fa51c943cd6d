package io.runledger.postgres.embedded

import com.sun.management.OperatingSystemMXBean
import java.io.IOException
import java.lang.management.ManagementFactory
import java.nio.file.Files
import java.nio.file.Path

/**
 * The system's in-memory file system, if it is large enough. Copying a database takes half the time it takes on a disk, and a
 * tenth on ext4 without a journal after many files were deleted, which is common on build machines.
 */
internal object MemoryDisk {
    private const val GIGABYTE = 1L shl 30
    private val mount = Path.of("/dev/shm")

    fun path(): Path? = mount.takeIf { hasRoom(it) && totalMemory() >= 8 * GIGABYTE && availableMemory() >= 4 * GIGABYTE }

    // In containers it usually has 64 MB.
    private fun hasRoom(path: Path) = try {
        Files.isWritable(path) && Files.getFileStore(path).run { type() == "tmpfs" && usableSpace >= 4 * GIGABYTE }
    } catch (_: IOException) {
        false
    }

    // Respects the memory limit of the container, unlike /proc/meminfo.
    private fun totalMemory() = (ManagementFactory.getOperatingSystemMXBean() as? OperatingSystemMXBean)?.totalMemorySize ?: 0

    private fun availableMemory(): Long {
        val line = Files.readAllLines(Path.of("/proc/meminfo")).firstOrNull { it.startsWith("MemAvailable:") }
        return line?.filter(Char::isDigit)?.toLongOrNull()?.times(1024) ?: 0
    }
}
