package io.runledger.benchmarks

import io.runledger.benchmarks.contender.ENTRIES
import io.runledger.benchmarks.report.Goals
import io.runledger.benchmarks.report.Report
import kotlin.system.exitProcess

/**
 * `--quick` or `--full`; `--only=runledger,floor-ledger` and `--phases=drain,pickup` measure a part; `--jobs=100000` drains so
 * many at a time; `--profile` prints the statements of the server.
 */
fun main(arguments: Array<String>) {
    val drainJobs = list(arguments, "--jobs=").firstOrNull()?.toInt()
    val sizes = (if ("--full" in arguments) Sizes.FULL else Sizes.QUICK).copy(drainJobs = drainJobs)
    val only = list(arguments, "--only=")
    val phases = list(arguments, "--phases=")
    val wanted = ENTRIES.filter { only.isEmpty() || it.name in only }
    val (present, absent) = wanted.map { it to it.absence() }.partition { (_, absence) -> absence == null }
    val entries = present.map { it.first }
    val report = Report()
    Server().use { server ->
        println(machine(server))
        entries.forEach { println("- ${it.name}: ${it.settings}") }
        absent.forEach { (entry, reason) -> println("- ${entry.name} is absent: $reason") }
        Run(server, entries, sizes, report, isProfiled = "--profile" in arguments).measure(phases)
    }
    println()
    println(report.table(entries.map { it.name }))
    println(Goals(report).table())
    println(report.resultLines())
    exitProcess(0)
}

private fun list(arguments: Array<String>, name: String): Set<String> =
    arguments.firstOrNull { it.startsWith(name) }?.removePrefix(name)?.split(',')?.toSet().orEmpty()

private fun machine(server: Server): String {
    val system = listOf("os.name", "os.arch").joinToString(" ", transform = System::getProperty)
    val settings = Server.SETTINGS.entries.joinToString { (name, value) -> "$name = $value" }
    return "${Runtime.getRuntime().availableProcessors()} cores, $system, JDK ${System.getProperty("java.version")}, " +
        "${server.version} with $settings, fsync and synchronous_commit on"
}
