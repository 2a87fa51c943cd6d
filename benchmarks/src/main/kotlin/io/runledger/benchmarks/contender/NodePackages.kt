package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path

/** The scripts of the peers that live in Node.js, and the packages that `npm ci` puts next to them. */
internal object NodePackages {
    /** Jobs that are enqueued at once, unless they are large. */
    const val CHUNK = 5_000
    private const val CHUNK_CHARACTERS = 8_000_000
    private const val OLDEST = 22

    private val directory: Path = Path.of(System.getProperty("benchmarks.node", "benchmarks/node"))
    private val packages: Path = directory.resolve("node_modules")

    /** The packages contain the Node.js version that the peers need. If none fits this machine, the installed one is used. */
    private val node: String = packages.resolve(".bin/node").let { if (Files.isExecutable(it)) it.toString() else "node" }

    /** Why the package of that [name] cannot be used here; null when it can. */
    fun absence(name: String): String? {
        val version = try {
            answer(listOf(node, "--version")).trim()
        } catch (missing: IOException) {
            return "node was not found (${missing.message})"
        }
        return when {
            !Files.isDirectory(packages.resolve(name)) -> "npm ci failed, or was not run in $directory"
            version.removePrefix("v").substringBefore('.').toInt() < OLDEST -> "it needs Node.js $OLDEST, and this is $version"
            else -> null
        }
    }

    /** How many jobs with that [payload] are enqueued at once. */
    fun chunk(payload: String): Int = (CHUNK_CHARACTERS / payload.length).coerceIn(1, CHUNK)

    /** Starts [script] for [role] on [database] with its [settings], so that its heap can be measured. */
    fun command(script: String, role: String, database: BenchDatabase, vararg settings: Int): List<String> =
        listOf(node, "--expose-gc", directory.resolve(script).toString(), role, database.nodeUrl()) + settings.map(Int::toString)

    /** The output of [script] after [role] on [database]. */
    fun run(script: String, role: String, database: BenchDatabase): String = answer(command(script, role, database))

    private fun answer(command: List<String>): String {
        val process = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        val text = process.inputStream.bufferedReader().use { it.readText() }
        check(process.waitFor() == 0) { "${command.take(4)} ended with ${process.exitValue()}; what it says of it is above." }
        return text
    }

    private fun BenchDatabase.nodeUrl() = "postgresql://$user:$password@${jdbcUrl.substringAfter("://")}"
}
