package io.runledger.coroutines.crash

import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID
import javax.sql.DataSource

/**
 * A service that keeps enqueuing whatever happens to its connections: it repeats a call without an answer with the same
 * arguments, as the documentation says. Records how much was acknowledged.
 */
internal class Traffic(dataSource: DataSource, private val disturb: () -> Unit) {
    private val client = RunledgerClient.builder(dataSource).notifications(false).build()
    private val everything = Scope.everything()
    private val waiting = ArrayDeque<UUID>()
    private var rounds = 0

    var jobs = 0
        private set
    var runs = 0
        private set
    var cancels = 0
        private set
    var appends = 0
        private set

    /** Whether every call is disturbed when it is made for the first time. */
    var isDisturbed = false

    /** Whether no answer is needed any more. */
    @Volatile
    var isOver = false

    /** How often an answer did not come. */
    var unanswered = 0
        private set

    /** Some jobs, a run of eight steps with a gate, now and then a cancellation and an append; gates of earlier rounds are completed. */
    fun round() {
        rounds++
        repeat(JOBS) { n ->
            insist { client.jobs.enqueue(single("job-$rounds-$n")) }
            jobs++
        }
        val run = insist { client.workflows.enqueue(fan("run-$rounds")) }.runId()
        runs++
        if (rounds % APPEND_EVERY == 1) append(run)
        if (rounds % CANCEL_EVERY == 0) cancel(run) else waiting += run
        if (waiting.size > OPEN_GATES) complete(waiting.removeFirst())
    }

    /** Completes the gates that are left. */
    fun finish() {
        while (waiting.isNotEmpty()) complete(waiting.removeFirst())
    }

    private fun append(run: UUID) {
        val more = AppendRequest.builder(run, "more", "window").apply {
            job("more") { it.runs(effect, Json.EMPTY_OBJECT) }
        }.build()
        insist { client.workflows.append(everything, more) }
        appends++
    }

    private fun cancel(run: UUID) {
        insist { client.workflows.cancel(everything, run) }
        cancels++
    }

    private fun complete(run: UUID) = insist {
        client.workflows.completeGate(everything, GateCompletion.succeeded(run, "window"))
    }

    /** Repeats the call until there is an answer. */
    private fun <T> insist(ask: () -> T): T {
        if (isDisturbed) disturb()
        while (true) {
            try {
                return ask()
            } catch (failure: RunledgerException) {
                if (!failure.isTransient || isOver) throw failure
                unanswered++
            }
        }
    }

    companion object {
        private const val JOBS = 10
        private const val WIDTH = 5
        private const val CANCEL_EVERY = 4
        private const val APPEND_EVERY = 3
        private const val OPEN_GATES = 2

        fun single(key: String): JobRequest = JobRequest.builder(effect, Json.EMPTY_OBJECT).idempotencyKey(key).build()

        fun fan(key: String): WorkflowRequest = WorkflowRequest.builder("chaos").apply {
            idempotencyKey(key)
            val window = externalGate("window")
            val start = job("start") { it.runs(effect, Json.EMPTY_OBJECT) }
            val middle = List(WIDTH) { n -> job("middle-$n") { it.runs(effect, Json.EMPTY_OBJECT).after(start) } }
            job("end") { it.runs(effect, Json.EMPTY_OBJECT).after(*middle.toTypedArray()).after(window) }
        }.build()
    }
}
