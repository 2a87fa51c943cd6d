package io.runledger.benchmarks.worker

import io.runledger.benchmarks.BenchDatabase
import io.runledger.benchmarks.contender.ENTRIES
import io.runledger.benchmarks.contender.JvmContender
import io.runledger.benchmarks.contender.Task
import io.runledger.benchmarks.contender.Worker
import java.util.concurrent.atomic.AtomicLong
import kotlin.system.exitProcess

/** A worker process: name of the contender, JDBC URL, user, password. Takes the commands of [WorkerProcess] until its input ends. */
fun main(arguments: Array<String>) {
    val (name, url, user, password) = arguments
    val contender = ENTRIES.first { it.name == name }.make(BenchDatabase(url, user, password)) as JvmContender
    contender.prepare()
    tell("READY")
    var worker: Worker? = null
    for (line in generateSequence(::readLine)) {
        val words = line.split(' ')
        val now = System.nanoTime()
        when (words[0]) {
            "start" -> {
                worker = contender.start(task(words[1].toLong(), isEachTold = words[2] == "each"))
                tell("STARTED $now")
            }

            "stop" -> worker?.close().also { tell("STOPPED") }

            "heap" -> tell("HEAP ${usedHeap()}")

            "enqueue" -> worker!!.enqueue(line.substringAfter(' ')).also { tell("ENQUEUED $now") }

            "runs" -> tell("RUNS ${runs(worker!!, words.drop(1))}")
        }
    }
    exitProcess(0)
}

private fun runs(worker: Worker, words: List<String>): String {
    val (shape, size, inFlight, millis) = words
    val flows = checkNotNull(worker.flows) { "This contender has no workflows." }
    val one: () -> Unit = when (shape) {
        "fan" -> { -> flows.fan(size.toInt()) }
        else -> { -> flows.chain(size.toInt()) }
    }
    return RunsInFlight(one).during(inFlight.toInt(), millis.toLong())
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
