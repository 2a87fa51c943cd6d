package io.runledger.console.screen.fleet

import io.runledger.console.content.grouped
import io.runledger.console.content.inBytes
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.model.ledger.DatabaseReport
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.span
import java.time.Instant

/** The tables of the ledger, the largest first. */
internal fun FlowContent.tableSizes(report: DatabaseReport) {
    val now = Instant.now()
    h2 { +"Tables" }
    listing("Tables of the ledger, the largest first", report.tables(), "There are no tables.") {
        column("Table") { mono(it.name()) }
        number("Size") { +it.totalBytes().inBytes() }
        number("of that indexes") { +it.indexBytes().inBytes() }
        number("Live rows, about") { +it.liveRows().grouped() }
        number("Dead rows, about") { span(if (it.isBloated) "bad-count" else null) { +it.deadRows().grouped() } }
        column("Vacuum") { moment(it.vacuumedAt(), now) }
        column("Analyze") { moment(it.analyzedAt(), now) }
    }
}

private val DatabaseReport.Table.isBloated: Boolean get() = deadRows() > MANY && deadRows() > liveRows()

private const val MANY = 100_000
