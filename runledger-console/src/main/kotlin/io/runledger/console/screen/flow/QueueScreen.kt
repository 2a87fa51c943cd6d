package io.runledger.console.screen.flow

import io.runledger.console.action.queueActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.content.meaning
import io.runledger.console.page.facts
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.screen.fleet.fleetOnly
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.flow.QueueState
import kotlinx.html.FlowContent
import kotlinx.html.p

/** One queue: its load, what limits it, and how that has changed. */
internal class QueueScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/queues/{queue}") { fleetOnly(it, Section.QUEUES, ::queue) }
    }

    private fun queue(visit: Visit): Page {
        val name = visit.part("queue")
        val queue = visit.snapshot("queue $name") { visit.reads.queues.get(name) }
        return Page(queue.name(), Section.QUEUES, Topic.Ledger) {
            live("queue", visit) {
                p { queueState(queue) }
                p("note") { +meaning(queue) }
                load(queue)
                queueActions(visit, queue)
                limitChanges(visit, "queue $name") { most, before -> visit.reads.queues.history(name, most, before) }
            }
        }
    }

    private fun meaning(queue: QueueState): String = if (queue.paused()) {
        "Paused: no job of the queue is claimed. New jobs are accepted, and running jobs finish."
    } else {
        queue.values().meaning("of this queue")
    }

    private fun FlowContent.load(queue: QueueState) = facts {
        fact("Waiting", waiting(queue.waiting(), queue.moreWaiting()))
        fact("Running", queue.running().toLong().grouped())
        fact("Oldest due") { moment(queue.oldestDue()) }
        fact(if (queue.paused()) "Limited to, when resumed" else "Limited to", queue.values().inWords())
    }
}
