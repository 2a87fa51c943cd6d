package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.TestLedger
import io.runledger.model.job.CanceledJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID
import kotlin.random.Random

/** Enqueues work of every kind, changes some of it while it runs, and records the expected results. */
internal class ChaosTraffic(private val ledger: TestLedger, private val caller: Caller, private val random: Random) {
    /** A run that was paused and resumed, with the database time after the answer to the pause and before the resume. */
    class Pause(val runId: UUID, val answer: String, val from: String, val to: String)

    private class OpenPause(val runId: UUID, val answer: String, val from: String)

    private val everything = Scope.everything()
    private val gates = ArrayDeque<UUID>()
    private val open = ArrayDeque<OpenPause>()
    private var rounds = 0
    private var settledJobs = 0

    val workflows = HashMap<String, RandomWorkflow>()
    val items = mutableListOf<String>()
    val pauses = mutableListOf<Pause>()
    val canceledJobs = HashSet<UUID>()
    val appended = HashSet<UUID>()
    val canceledRuns = HashSet<UUID>()
    val completedRuns = HashSet<UUID>()

    fun round() {
        rounds++
        enqueueSettled(SETTLED)
        val orders = List(ORDINARY) { caller.enqueue(order("ordinary-$rounds-$it")).id() }
        if (rounds % CANCEL_JOB_EVERY == 0) cancelJob(orders.random(random))
        caller.enqueue(keyed(once, Order("once-$rounds"), "once-$rounds"))
        caller.enqueue(keyed(errand, Errand.Fetch("errand-$rounds"), "errand-$rounds"))
        decide("decided-$rounds")
        fan("fan-$rounds")
        find("item-$rounds")
    }

    fun enqueueSettled(jobs: Int) = repeat(jobs) {
        caller.enqueue(keyed(settled, Json.EMPTY_OBJECT, "settled-${settledJobs++}"))
    }

    /** Completes the gates and resumes the runs that wait for this service. */
    fun finish() {
        while (open.isNotEmpty()) resume()
        while (gates.isNotEmpty()) complete()
    }

    private fun order(key: String): JobRequest {
        val ending = listOf(Intent.SUCCEED, Intent.SUCCEED, Intent.SUCCEED, Intent.FAIL, Intent.CANCEL).random(random)
        return keyed(ordinary, Order(key, ending, slices = random.nextInt(1, 4)), key)
    }

    private fun cancelJob(id: UUID) {
        val canceled = caller.change { it.jobs.cancelAll(everything, listOf(id), CALLED_OFF).single() }
        if (canceled?.result() == CanceledJob.Result.CANCELED) canceledJobs += id
    }

    private fun decide(key: String) {
        val workflow = RandomWorkflow(key, random.nextLong())
        workflows[key] = workflow
        caller.enqueue(workflow.request())
    }

    private fun find(tag: String) {
        items += tag
        ledger.run("INSERT INTO inbox (tag) VALUES ('$tag')")
    }

    /** A run of eight steps with a gate, now and then appended to, paused for a while, or canceled. */
    private fun fan(key: String) {
        val run = caller.enqueue(fanRequest(key)).runId()
        if (rounds % APPEND_EVERY == 1) append(run)
        if (rounds % CANCEL_RUN_EVERY == 0) cancelRun(run) else gates += run
        if (rounds % PAUSE_EVERY == 2) pause(run)
        if (gates.size > OPEN_GATES) complete()
    }

    private fun append(run: UUID) {
        val more = AppendRequest.builder(run, "more", "window").apply {
            job("more") { it.runs(settled, Json.EMPTY_OBJECT) }
        }.build()
        caller.change { it.workflows.append(everything, more) }
        appended += run
    }

    private fun cancelRun(run: UUID) {
        caller.change { it.workflows.cancel(everything, run) }
        canceledRuns += run
    }

    private fun pause(run: UUID) {
        if (run in canceledRuns) return
        val answer = caller.change { it.workflows.pause(everything, run) }
        open += OpenPause(run, "${answer?.result()}", now())
    }

    private fun resume() {
        val pause = open.removeFirst()
        pauses += Pause(pause.runId, pause.answer, pause.from, now())
        caller.change { it.workflows.resume(everything, pause.runId) }
    }

    private fun complete() {
        val run = gates.removeFirst()
        if (open.any { it.runId == run }) resume()
        caller.change { it.workflows.completeGate(everything, GateCompletion.succeeded(run, "window")) }
        completedRuns += run
    }

    private fun now() = ledger.value("SELECT clock_timestamp()")

    companion object {
        const val CALLED_OFF = "called off"
        private const val SETTLED = 3
        private const val ORDINARY = 4
        private const val WIDTH = 5
        private const val CANCEL_JOB_EVERY = 2
        private const val CANCEL_RUN_EVERY = 4
        private const val APPEND_EVERY = 3
        private const val PAUSE_EVERY = 3
        private const val OPEN_GATES = 2

        fun <P : Any> keyed(type: JobType<P>, payload: P, key: String): JobRequest =
            JobRequest.builder(type, payload).idempotencyKey(key).build()

        private fun fanRequest(key: String): WorkflowRequest = WorkflowRequest.builder("fan").apply {
            idempotencyKey(key)
            val window = externalGate("window")
            val start = job("start") { it.runs(settled, Json.EMPTY_OBJECT) }
            val middle = List(WIDTH) { n -> job("middle-$n") { it.runs(settled, Json.EMPTY_OBJECT).after(start) } }
            job("end") { it.runs(settled, Json.EMPTY_OBJECT).after(*middle.toTypedArray()).after(window) }
        }.build()
    }
}
