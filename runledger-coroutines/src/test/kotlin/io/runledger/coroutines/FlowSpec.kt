package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.yield
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

/** Workers and jobs with limits, an order or a queue. */
class FlowSpec :
    FunSpec({
        val push = JobType.of("push", String::class.java)

        fun TestLedger.limit(name: String, permits: Int?, keyedBy: String = "NONE", rate: String = "NULL, NULL, NULL") = run(
            "INSERT INTO runledger.limits (name, permits, keyed_by, rate_count, rate_period_us, rate_burst) " +
                "VALUES ('$name', $permits, '$keyedBy', $rate)",
        )

        fun RunledgerClient.enqueue(count: Int, settings: JobRequest.Builder.(Int) -> Unit) =
            jobs.enqueueAll(List(count) { nth -> JobRequest.builder(push, "$nth").apply { settings(nth) }.build() }).map { it.id() }

        fun TestLedger.pending() = value("SELECT count(*) FROM runledger.job_queue WHERE status <> 'SUCCEEDED'").toInt()

        test("two workers never run more jobs of a limit than it has permits, and run all of them") {
            val ledger = freshLedger().apply { define(push) }
            ledger.limit("api", permits = 3)
            val running = AtomicInteger()
            val most = AtomicInteger()
            val handlers = handlers {
                on(push) {
                    most.accumulateAndGet(running.incrementAndGet(), ::maxOf)
                    yield()
                    running.decrementAndGet()
                }
            }
            working(ledger.client, handlers) {
                working(RunledgerClient.create(ledger.pool), handlers) {
                    ledger.client.enqueue(200) { limit("api") }
                    until("all jobs have run") { ledger.pending() == 0 }
                }
            }
            most.get() shouldBeLessThanOrEqualTo 3
        }

        test("a worker that polls rarely claims the next job as soon as a permit is free, in its own process and in another") {
            val ledger = freshLedger().apply { define(push) }
            ledger.limit("api", permits = 1)
            val gates = ConcurrentHashMap<String, CompletableDeferred<Unit>>()
            val begun = ConcurrentLinkedQueue<String>()
            val handlers = handlers {
                on(push) { job ->
                    begun += job.payload()
                    gates.computeIfAbsent(job.payload()) { CompletableDeferred() }.await()
                }
            }
            val slow = quick { pollInterval(Duration.ofHours(1)).maxPollInterval(Duration.ofHours(1)).maxConcurrency(1) }
            working(ledger.client, handlers, slow) {
                working(RunledgerClient.create(ledger.pool), handlers, slow) {
                    ledger.client.enqueue(4) { limit("api") }
                    repeat(4) { nth ->
                        until("job $nth has begun") { begun.size == nth + 1 }
                        gates.computeIfAbsent(begun.last()) { CompletableDeferred() }.complete(Unit)
                    }
                    until("all jobs have run") { ledger.pending() == 0 }
                }
            }
        }

        test("jobs of one order run one after another in two workers, in their order") {
            val ledger = freshLedger().apply { define(push) }
            val begun = ConcurrentHashMap<Int, ConcurrentLinkedQueue<Int>>()
            val handlers = handlers {
                on(push) { job ->
                    val nth = job.payload().toInt()
                    begun.computeIfAbsent(nth % 5) { ConcurrentLinkedQueue() } += nth
                    yield()
                }
            }
            working(ledger.client, handlers) {
                working(RunledgerClient.create(ledger.pool), handlers) {
                    ledger.client.enqueue(100) { nth -> orderKey("${nth % 5}") }
                    until("all jobs have run") { ledger.pending() == 0 }
                }
            }
            (0 until 5).forEach { key -> begun.getValue(key).toList() shouldContainExactly (0 until 100).filter { it % 5 == key } }
        }

        test("a rate lets the next jobs begin when their time has come, without a change in the ledger") {
            val ledger = freshLedger().apply { define(push) }
            ledger.limit("api", permits = null, rate = "100, 1000000, 0")
            working(ledger.client, handlers { on(push) { } }, quick { pollInterval(Duration.ofHours(1)).maxPollInterval(Duration.ofHours(1)) }) {
                ledger.client.enqueue(20) { limit("api") }
                until("all jobs have run") { ledger.pending() == 0 }
            }
            val tooSoon = "SELECT 1 FROM (SELECT leased_at - lag(leased_at) OVER (ORDER BY leased_at) AS gap FROM runledger.job_attempts) a " +
                "WHERE gap < interval '10 milliseconds'"
            ledger.rows(tooSoon).shouldBeEmpty()
        }

        test("a worker serves its queues only") {
            val ledger = freshLedger().apply { define(push) }
            working(ledger.client, handlers { on(push) { } }, quick { queues("imports") }) {
                val other = ledger.client.enqueue(1) { queue("exports") }.single()
                val plain = ledger.client.enqueue(1) { }.single()
                val served = ledger.client.enqueue(3) { queue("imports") }
                until("the jobs of the queue have run") { served.all { ledger.job(it).status() == JobStatus.SUCCEEDED } }
                ledger.job(other).status() shouldBe JobStatus.PENDING
                ledger.job(plain).status() shouldBe JobStatus.PENDING
            }
        }

        test("a worker that stops gives back what it has not begun, and its permits are free at once") {
            val ledger = freshLedger().apply { define(push) }
            ledger.limit("api", permits = 2)
            val never = CompletableDeferred<Unit>()
            val begun = AtomicInteger()
            val stuck = handlers {
                on(push) {
                    begun.incrementAndGet()
                    never.await()
                }
            }
            ledger.client.enqueue(4) { limit("api") }
            RunledgerWorker.builder(ledger.client).handlers(stuck).config(quick()).start().use {
                until("two jobs have begun") { begun.get() == 2 }
            }
            ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'LEASED'") shouldBe "0"
            working(ledger.client, handlers { on(push) { } }) { until("all jobs have run") { ledger.pending() == 0 } }
        }
    })
