package io.runledger.console.screen.jobs

import io.runledger.console.content.inWords
import io.runledger.console.page.idLink
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.organization
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import kotlinx.html.FlowContent
import kotlinx.html.TD
import java.time.Duration
import java.time.Instant

/** A page of jobs as a table. */
internal fun FlowContent.jobTable(visit: Visit, jobs: List<JobSummary>, filters: JobFilters, now: Instant) =
    listing(if (filters.isInOrderOfClaims) "Jobs, in the order of claims" else "Jobs, newest first", jobs, "There are no jobs.") {
        column("Job") { idLink(visit, "/jobs", it.id()) }
        column("Type") { mono(it.jobType()) }
        column("State") { state(it.status()) }
        if (filters.isInOrderOfClaims) column("Priority") { +it.priority().toString() }
        column("Attempt", "once") { +"${it.attempt()} of ${it.maxAttempts()}" }
        column("Last error") { job -> job.lastErrorCode()?.let { mono(it) } }
        organization(visit) { it.organizationId() }
        column("Created") { moment(it.createdAt(), now) }
        column("Latest", "once") { latest(it, now) }
    }

/** What happened last, or happens next. */
private fun TD.latest(job: JobSummary, now: Instant) {
    val started = job.startedAt()
    when (job.status()) {
        JobStatus.PENDING -> {
            +"due "
            moment(job.nextRunAt(), now)
        }

        JobStatus.LEASED -> {
            job.progress().percent()?.let { +"$it % · " }
            +"updated "
            moment(job.updatedAt(), now)
        }

        else -> {
            +"ended "
            moment(job.finishedAt(), now)
            val ended = job.finishedAt()
            if (started != null && ended != null) +" after ${Duration.between(started, ended).inWords()}"
        }
    }
}
