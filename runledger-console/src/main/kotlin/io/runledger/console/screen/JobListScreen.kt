package io.runledger.console.screen

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.idLink
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.pager
import io.runledger.console.page.state
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus

/** The list of jobs with its filters. */
internal class JobListScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/jobs", page = ::jobs)
    }

    private fun jobs(visit: Visit): Page {
        val query = JobQuery.builder()
            .statuses(*visit.query.all("status").map { JobStatus.valueOf(it) }.toTypedArray())
            .limit(PAGE).after(visit.query["after"]).build()
        val jobs = visit.snapshot("jobs $query") { visit.reads.jobs.list(visit.scope, query) }
        return Page("Jobs", Section.JOBS, Topic.Ledger) {
            live("jobs", visit) {
                listing("Jobs, newest first", jobs.items(), "No job matches.") {
                    column("Job") { idLink(visit, "/jobs", it.id()) }
                    column("Type") { mono(it.jobType()) }
                    column("State") { state(it.status()) }
                    number("Attempt") { +"${it.attempt()} of ${it.maxAttempts()}" }
                    column("Created") { moment(it.createdAt()) }
                }
                pager(visit, jobs)
            }
        }
    }

    private companion object {
        const val PAGE = 50
    }
}
