package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration.Companion.seconds

private val suspending = JobType.of("suspending", Int::class.javaObjectType)
private val blocking = JobType.of("blocking", Int::class.javaObjectType)
private val async = JobType.of("async", Int::class.javaObjectType)
private val batch = JobType.of("batch", Int::class.javaObjectType)
private val plain = JobType.of("plain", Int::class.javaObjectType)
private val failing = JobType.builder("failing", Int::class.javaObjectType).maxAttempts(1).build()

class HeadersSpec :
    FunSpec({
        val types = listOf(suspending, blocking, async, batch)

        test("every kind of handler, the interceptors and the observers read the headers of their job") {
            val ledger = freshLedger()
            ledger.define(suspending, blocking, async, batch, plain)
            val handled = ConcurrentLinkedQueue<Pair<String, Map<String, String>>>()
            val intercepted = ConcurrentLinkedQueue<Pair<String, Map<String, String>>>()
            val observed = ConcurrentLinkedQueue<Pair<String, Map<String, String>>>()
            val registry = handlers {
                on(suspending) { job -> JobOutcome.succeeded().also { handled += job.jobType() to job.headers() } }
                on(plain) { job -> JobOutcome.succeeded().also { handled += job.jobType() to job.headers() } }
                blocking(blocking) { job -> JobOutcome.succeeded().also { handled += job.jobType() to job.headers() } }
                async(async) { job ->
                    handled += job.jobType() to job.headers()
                    CompletableFuture.completedFuture(JobOutcome.succeeded())
                }
                onBatch(batch, 10) { jobs ->
                    jobs.forEach { handled += it.jobType() to it.headers() }
                    BatchOutcome.succeeded()
                }
            }
            val settings: RunledgerWorker.Builder.() -> Unit = {
                intercept { job, next ->
                    intercepted += job.jobType() to job.headers()
                    next()
                }
                observe(
                    object : WorkerObserver {
                        override fun claimed(job: ObservedJob) {
                            observed += job.jobType to job.headers
                        }
                    },
                )
            }

            working(ledger.client, registry, settings = settings) {
                types.forEach { type -> ledger.enqueue(type, 1) { header("of", type.name()) } }
                ledger.enqueue(plain, 1)
                until("all jobs have ended") {
                    ledger.rows("SELECT DISTINCT status FROM runledger.job_queue") ==
                        listOf("SUCCEEDED")
                }
            }

            val all = types.map { it.name() to mapOf("of" to it.name()) } + ("plain" to emptyMap())
            handled shouldContainExactlyInAnyOrder all
            observed shouldContainExactlyInAnyOrder all
            intercepted shouldContainExactlyInAnyOrder all.filterNot { it.first == "batch" }
        }

        test("a dead-letter hook reads the headers of the job") {
            val ledger = freshLedger()
            ledger.define(failing)
            val delivered = CompletableDeferred<DeadLetter>()

            working(
                ledger.client,
                handlers { on(failing) { JobOutcome.failed("test.broken", "It broke.") } },
                settings = { onDeadLetter("pager") { letter -> delivered.complete(letter) } },
            ) {
                ledger.enqueue(failing, 1) { header("trace", "1") }
                withTimeout(30.seconds) { delivered.await() }.headers() shouldBe mapOf("trace" to "1")
            }
        }

        test("a job whose headers were changed by hand runs without them") {
            val ledger = freshLedger()
            ledger.define(plain)
            val id = ledger.enqueue(plain, 1) { header("trace", "1") }
            ledger.run("UPDATE runledger.job_queue SET headers = '[\"x\"]'")
            val seen = CompletableDeferred<Map<String, String>>()

            working(
                ledger.client,
                handlers {
                    on(plain) { job -> JobOutcome.succeeded().also { seen.complete(job.headers()) } }
                },
            ) {
                withTimeout(30.seconds) { seen.await() }.shouldBeEmpty()
                until("the job has ended") { ledger.job(id).status() == JobStatus.SUCCEEDED }
            }
        }
    })
