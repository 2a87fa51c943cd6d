package io.runledger.console.screen.fleet

import io.runledger.console.action.workerActions
import io.runledger.console.content.Page
import io.runledger.console.content.Section
import io.runledger.console.content.Topic
import io.runledger.console.content.grouped
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.live
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.visit.Routes
import io.runledger.console.visit.Screen
import io.runledger.console.visit.Visit
import io.runledger.model.fleet.Worker
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.span
import java.time.Instant

/** The workers, and the orders to them. */
internal class WorkerListScreen : Screen {
    override fun register(routes: Routes) {
        routes.page("/workers") { fleetOnly(it, Section.WORKERS, ::workers) }
    }

    private fun workers(visit: Visit): Page {
        val workers = fleet(visit)
        return Page("Workers", Section.WORKERS, Topic.Ledger) {
            live("workers", visit) {
                totals(workers)
                table(visit, workers.take(SHOWN))
                if (workers.size > SHOWN) p("note") { +"and ${(workers.size - SHOWN).toLong().grouped()} more" }
            }
            workerActions(visit)
            live("orders", visit) {
                h2 { +"Orders" }
                standingOrders(visit)
                orderHistory(visit)
            }
        }
    }

    private fun FlowContent.totals(workers: List<Worker>) = div("tiles") {
        val (lost, alive) = workers.partition { it.isLost }
        tile(alive.size, "workers")
        tile(alive.sumOf { it.busySlots() }, "busy slots of ${alive.sumOf { it.slots() }.toLong().grouped()}")
        tile(alive.sumOf { it.heldJobs() }, "jobs claimed ahead")
        tile(lost.size, "lost", if (lost.isEmpty()) "" else " bad")
    }

    private fun FlowContent.tile(figure: Int, label: String, look: String = "") = div("tile$look") {
        span("figure") { +figure.toLong().grouped() }
        span("label") { +label }
    }

    private fun FlowContent.table(visit: Visit, workers: List<Worker>) {
        val now = Instant.now()
        listing("Workers by id", workers, "No worker is registered.") {
            column("Worker") { a(href = visit.link("/workers/${it.id()}")) { mono(it.workerId()) } }
            column("State") { workerState(it) }
            column("Slots") { slots(it) }
            column("Types") { names(it.jobTypes()) }
            column("Labels") { names(it.labels().sorted()) }
            column("Version") { worker ->
                ledgerText(worker.applicationVersion() ?: "–")
                div("note") { ledgerText("Runledger ${worker.libraryVersion()}") }
            }
            column("Host") { ledgerText("${it.host()}, process ${it.processId()}") }
            column("Since") { moment(it.startedAt(), now) }
            column("Last heartbeat") { moment(it.lastBeatAt(), now) }
        }
    }

    companion object {
        private const val SHOWN = 500

        /** All registered workers, the lost ones first. */
        fun fleet(visit: Visit): List<Worker> =
            visit.snapshot("workers") { visit.reads.workers.list() }.sortedByDescending { it.isLost }
    }
}
