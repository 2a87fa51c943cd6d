package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import kotlinx.coroutines.yield
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger

private val tick = JobType.of("tick", String::class.java)
private val all = WorkerSelection.all()
private val minute = Duration.ofMinutes(1)

/** Many workers under orders that follow each other as fast as they can be given. */
class FleetRacesSpec :
    FunSpec({
        fun TestLedger.fleet(size: Int, handlers: Handlers) = List(size) {
            val config = quick { workerId("w$it").labels("l${it % 2}").claimBatchSize(2).shutdownGrace(minute) }
            autoClose(RunledgerWorker.builder(client).handlers(handlers).config(config).start())
        }

        fun TestLedger.enqueue(jobs: Int) = List(jobs) { JobRequest.builder(tick, "$it").build() }
            .also { client.jobs.enqueueAll(it) }

        fun TestLedger.count(status: String) = value("SELECT count(*) FROM runledger.job_queue WHERE status = '$status'").toInt()

        fun TestLedger.claimed() = value(
            "SELECT (SELECT count(*) FROM runledger.job_attempts) + " +
                "(SELECT count(*) FROM runledger.job_queue WHERE status = 'LEASED')",
        ).toInt()

        test("whenever the whole fleet says that it is drained, nothing runs and nothing is claimed until it is resumed") {
            val ledger = freshLedger(poolSize = 20)
            ledger.define(tick)
            ledger.enqueue(200)
            val running = AtomicInteger()
            val handlers = handlers {
                on(tick) {
                    running.incrementAndGet()
                    repeat(20) { yield() }
                    running.decrementAndGet()
                }
            }
            ledger.fleet(4, handlers)
            val turns = 20

            repeat(turns) { turn ->
                ledger.client.workers.drain(all, "turn $turn")
                ledger.client.workers.awaitDrained(all, minute).join()
                ledger.enqueue(100)
                val before = ledger.claimed()
                running.get() shouldBe 0
                ledger.rows("SELECT id FROM runledger.job_queue WHERE status = 'LEASED'").shouldBeEmpty()
                ledger.claimed() shouldBe before
                ledger.client.workers.resume(all, "turn $turn")
                until("somebody claims again") { ledger.claimed() > before }
            }
            until("all is done") { ledger.count("SUCCEEDED") == 200 + turns * 100 }
        }

        test("a stop in the middle of the work loses nothing: every job is finished or given back, and others finish it") {
            val ledger = freshLedger(poolSize = 20)
            ledger.define(tick)
            ledger.enqueue(1_000)
            val handlers = handlers { on(tick) { yield() } }
            val fleet = ledger.fleet(4, handlers)
            until("they work") { ledger.claimed() > 50 }

            val given = ledger.client.workers.stop(WorkerSelection.labelled("l0"), "Half of them.")
            val stopped = fleet.filterIndexed { n, _ -> n % 2 == 0 }.map { it.ended().join() }

            given.workers().map { it.workerId() } shouldContainExactlyInAnyOrder listOf("w0", "w2")
            stopped.forEach {
                it.stopOrder shouldBe given.order()
                it.abandoned.shouldBeEmpty()
            }
            ledger.rows("SELECT id FROM runledger.job_queue WHERE worker_id IN ('w0', 'w2')").shouldBeEmpty()
            until("all is done") { ledger.count("SUCCEEDED") == 1_000 }
            ledger.client.workers.list().map { it.workerId() to it.state() } shouldContainExactlyInAnyOrder
                listOf("w1" to WorkerState.WORKING, "w3" to WorkerState.WORKING)
        }
    })
