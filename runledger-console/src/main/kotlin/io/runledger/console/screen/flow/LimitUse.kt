package io.runledger.console.screen.flow

import io.runledger.console.content.grouped
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.pager
import io.runledger.console.visit.Visit
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.LimitUsage
import io.runledger.model.flow.StoredLimit
import io.runledger.model.ledger.Scope
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import java.time.Instant

/**
 * The keys of a limit with their jobs. Keys and jobs are of all organizations, so they are shown only to users who see the whole
 * ledger.
 */
internal fun FlowContent.limitUse(visit: Visit, limit: StoredLimit) = section {
    h2 { +"Use" }
    if (visit.scope.kind() != Scope.Kind.EVERYTHING) {
        p("note") { +"Keys and jobs are shown to users who see the whole ledger. You see only a part of it." }
        return@section
    }
    val after = visit.query["after"]
    val usage = visit.snapshot("limit use ${limit.name()} $after") { visit.reads.limits.usage(limit.name(), KEYS, after) }
    val now = Instant.now()
    listing("Use by key", usage.items(), "No job has used the limit lately.") {
        if (limit.keyedBy() != KeyedBy.NONE) column("Key") { ledgerText(it.key()) }
        number("In use") { +inUse(it, limit) }
        number("Waiting") { +waiting(it.waiting(), it.moreWaiting()) }
        if (limit.inForce().rate() != null) column("Next begins") { use -> next(use, now) }
    }
    pager(visit, usage)
    holders(visit, limit, usage.items(), now)
}

private fun inUse(use: LimitUsage, limit: StoredLimit): String {
    val used = use.inUse().toLong().grouped()
    return limit.inForce().permits()?.let { "$used of ${it.toLong().grouped()}" } ?: used
}

private fun FlowContent.next(use: LimitUsage, now: Instant) {
    val at = use.nextBegin()
    if (at == null) +"now" else moment(at, now)
}

private fun FlowContent.holders(visit: Visit, limit: StoredLimit, uses: List<LimitUsage>, now: Instant) {
    val holders = uses.flatMap { use -> use.holders().map { use.key() to it } }
    val running = uses.sumOf { it.inUse().toLong() }
    if (holders.isEmpty()) return
    h2 { +"Running jobs" }
    val shown = holders.take(HOLDERS)
    listing("Running jobs by key", shown, "") {
        column("Job") { (_, job) -> idLink(visit, "/jobs", job.jobId()) }
        if (limit.keyedBy() != KeyedBy.NONE) column("Key") { (key, _) -> ledgerText(key) }
        column("Type") { (_, job) -> mono(job.jobType()) }
        column("Worker") { (_, job) -> mono(job.workerId()) }
        column("Since") { (_, job) -> moment(job.leasedAt(), now) }
        column("Lease until") { (_, job) -> moment(job.leaseExpiresAt(), now) }
    }
    if (running > shown.size) p("note") { +"${(running - shown.size).grouped()} more run." }
}

private const val KEYS = 50
private const val HOLDERS = 100
