package io.runledger.postgres.embedded

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path

/** The server's `postmaster.pid` in its data directory: the process id in line 1, the state in line 8. */
internal class PostmasterFile(data: Path) {
    val path: Path = data.resolve("postmaster.pid")

    fun pid(): Long? = lines().firstOrNull()?.trim()?.toLongOrNull()

    fun isReady(): Boolean = lines().getOrNull(7)?.trim() == "ready"

    private fun lines(): List<String> = try {
        Files.readAllLines(path)
    } catch (_: IOException) {
        emptyList()
    }
}
