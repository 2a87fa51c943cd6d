package io.runledger.console.screen.schedule

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.page.filterForm
import io.runledger.console.page.fireTimes
import io.runledger.console.visit.Answer
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Show
import io.runledger.console.visit.Visit
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import java.time.Instant

internal const val PREVIEW = "/schedules/preview"

/** What a cron expression means, in words and as its next fires. */
internal class SchedulePreviewScreen : Screen {
    override fun register(routes: Routes) {
        routes.get(PREVIEW, answer = ::preview)
    }

    private fun preview(visit: Visit): Answer {
        val cron = visit.query["cron"]
        // A schedule can have the name of this page. Its own address has no expression.
        if (cron == null && visit.reads.schedules.find(visit.scope, NAME) != null && visit.query["zone"] == null) {
            return Show(ScheduleScreen.schedule(visit, NAME))
        }
        val preview = cron?.let { CronPreview.of(it, visit.query["zone"], Instant.now()) }
        val page = Page("Try a cron expression", Section.SCHEDULES) {
            filterForm(visit, PREVIEW, preview?.problems.orEmpty()) {
                text("cron", "Cron expression", "0 3 * * *")
                text("zone", "Time zone", "UTC")
            }
            syntax()
            if (preview != null) result(preview)
        }
        return Show(page, if (preview == null || preview.problems.isEmpty()) OK else INVALID)
    }

    private fun FlowContent.syntax() = p("note") {
        +"Five fields (minute, hour, day of month, month, day of week), or six or seven that begin with seconds and may end with "
        +"years, or a nickname such as @daily."
    }

    private fun FlowContent.result(preview: CronPreview) {
        if (preview.problems.isNotEmpty()) return
        section {
            h2 { +preview.words }
            fireTimes(preview.fires, preview.zone)
        }
    }

    private companion object {
        const val NAME = "preview"
        const val OK = 200
        const val INVALID = 400
    }
}
