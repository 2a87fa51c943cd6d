package io.runledger.console.screen.fleet

import io.runledger.console.action.workerActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.inWords
import io.runledger.console.page.exactly
import io.runledger.console.page.facts
import io.runledger.console.page.idLink
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.organization
import io.runledger.console.visit.NoSuchPageException
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.fleet.Worker
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import java.time.Duration
import java.time.Instant

/** One worker, and the jobs that it has claimed. */
internal class WorkerScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/workers/{id}") { fleetOnly(it, Section.WORKERS, ::worker) }
    }

    private fun worker(visit: Visit): Page {
        val id = visit.id()
        val worker = WorkerListScreen.fleet(visit).firstOrNull { it.id() == id } ?: throw NoSuchPageException(visit.request.path)
        return Page("Worker ${worker.workerId()}", Section.WORKERS, Topic.Ledger) {
            live("worker", visit) {
                workerFacts(visit, worker)
                workerActions(visit, worker)
                jobs(visit, worker)
            }
        }
    }

    private fun FlowContent.workerFacts(visit: Visit, worker: Worker) = section {
        if (worker.isLost) {
            p("problem") { +"The worker has missed three heartbeats. Its jobs return to the queue when their leases expire." }
        }
        facts {
            fact("State") { workerState(worker) }
            fact("Slots") { slots(worker) }
            fact("Types") { worker.jobTypes().take(TYPES).forEach { type -> type(visit, type) } }
            fact("Labels") { names(worker.labels().sorted()) }
            fact("Version", worker.applicationVersion())
            fact("Runledger", worker.libraryVersion())
            fact("Host", worker.host())
            fact("Process", worker.processId().toString())
            fact("Since") { exactly(worker.startedAt()) }
            fact("Last heartbeat") { moment(worker.lastBeatAt()) }
        }
    }

    private fun FlowContent.type(visit: Visit, type: String) = div {
        a(href = visit.link("/types/${Visit.encoded(type)}")) { mono(type) }
    }

    private fun FlowContent.jobs(visit: Visit, worker: Worker) {
        val name = worker.workerId()
        val held = visit.snapshot("worker jobs $name") { visit.reads.workers.heldJobs(name, JOBS) }
        val (shown, others) = held.partition { visit.scope.covers(it.organizationId()) }
        val now = Instant.now()
        h2 { +"Jobs" }
        listing("Jobs of the worker, running ones first", shown, "It has no job that you can see.") {
            column("Job") { idLink(visit, "/jobs", it.jobId()) }
            column("Type") { mono(it.jobType()) }
            column("Handler") { job ->
                val since = job.startedAt()
                if (since == null) {
                    +"waits for a slot, or has just started"
                } else {
                    +"runs for ${Duration.between(since, now).coerceAtLeast(Duration.ZERO).inWords()}"
                }
            }
            number("Attempt") { +it.attempt().toString() }
            column("Claimed") { moment(it.leasedAt(), now) }
            column("Lease ends") { moment(it.leaseExpiresAt(), now) }
            organization(visit) { it.organizationId() }
        }
        if (others.isNotEmpty()) p("note") { +"It also has ${others.size} jobs of other organizations." }
        if (held.size == JOBS) p("note") { +"Only the first $JOBS are shown." }
    }

    private companion object {
        const val JOBS = 100
        const val TYPES = 200
    }
}
