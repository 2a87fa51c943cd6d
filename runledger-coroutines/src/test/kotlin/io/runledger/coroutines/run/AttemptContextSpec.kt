package io.runledger.coroutines.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.NoLedger
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.handlers
import io.runledger.coroutines.heldMonitors
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.port.AttemptLedger
import io.runledger.coroutines.read
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobType
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.LogRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.run.StepOutput
import io.runledger.model.value.UuidV7
import io.runledger.model.workflow.Input
import io.runledger.model.workflow.WorkflowStepStatus
import java.lang.reflect.Proxy
import java.sql.Connection
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

private val bake = JobType.of("bake", String::class.java)
private val dough = Input.of("dough", String::class.java)

private class Kitchen(private val onOutputs: () -> Unit = {}) : AttemptLedger by NoLedger {
    val asked = ConcurrentLinkedQueue<String>()
    val monitors = ConcurrentLinkedQueue<String>()

    override fun report(report: ProgressReport) = note("report")

    override fun log(line: LogRequest) = note("log")

    override fun succeedIn(connection: Connection, lease: Lease, success: JobOutcome.Succeeded) = note("settle")

    override fun runContext(job: ClaimedJob, name: String): Json? = null.also { note("context") }

    override fun outputs(job: ClaimedJob): List<StepOutput> {
        note("outputs")
        onOutputs()
        return listOf(StepOutput("knead", WorkflowStepStatus.SUCCEEDED, Json.of("\"soft\""), "dough"))
    }

    private fun note(what: String) {
        asked += what
        monitors += heldMonitors()
    }
}

private fun contextOf(ledger: AttemptLedger): AttemptContext<String> {
    val job = claimedJob("bake", ClaimedJob.ClaimedStep(UuidV7.next(), UuidV7.next(), "bake"))
    val registration: Handlers.Registration<*> = checkNotNull(handlers { on(bake) { } }.of("bake"))
    val end = TimeSource.Monotonic.markNow() + 1.minutes
    return AttemptContext(Attempt(job, registration, end, "runledger"), "rye", ledger, end)
}

/** Runs [work] on a thread that holds nothing yet. */
private fun onFreshThread(work: () -> Unit): Thread = thread(isDaemon = true, block = work)

class AttemptContextSpec :
    FunSpec({
        test("a handler's thread holds no monitor while its ledger is asked, so that a virtual thread gives up its carrier") {
            val kitchen = Kitchen()
            val job = contextOf(kitchen)
            val connection = Proxy.newProxyInstance(Kitchen::class.java.classLoader, arrayOf(Connection::class.java)) { _, _, _ ->
                null
            } as Connection

            onFreshThread {
                job.input(dough)
                job.progress(1, 2)
                job.stage(JobStage.RUNNING)
                job.saveCheckpoint("half")
                job.log(LogLevel.INFO, "rising")
                job.runContext<String>("oven", String::class.java)
                job.settleIn(connection)
            }.join()

            kitchen.asked shouldContainExactly listOf("outputs", "report", "report", "report", "log", "context", "settle")
            kitchen.monitors.shouldBeEmpty()
        }

        test("however many threads of a handler ask at once, what its step waited for is read once") {
            val isAsked = CountDownLatch(1)
            val mayAnswer = CountDownLatch(1)
            val kitchen = Kitchen {
                isAsked.countDown()
                mayAnswer.await()
            }
            val job = contextOf(kitchen)
            val read = ConcurrentLinkedQueue<String>()

            val threads = List(3) { onFreshThread { read += job.input(dough) } }
            isAsked.await()
            mayAnswer.countDown()
            threads.forEach(Thread::join)

            read shouldContainExactly listOf("soft", "soft", "soft")
            kitchen.asked shouldContainExactly listOf("outputs")
        }

        test("a thread that waits for another one's read is interrupted with its handler") {
            val isAsked = CountDownLatch(1)
            val mayAnswer = CountDownLatch(1)
            val job = contextOf(
                Kitchen {
                    isAsked.countDown()
                    mayAnswer.await()
                },
            )
            val thrown = AtomicReference<Throwable>()
            onFreshThread { job.input(dough) }
            isAsked.await()

            val second = onFreshThread { runCatching { job.input(dough) }.onFailure(thrown::set) }
            second.interrupt()
            second.join(30_000)
            mayAnswer.countDown()

            thrown.get()?.javaClass shouldBe InterruptedException::class.java
        }
    })
