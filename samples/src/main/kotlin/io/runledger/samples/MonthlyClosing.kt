package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.spec.ScheduleRequest
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.FireOutcome
import io.runledger.model.state.OverlapPolicy
import io.runledger.model.state.ScheduleFire
import io.runledger.model.state.Scope

data class Ledgers(val country: String, val currency: String = "EUR")

val collectPostings = jobType<Ledgers>("closing.collect")
val reconcile = jobType<Ledgers>("closing.reconcile")
val publish = jobType<Ledgers>("closing.publish")

/** The workflow is data, so the schedule keeps it, with these parameters in its steps. */
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

/** On the first of each month; a closing that is not signed yet is not overtaken by the next. */
fun monthlyClosing(ledgers: Ledgers): ScheduleRequest = ScheduleRequest.builder("closing-${ledgers.country}", closing(ledgers))
    .cron("0 4 1 * *")
    .zone("Europe/Berlin")
    .overlap(OverlapPolicy.SKIP)
    .build()

val beginClosing = jobType<Ledgers>("closing.begin")

/** For a workflow that only code can make: a scheduled job starts it, once however often the job is tried. */
fun closingByCode(client: RunledgerClient): Handlers = handlers {
    on(beginClosing) { job ->
        client.workflows.enqueue(closing(job.payload()).withIdempotencyKey("closing of job ${job.jobId()}")).runId()
    }
}

/** What the people of the closing do with its schedule. */
class ClosingDesk(private val client: RunledgerClient) {
    fun plan(ledgers: List<Ledgers>) {
        client.schedules.sync(ledgers.map(::monthlyClosing), Scope.global())
    }

    fun closeNow(country: String, why: String): ScheduleFire = client.schedules.fireNow("closing-$country", Scope.global(), why)

    fun hold(country: String, why: String) {
        client.schedules.pause("closing-$country", Scope.global(), why)
    }

    fun goOn(country: String) {
        client.schedules.resume("closing-$country", Scope.global())
    }

    /** The last hundred things that happened to the schedule, the newest first, for the auditor. */
    fun audit(country: String): List<String> = client.schedules.fires("closing-$country", Scope.global()).map { line ->
        val what = if (line.caughtUp()) "made up for, ${line.lateness().toHours()} hours late" else line.outcome().name
        listOfNotNull(line.scheduledFor(), what, line.runId(), line.reason()).joinToString(" ")
    }

    /** What the clock asked for and did not get. */
    fun missed(country: String): List<ScheduleFire> = client.schedules.fires("closing-$country", Scope.global())
        .filter { it.outcome() in setOf(FireOutcome.SKIPPED_MISFIRE, FireOutcome.SKIPPED_OVERLAP, FireOutcome.DEFERRED) }
}
