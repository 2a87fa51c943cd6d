package io.runledger.console.screen.overview

import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.page.ledgerText
import io.runledger.console.page.mono
import io.runledger.console.page.picture
import io.runledger.console.picture.BarSeries
import io.runledger.console.picture.Bars
import io.runledger.console.picture.PictureOptions
import io.runledger.console.picture.ThroughputChart
import io.runledger.console.picture.Tone
import io.runledger.console.screen.overview.Period.Companion.periods
import io.runledger.console.visit.Visit
import io.runledger.model.metrics.Throughput
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.ul

/** Says in sentences whether all is well. */
internal fun FlowContent.concernList(visit: Visit, concerns: List<Concern>) = section {
    h2("unseen") { +"Health" }
    if (concerns.isEmpty()) {
        p("good") { +"All is well." }
        return@section
    }
    ul("concerns") {
        concerns.forEach { concern ->
            li {
                ledgerText(concern.sentence)
                concern.path?.let { path ->
                    +" "
                    a(href = visit.link(path, *concern.parameters.toTypedArray())) { +concern.label }
                }
            }
        }
    }
}

/** The numbers of jobs by state and of workers. */
internal fun FlowContent.tiles(visit: Visit, load: Load) = div("tiles") {
    val plus = if (load.counts.isAtLeast) "+" else ""
    tile(visit.link("/jobs", "status" to "PENDING"), load.counts.waiting.grouped() + plus, "waiting")
    tile(visit.link("/jobs", "status" to "LEASED"), load.counts.running.grouped() + plus, "running")
    tile(
        visit.link("/dead-letters"),
        load.counts.deadLetters.grouped() + plus,
        "dead letters",
        isBad = load.counts.deadLetters > 0,
    )
    load.fleet?.metrics?.workers()?.let { workers ->
        val lost = if (workers.lost() > 0) ", ${workers.lost().grouped()} lost" else ""
        tile(visit.link("/workers"), workers.alive().grouped(), "workers$lost")
    }
}

private fun FlowContent.tile(address: String, figure: String, label: String, isBad: Boolean = false) =
    a(href = address, classes = if (isBad) "tile bad" else "tile") {
        span("figure") { +figure }
        +" "
        span("label") { +label }
    }

/** The attempts of the period as a chart. */
internal fun FlowContent.throughput(visit: Visit, load: Load) = section {
    h2 { +"Throughput" }
    periods(visit, load.period)
    val throughput = load.throughput
    when {
        throughput.points().isEmpty() -> p("empty") {
            +"More attempts end per second than can be counted while you wait. The metrics of the workers have the numbers."
        }

        throughput.points().all { it.succeeded() + it.failed() + it.deadLettered() == 0L } ->
            p("empty") { +"No attempt has ended in the last ${load.period.words}." }

        else -> picture(ThroughputChart(bars(throughput)).svg(CHART))
    }
    if (throughput.isCut && throughput.points().isNotEmpty()) {
        p("note") {
            +"Only the last ${load.countedTime.inWords()} are counted: more attempts ended than can be counted while you wait."
        }
    }
}

private fun bars(throughput: Throughput) = Bars(
    throughput.from(),
    throughput.bucket(),
    listOf(
        BarSeries("succeeded", Tone.SUCCEEDED, throughput.points().map { it.succeeded() }),
        BarSeries("failed, retried", Tone.FAILED, throughput.points().map { it.failed() }),
        BarSeries("dead letters", Tone.DEAD, throughput.points().map { it.deadLettered() }),
    ),
)

/** The types whose jobs wait longest. */
internal fun FlowContent.waiting(visit: Visit, fleet: Load.Fleet) = section {
    h2 { +"Longest waits" }
    val waits = fleet.metrics.types().filter { it.oldestDue() != null }.sortedByDescending { it.oldestDue() }
    if (waits.isEmpty()) {
        p("empty") { +"No job that can run is waiting." }
        return@section
    }
    ul("lines") {
        waits.take(MOST_LINES).forEach { type ->
            li {
                a(href = visit.link("/jobs", "status" to "PENDING", "type" to type.jobType())) { mono(type.jobType()) }
                +" waits for ${type.oldestDue()!!.inWords()}"
                span("note") { +" · ${type.due().grouped()}${if (type.isCapped) "+" else ""} due" }
            }
        }
    }
}

internal const val MOST_LINES = 8

private val CHART = PictureOptions.builder().width(1_000).build()
