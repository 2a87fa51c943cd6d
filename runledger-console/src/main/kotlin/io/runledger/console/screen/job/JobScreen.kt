package io.runledger.console.screen.job

import io.runledger.console.action.jobActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.shownText
import io.runledger.console.page.live
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import kotlinx.html.div
import java.time.Instant

/** A job: its state, why it is in it, and everything that happened to it. */
internal class JobScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/jobs/{id}", page = ::job)
    }

    private fun job(visit: Visit): Page {
        val view = JobView.of(visit, visit.id())
        val now = Instant.now()
        return Page(shownText(view.job.jobType()), Section.JOBS, Topic.OfJob(view.job.id())) {
            live("job", visit) {
                header(visit, view, now)
                jobActions(visit, view.job)
                why(visit, view, now)
                lastError(visit, view)
                timeline(view, now)
                attempts(visit, view, now)
            }
            div("columns") {
                live("story", visit) {
                    events(visit, view)
                    logs(visit, view)
                }
                live("data", visit) {
                    documents(visit, view)
                    flow(visit, view.job)
                    origin(visit, view)
                    retryTerms(view)
                }
            }
        }
    }
}
