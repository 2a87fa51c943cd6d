package io.runledger.benchmarks.worker

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.contender.ENTRIES
import io.runledger.benchmarks.contender.JvmContender
import io.runledger.benchmarks.contender.Task
import java.util.concurrent.atomic.AtomicLong
import kotlin.system.exitProcess

/** A worker process: name of the contender, JDBC URL, user, password. Takes commands line by line until its input ends. */
fun main(arguments: Array<String>) {
    val (name, url, user, password) = arguments
    val contender = ENTRIES.first { it.name == name }.make(BenchDatabase(url, user, password)) as JvmContender
    var worker: AutoCloseable? = null
    tell("READY")
    for (line in generateSequence(::readLine)) {
        val words = line.split(' ')
        when (words[0]) {
            "start" -> worker = contender.start(task(words[1].toLong(), isEachTold = words[2] == "each")).also { tell("STARTED") }
            "stop" -> worker?.close().also { tell("STOPPED") }
            "heap" -> tell("HEAP ${usedHeap()}")
        }
    }
    exitProcess(0)
}

private fun task(waitMillis: Long, isEachTold: Boolean): Task {
    val ran = AtomicLong()
    return Task(waitMillis) {
        val now = System.nanoTime()
        val count = ran.incrementAndGet()
        if (count == 1L && !isEachTold) tell("FIRST $now")
        if (isEachTold) tell("AT $now")
        if (count % WorkerProcess.STRIDE == 0L) tell("RAN")
    }
}

private fun usedHeap(): Long {
    repeat(2) { System.gc() }
    return Runtime.getRuntime().let { it.totalMemory() - it.freeMemory() }
}

private fun tell(line: String) {
    System.out.write((line + "\n").toByteArray())
    System.out.flush()
}
