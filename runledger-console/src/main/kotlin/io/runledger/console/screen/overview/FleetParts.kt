package io.runledger.console.screen.overview

import io.runledger.console.content.grouped
import io.runledger.console.content.of
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.fleet.Worker
import kotlinx.html.FlowContent
import kotlinx.html.LI
import kotlinx.html.a
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.ul
import java.time.Instant

/** The failed attempts of the period by type and code. */
internal fun FlowContent.failures(visit: Visit, load: Load, now: Instant) = section {
    h2 { +"Failures of the last ${load.period.words}" }
    listing("Failed attempts of the last ${load.period.words} by type and error code", load.failures, "No attempt has failed.") {
        column("Type") { mono(it.jobType()) }
        column("Error") { cause ->
            cause.errorCode()?.let { code ->
                a(href = visit.link("/jobs", "type" to cause.jobType(), "code" to code)) { mono(code) }
            }
        }
        number("Attempts") { +it.count().grouped() }
        column("Last") { moment(it.lastAt(), now) }
    }
}

/** One line for each worker, those that need attention first. */
internal fun FlowContent.workers(visit: Visit, fleet: Load.Fleet, now: Instant) = section {
    h2 { a(href = visit.link("/workers")) { +"Workers" } }
    if (fleet.workers.isEmpty()) {
        p("empty") { +"No worker is registered." }
        return@section
    }
    ul("lines") {
        fleet.workers.sortedWith(compareByDescending<Worker> { it.isLost }.thenByDescending { it.state }).take(MOST_LINES)
            .forEach { li { worker(it, now) } }
    }
    val more = fleet.workers.size - MOST_LINES
    if (more > 0) p("note") { a(href = visit.link("/workers")) { +"${more.toLong().of("more worker")}" } }
}

private fun LI.worker(worker: Worker, now: Instant) {
    if (worker.isLost) span("state state-lost") { +"lost" } else state(worker.state)
    +" "
    mono(worker.workerId())
    span("note") {
        +" · ${worker.busySlots()} of ${worker.slots()} slots busy · "
        ledgerText(worker.host())
        if (worker.isLost) {
            +" · last seen "
            moment(worker.lastBeatAt(), now)
        }
    }
}

/** The schedules that have not fired in time. */
internal fun FlowContent.lateSchedules(visit: Visit, load: Load, now: Instant) {
    if (load.lateSchedules.isEmpty()) return
    section {
        h2 { +"Late schedules" }
        ul("lines") {
            load.lateSchedules.sortedBy { it.nextFireAt() }.take(MOST_LINES).forEach { schedule ->
                li {
                    a(href = visit.link("/schedules/${Visit.encoded(schedule.name())}")) { mono(schedule.name()) }
                    +" was due "
                    moment(schedule.nextFireAt(), now)
                }
            }
        }
        val more = load.lateSchedules.size - MOST_LINES
        if (more > 0) p("note") { a(href = visit.link("/schedules")) { +more.toLong().of("more schedule") } }
    }
}
