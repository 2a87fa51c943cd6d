package io.runledger.benchmarks.worker

/** A JVM that understands the commands of a worker and loads nothing else: the baseline for the memory of workers. */
fun main() {
    println("READY")
    generateSequence(::readLine).forEach { println(if (it.startsWith("start")) "STARTED ${System.nanoTime()}" else "STOPPED") }
}
