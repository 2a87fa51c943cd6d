package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Instant
import java.util.UUID

data class Ledgers(val country: String, val currency: String = "EUR")

val collectPostings = jobType<Ledgers>("closing.collect")
val reconcile = jobType<Ledgers>("closing.reconcile")
val publish = jobType<Ledgers>("closing.publish")

/** The workflow is data. The schedule stores it with these parameters in its steps. */
fun closing(ledgers: Ledgers): WorkflowRequest = workflow("closing") {
    val collected = job("collect") { runs(collectPostings, ledgers) }
    val reconciled = job("reconcile") {
        runs(reconcile, ledgers)
        after(collected)
    }
    val signed = externalGate("sign") { after(reconciled) }
    job("publish") {
        runs(publish, ledgers)
        after(signed)
    }
}

/** On the first of each month. The next closing does not start before the last one is signed. */
fun monthlyClosing(ledgers: Ledgers): ScheduleRequest = ScheduleRequest.builder("closing-${ledgers.country}", closing(ledgers))
    .cron("0 4 1 * *")
    .zone("Europe/Berlin")
    .skipOverlaps()
    .build()

val beginClosing = jobType<Ledgers>("closing.begin")

/** For a workflow that only code can build: a scheduled job starts it. Retries of the job do not start it again. */
fun closingByCode(client: RunledgerClient): Handlers = handlers {
    on(beginClosing) { job ->
        client.workflows.enqueue(closing(job.payload()).withIdempotencyKey("closing of job ${job.jobId()}")).runId()
    }
}

/** Operations on the schedule of the closing. */
class ClosingDesk(private val client: RunledgerClient) {
    fun plan(ledgers: List<Ledgers>) {
        client.schedules.sync(Scope.global(), ledgers.map(::monthlyClosing))
    }

    /** Starts a closing out of turn, and returns its run. */
    fun closeNow(country: String, why: String): UUID? = client.schedules.fireNow(Scope.global(), "closing-$country", why).runId()

    fun hold(country: String, why: String) {
        client.schedules.pause(Scope.global(), "closing-$country", why)
    }

    fun goOn(country: String) {
        client.schedules.resume(Scope.global(), "closing-$country")
    }

    /** Closes the months that were missed between two instants. Returns how many. */
    fun makeUpFor(country: String, from: Instant, until: Instant, by: String, why: String): Int {
        val preview = client.schedules.previewBackfill(Scope.global(), "closing-$country", from, until)
        require(preview.toFire() <= 24) {
            "${preview.toFire()} closings, the first for ${preview.first()}: close them year by year."
        }
        return client.actingAs(by).schedules.backfill(Scope.global(), "closing-$country", from, until, why).fired()
    }

    /** Closes later in the day from now on. Refused if another operator changes the schedule between the read and the edit. */
    fun closeAtNoon(country: String, by: String, why: String) {
        val read = client.schedules.get(Scope.global(), "closing-$country")
        client.actingAs(by).schedules.edit(Scope.global(), read, why) { it.cron("0 12 1 * *") }
    }

    /** The last hundred history entries of the schedule, newest first, for the auditor. */
    fun audit(country: String): List<String> = client.schedules.fires(Scope.global(), "closing-$country").items().map { line ->
        val what = if (line.caughtUp()) "made up for, ${line.lateness().toHours()} hours late" else line.outcome().name
        listOfNotNull(line.scheduledFor(), what, line.runId(), line.reason()).joinToString(" ")
    }

    /** The scheduled instants that did not fire. */
    fun missed(country: String): List<Instant> = client.schedules.fires(Scope.global(), "closing-$country").items()
        .filter { it.outcome() in setOf(FireOutcome.SKIPPED_MISFIRE, FireOutcome.SKIPPED_OVERLAP, FireOutcome.DEFERRED) }
        .map { it.scheduledFor() }
}
