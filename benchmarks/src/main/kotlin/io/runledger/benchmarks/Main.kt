package io.runledger.benchmarks

import io.runledger.benchmarks.contender.ENTRIES
import io.runledger.benchmarks.report.Goals
import io.runledger.benchmarks.report.Report
import kotlin.system.exitProcess

/**
 * `--quick` or `--full`; `--only=runledger,floor-ledger` and `--phases=drain,pickup` measure a part; `--jobs=100000` drains so
 * many at a time; `--profile` tells what the server did.
 */
fun main(arguments: Array<String>) {
    val sizes = (
        if ("--full" in
            arguments
        ) {
            Sizes.FULL
        } else {
            Sizes.QUICK
        }
        ).copy(drainJobs = list(arguments, "--jobs=").firstOrNull()?.toInt())
    val only = list(arguments, "--only=")
    val phases = list(arguments, "--phases=")
    val (present, absent) = ENTRIES.filter {
        only.isEmpty() || it.name in only
    }.associateWith { it.absence() }.toList().partition {
        it.second ==
            null
    }
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

private fun machine(server: Server): String = "${Runtime.getRuntime().availableProcessors()} cores, " +
    "${System.getProperty(
        "os.name",
    )} ${System.getProperty("os.arch")}, JDK ${System.getProperty("java.version")}, ${server.version} " +
    "with ${Server.SETTINGS.entries.joinToString { (name, value) -> "$name = $value" }}, fsync and synchronous_commit on"
