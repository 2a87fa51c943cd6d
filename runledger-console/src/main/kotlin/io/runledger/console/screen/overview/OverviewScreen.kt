package io.runledger.console.screen.overview

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.page.live
import io.runledger.console.screen.jobs.searchBox
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import kotlinx.html.div
import java.time.Instant

/** Whether all is well, in sentences, and the load of the ledger. */
internal class OverviewScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/", page = ::overview)
    }

    private fun overview(visit: Visit): Page {
        val load = Load.of(visit)
        val now = Instant.now()
        return Page("Overview", Section.OVERVIEW, Topic.Ledger) {
            searchBox(visit)
            live("overview", visit) {
                concernList(visit, concerns(load, now))
                tiles(visit, load)
                throughput(visit, load)
                div("columns") {
                    failures(visit, load, now)
                    load.fleet?.let { waiting(visit, it) }
                    load.fleet?.let { workers(visit, it, now) }
                    lateSchedules(visit, load, now)
                }
            }
        }
    }
}
