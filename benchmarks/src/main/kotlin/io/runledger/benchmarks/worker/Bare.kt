package io.runledger.benchmarks.worker

/** A JVM that speaks the words of a worker and loads nothing else: what any worker's memory is measured against. */
fun main() {
    println("READY")
    generateSequence(::readLine).forEach { println(if (it.startsWith("start")) "STARTED" else "STOPPED") }
}
