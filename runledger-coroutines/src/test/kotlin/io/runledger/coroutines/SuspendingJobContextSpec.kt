package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.coroutines.run.FixedJob
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.workflow.Input
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import java.lang.reflect.Type
import java.time.Duration
import java.util.Optional
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration.Companion.minutes

private val copy = JobType.of("copy", String::class.java)
private val page = Input.of("page", String::class.java)

/** Notes each call that would access the ledger, and the thread that makes it. */
private class NotedJob(private val onProgress: () -> Unit = {}) : JobContext<String> by FixedJob("a.org") {
    val calls = ConcurrentLinkedQueue<String>()
    val threads = ConcurrentLinkedQueue<Thread>()

    private fun <T> note(call: String, answer: T): T {
        calls += call
        threads += Thread.currentThread()
        return answer
    }

    override fun progress(done: Long, total: Long) = note("progress $done of $total", Unit).also { onProgress() }
    override fun stage(stage: JobStage) = note("stage $stage", Unit)
    override fun saveCheckpoint(checkpoint: Any?) = note("checkpoint $checkpoint", Unit)
    override fun log(level: LogLevel, message: String) = note("$level $message", Unit)

    @Suppress("UNCHECKED_CAST")
    override fun <T : Any> input(input: Input<T>): T = note("input", "one" as T)

    @Suppress("UNCHECKED_CAST")
    override fun <T : Any> inputs(input: Input<T>): List<T> = note("inputs", listOf("one" as T))

    @Suppress("UNCHECKED_CAST")
    override fun <T : Any> output(stepKey: String, type: Type): Optional<T> =
        note("output $stepKey", Optional.of(type.typeName as T))

    override fun <T : Any> runContext(name: String, type: Type): Optional<T> = note("context $name", Optional.empty())
}

sealed interface Copy {
    data class Begin(val page: Int) : Copy

    data class End(val page: Int) : Copy
}

class SuspendingJobContextSpec :
    FunSpec({
        test("what a suspending handler writes and reads is done on another thread") {
            val noted = NotedJob()
            val job = SuspendingJobContext(noted)

            val caller = runBlocking {
                job.reportProgress(1, 2)
                job.enterStage(JobStage.RUNNING)
                job.keepCheckpoint(7)
                job.writeLog(LogLevel.INFO, "half")
                job.readInput(page) shouldBe "one"
                job.readInputs(page) shouldContainExactly listOf("one")
                job.readOutput<List<String>>("fetch").toString() shouldBe "java.util.List<java.lang.String>"
                job.readOutput("fetch", String::class.java) shouldBe "java.lang.String"
                job.readRunContext<Int>("cents") shouldBe null
                job.readRunContext("cents", Int::class.java) shouldBe null
                Thread.currentThread()
            }

            noted.calls.toList() shouldContainExactly listOf(
                "progress 1 of 2", "stage ${JobStage.RUNNING}", "checkpoint 7", "INFO half", "input", "inputs", "output fetch",
                "output fetch", "context cents", "context cents",
            )
            noted.threads.filter { it === caller }.shouldBeEmpty()
        }

        test("the rest of the context is that of the attempt") {
            val noted = NotedJob()
            val job = SuspendingJobContext(noted)

            job.jobId() shouldBe noted.jobId()
            job.payload() shouldBe "a.org"
            job.remaining() shouldBe noted.remaining()
            job.checkpoint<Int>() shouldBe null
            job.toString() shouldBe noted.toString()
        }

        test("a cancellation interrupts a call of the ledger that hangs") {
            val hangs = CompletableDeferred<Unit>()
            val interrupted = CompletableDeferred<Unit>()
            val job = SuspendingJobContext(
                NotedJob {
                    hangs.complete(Unit)
                    try {
                        CountDownLatch(1).await()
                    } catch (expected: InterruptedException) {
                        interrupted.complete(Unit)
                        throw expected
                    }
                },
            )

            val report = async { job.reportProgress(1, 2) }
            hangs.await()
            report.cancel()

            withTimeout(1.minutes) { interrupted.await() }
            shouldThrow<CancellationException> { report.await() }
        }

        test("handlers, interceptors and currentJob have the same functions") {
            val ledger = freshLedger()
            ledger.define(copy)
            val id = ledger.enqueue(copy, "a.org")
            val ended = CompletableDeferred<Int?>()
            val handlers = handlers {
                on(copy) { job ->
                    job.keepCheckpoint(3)
                    currentJob()?.writeLog(LogLevel.INFO, "from a function of the handler")
                }
            }

            val worker = RunledgerWorker.builder(ledger.client)
                .handlers(handlers)
                .config { it.workerId("copier").pollInterval(Duration.ofMillis(50)) }
                .intercept { job, next ->
                    next().also {
                        job.writeLog(LogLevel.INFO, "from an interceptor on ${job.workerId()}")
                        ended.complete(job.checkpoint<Int>())
                    }
                }
                .start()
            withTimeout(1.minutes) { ended.await() } shouldBe 3
            worker.close()

            ledger.client.logs.list(Scope.everything(), id).items().map { it.message() } shouldContainExactly
                listOf("from a function of the handler", "from an interceptor on copier")
        }

        test("a machine is declared among the handlers, and its steps suspend and go on after Kotlin's durations") {
            val ledger = freshLedger()
            val type = JobType.of("copy", Copy::class.java)
            ledger.define(type)
            val id = ledger.enqueue(type, Copy.Begin(1))
            val handlers = handlers {
                machine(type) {
                    on<Copy.Begin>(RetryPolicy.fixed(Duration.ofSeconds(1)).atMost(2)) {
                        reportProgress(1, 2)
                        goTo(Copy.End(it.page), 0.minutes).shouldBeInstanceOf<JobOutcome.Continue>()
                    }
                    on<Copy.End> {
                        maxAttempts() shouldBe type.maxAttempts()
                        done(step().page)
                    }
                }
            }

            working(ledger.client, handlers) { it.await("succeeded", id) }

            ledger.job(id).output()?.text() shouldBe "1"
            handlers.jobTypes shouldContainExactly listOf(type)
        }
    })
