package io.runledger.benchmarks

import io.runledger.benchmarks.contender.ENTRIES
import io.runledger.benchmarks.report.Goals
import io.runledger.benchmarks.report.Report
import io.runledger.benchmarks.scenario.SCENARIOS
import io.runledger.benchmarks.scenario.Scenario
import kotlin.system.exitProcess

/** Measures what the command line asks for. */
fun main(arguments: Array<String>) {
    val options = try {
        Options.of(arguments.toList(), SCENARIOS.map { it.name }, ENTRIES.map { it.name })
    } catch (wrong: IllegalArgumentException) {
        System.err.println("${wrong.message}\n\n${Options.USAGE}")
        exitProcess(2)
    }
    if (options.isListed) {
        SCENARIOS.forEach { println("${it.name.padEnd(NAME_WIDTH)} ${if (it.isQuick) "quick" else "full "}  ${it.what}") }
        exitProcess(0)
    }
    measure(options)
    exitProcess(0)
}

private fun measure(options: Options) {
    val scenarios = SCENARIOS.filter {
        if (options.scenarios.isEmpty()) {
            it.isQuick || options.sizes.isFull
        } else {
            it.name in
                options.scenarios
        }
    }
    val (present, absent) = ENTRIES.filter { options.only.isEmpty() || it.name in options.only }
        .map { it to it.absence() }
        .partition { (_, absence) -> absence == null }
    val report = Report()
    Server().use { server ->
        println(machine(server))
        Bench(server, present.map { it.first }, options, report).use { bench -> scenarios.forEach { run(it, bench) } }
        println()
        val measured = present.map { it.first }.filter { report.hasFiguresOf(it.name) }
        measured.forEach { println("- ${it.name}: ${it.settings}") }
        absent.forEach { (entry, reason) -> println("- ${entry.name} is absent: $reason") }
        println()
        println(report.table(measured.map { it.name }))
        println(Goals(report).table())
        println(report.resultLines())
    }
}

private fun run(scenario: Scenario, bench: Bench) {
    System.err.println("${scenario.name} …")
    val begin = System.nanoTime()
    scenario.measure(bench)
    System.err.println("${scenario.name} took ${((System.nanoTime() - begin) / NANOS).toInt()} s")
}

private fun machine(server: Server): String {
    val system = listOf("os.name", "os.arch").joinToString(" ", transform = System::getProperty)
    val java = listOf("java.version", "java.vm.name").joinToString(" ", transform = System::getProperty)
    val settings = Server.SETTINGS.entries.joinToString { (name, value) -> "$name = $value" }
    return "${Runtime.getRuntime().availableProcessors()} cores, $system, JDK $java, " +
        "${server.version} with $settings, fsync and synchronous_commit on"
}

private const val NAME_WIDTH = 15
private const val NANOS = 1e9
