package io.runledger.console.screen.jobs

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.page.mono
import io.runledger.console.visit.Answer
import io.runledger.console.visit.GoTo
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Show
import io.runledger.console.visit.Visit
import io.runledger.model.job.JobQuery
import io.runledger.model.text.Text
import kotlinx.html.a
import kotlinx.html.p
import java.util.UUID

/** Goes to the job or run that a text names: by its id, or by the idempotency key of a job. */
internal class FindScreen : Screen {
    override fun register(routes: Routes) {
        routes.get("/find", answer = ::find)
    }

    private fun find(visit: Visit): Answer {
        val text = visit.query["q"]?.trim() ?: return GoTo("/jobs")
        return byId(visit, text) ?: byKey(visit, text) ?: Show(nothing(visit, text), NOT_FOUND)
    }

    private fun byId(visit: Visit, text: String): Answer? {
        val id = try {
            UUID.fromString(text)
        } catch (_: IllegalArgumentException) {
            return null
        }
        return when {
            visit.reads.jobs.find(visit.scope, id) != null -> GoTo("/jobs/$id")
            visit.reads.workflows.find(visit.scope, id) != null -> GoTo("/runs/$id")
            else -> null
        }
    }

    private fun byKey(visit: Visit, text: String): Answer? {
        if (!Text.isStorable(text)) return null
        val jobs = visit.reads.jobs.list(visit.scope, JobQuery.builder().idempotencyKey(text).limit(2).build()).items()
        return when (jobs.size) {
            0 -> null
            1 -> GoTo("/jobs/${jobs.single().id()}")
            else -> GoTo("/jobs?${JobFilter.KEY.parameter}=${Visit.inQuery(text)}")
        }
    }

    private fun nothing(visit: Visit, text: String) = Page("Nothing found", Section.JOBS) {
        searchBox(visit)
        p("problem") {
            +"There is no job or run with the id or the idempotency key "
            mono(text)
            +" among those that you see. It may have been removed by retention."
        }
        p { a(href = visit.link("/jobs")) { +"All jobs" } }
    }

    private companion object {
        const val NOT_FOUND = 404
    }
}
