package io.runledger.benchmarks.worker

import io.runledger.benchmarks.BenchDatabase

/** Starts this program again as the worker of the contender of that [name]. */
fun jvmWorker(name: String, database: BenchDatabase): List<String> =
    jvm("io.runledger.benchmarks.worker.WorkerMainKt", name, database.jdbcUrl, database.user, database.password)

/** Starts a class of this program with the options that every worker gets, and those of the property `benchmarks.worker.options`, for a profiler. */
fun jvm(mainClass: String, vararg arguments: String): List<String> {
    val java = ProcessHandle.current().info().command().orElse("java")
    val options = System.getProperty("benchmarks.worker.options").orEmpty().split(' ').filter { it.isNotEmpty() }
    return listOf(java, "-Xmx1g") + options + listOf("-cp", System.getProperty("java.class.path"), mainClass) + arguments
}
