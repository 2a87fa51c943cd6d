package io.runledger.console.screen.job

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.content.shownText
import io.runledger.console.page.idLink
import io.runledger.console.page.live
import io.runledger.console.page.pager
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobLogLine
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.nav
import kotlinx.html.p
import java.util.UUID
import io.runledger.model.ledger.Page as Rows

/** The log of a job, newest lines first, from a level on. The first page follows the job while it writes. */
internal class JobLogScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/jobs/{id}/logs", page = ::log)
    }

    /** A page of lines. [read] is the number of lines that were read to find them. */
    private class Lines(val page: Rows<JobLogLine>, val read: Long)

    private fun log(visit: Visit): Page {
        val job = visit.reads.jobs.get(visit.scope, visit.id())
        val level = LogLevel.entries.find { it.name == visit.query[LEVEL] }
        val after = visit.query["after"]
        val lines = visit.snapshot("log ${job.id()} $level $after") { lines(visit, job.id(), level, after) }
        return Page("Log of ${shownText(job.jobType())}", Section.JOBS, Topic.OfJob(job.id())) {
            p {
                +"Job "
                idLink(visit, "/jobs", job.id())
                +", newest lines first."
            }
            levels(visit, level)
            live("log", visit) {
                when {
                    lines.page.items().isNotEmpty() -> logLines(visit, lines.page.items())
                    lines.read == 0L -> p("empty") { +"The handler has written no line." }
                    else -> p("empty") { +"None of the ${lines.read.grouped()} lines read has this level." }
                }
                pager(visit, lines.page)
            }
        }
    }

    private fun FlowContent.levels(visit: Visit, chosen: LogLevel?) = nav("tabs") {
        attributes["aria-label"] = "From which level"
        (listOf(null) + LogLevel.entries).forEach { level ->
            a(href = visit.linkHere(LEVEL to level?.name, "after" to null)) {
                if (level == chosen) attributes["aria-current"] = "true"
                +when (level) {
                    null -> "All"
                    LogLevel.ERROR -> "Error"
                    else -> "${level.inWords().replaceFirstChar { it.uppercase() }} and above"
                }
            }
        }
    }

    /** Reads until enough lines have the level, or enough lines were read. */
    private fun lines(visit: Visit, jobId: UUID, level: LogLevel?, after: String?): Lines {
        val found = ArrayList<JobLogLine>()
        var cursor = after
        var read = 0L
        repeat(MOST_READS) {
            val page = visit.reads.logs.newest(visit.scope, jobId, PAGE, cursor)
            read += page.items().size
            found += page.items().filter { line -> level == null || severity(line)?.let { it >= level } == true }
            if (found.size >= PAGE) {
                val shown = found.take(PAGE)
                return Lines(Rows(shown, shown.last().cursor().takeIf { page.hasNext() || found.size > PAGE }), read)
            }
            cursor = page.next() ?: return Lines(Rows(found, null), read)
        }
        return Lines(Rows(found, cursor), read)
    }

    private companion object {
        const val LEVEL = "level"
        const val PAGE = 100
        const val MOST_READS = 10
    }
}
