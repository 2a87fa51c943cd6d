package io.runledger.console.screen.flow

import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.pager
import io.runledger.console.screen.fleet.fleetOnly
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.flow.QueueState
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.p
import kotlinx.html.span
import java.time.Instant

/** The named queues with their load. */
internal class QueueListScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/queues") { fleetOnly(it, Section.QUEUES, ::queues) }
    }

    private fun queues(visit: Visit): Page {
        val after = visit.query["after"]
        val queues = visit.snapshot("queues $after") { visit.reads.queues.list(PAGE, after) }
        val now = Instant.now()
        return Page("Queues", Section.QUEUES, Topic.Ledger) {
            live("queues", visit) {
                if (queues.items().isEmpty() && after == null) {
                    p("empty") { +"All jobs are in the default queue." }
                    howToDeclare(NAMED_BY_JOBS, QUEUE_IN_KOTLIN, QUEUE_IN_JAVA)
                    return@live
                }
                listing("Queues by name", queues.items(), "There are no further queues.") {
                    column("Queue") { a(href = visit.link(queuePath(it.name()))) { mono(it.name()) } }
                    column("State") { queueState(it) }
                    number("Waiting") { +waiting(it.waiting(), it.moreWaiting()) }
                    number("Running") { +it.running().toLong().grouped() }
                    column("Oldest due") { moment(it.oldestDue(), now) }
                    column("Limited to") { +it.values().inWords() }
                }
                pager(visit, queues)
            }
        }
    }

    private companion object {
        const val PAGE = 100
        const val NAMED_BY_JOBS = "A job type or a job names its queue, and the queue is listed here:"
        const val QUEUE_IN_KOTLIN = """jobType<Import>("file.import") { queue("imports") }"""
        const val QUEUE_IN_JAVA = """JobType.builder("file.import", Import.class).queue("imports")"""
    }
}

internal fun queuePath(name: String): String = "/queues/${Visit.encoded(name)}"

internal fun FlowContent.queueState(queue: QueueState) =
    if (queue.paused()) span("state state-paused") { +"paused" } else span("state state-active") { +"active" }
