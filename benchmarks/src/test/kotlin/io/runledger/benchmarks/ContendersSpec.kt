package io.runledger.benchmarks

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.benchmarks.contender.ENTRIES
import io.runledger.benchmarks.worker.WorkerProcess
import io.runledger.benchmarks.workload.SMALL_PAYLOAD
import java.util.concurrent.TimeUnit

/** The figures are valid only if every contender does the work. */
class ContendersSpec :
    FunSpec({
        val server = Server()
        afterSpec { server.close() }

        ENTRIES.filter { it.isJvm }.forEach { entry ->
            test("${entry.name} runs what it was given, twice over, and nothing of the far future, and its workflows") {
                val database = server.freshDatabase()
                entry.make(database).use { contender ->
                    contender.install()
                    contender.history?.invoke(100)
                    contender.hasOpenJobs() shouldBe false
                    WorkerProcess(contender.workerCommand()).use { worker ->
                        repeat(2) {
                            contender.enqueue(SMALL_PAYLOAD)
                            contender.enqueueAll(JOBS - 2, SMALL_PAYLOAD)
                            contender.hasOpenJobs() shouldBe true
                            worker.start(isEachTold = true)
                            worker.enqueue(SMALL_PAYLOAD)
                            repeat(JOBS) { worker.nextStart() }
                            until("the last job to end") { !contender.hasOpenJobs() }
                            worker.stop()
                        }
                        if (entry.chainLinks != null) {
                            worker.start()
                            worker.runsPerSecond("fan 3", inFlight = 2, seconds = 0.0) shouldBeGreaterThan 0.0
                            worker.runsPerSecond("chain 3", inFlight = 1, seconds = 0.0) shouldBeGreaterThan 0.0
                            worker.stop()
                        }
                    }
                }
                server.drop(database)
            }
        }
    })

private const val JOBS = 25

private fun until(what: String, condition: () -> Boolean) {
    val limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1)
    while (!condition()) {
        check(System.nanoTime() < limit) { "Waited a minute for $what." }
        Thread.onSpinWait()
    }
}
