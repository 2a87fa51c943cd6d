package io.runledger.console.screen.fleet

import io.runledger.console.content.inWords
import io.runledger.console.content.of
import io.runledger.console.page.facts
import io.runledger.console.page.moment
import io.runledger.console.page.picture
import io.runledger.console.picture.DurationCounts
import io.runledger.console.picture.Histogram
import io.runledger.console.visit.Visit
import io.runledger.model.metrics.DurationHistogram
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import java.time.Duration

/** How long the last attempts of a type took. */
internal fun FlowContent.typeDurations(visit: Visit, type: String) = section {
    h2 { +"Durations" }
    val durations = visit.snapshot("durations $type") { visit.reads.metrics.durations(visit.scope, type, JOBS) }
    if (durations.attempts() == 0L) {
        p("empty") { +"No attempt has ended yet." }
        return@section
    }
    p("note") {
        +"${durations.attempts().of("attempt")} of the jobs that ended last, since "
        moment(durations.since())
    }
    picture(Histogram(durations.counts()).svg())
    facts {
        fact("Median", durations.p50()?.inWords())
        fact("95th percentile", durations.p95()?.inWords())
        fact("99th percentile", durations.p99()?.inWords())
        fact("Longest", durations.max()?.inWords())
    }
}

/** The buckets from the first to the last that counts an attempt. */
private fun DurationHistogram.counts(): DurationCounts {
    val first = buckets().indexOfFirst { it.count() > 0 }
    val shown = buckets().subList(first, buckets().indexOfLast { it.count() > 0 } + 1)
    val start = if (first == 0) Duration.ZERO else buckets()[first - 1].upTo()
    val percentiles = listOf("p50" to p50(), "p95" to p95(), "p99" to p99()).mapNotNull { (name, at) -> at?.let { name to it } }
    return DurationCounts(listOf(start) + shown.map { it.upTo() }, shown.map { it.count() }, percentiles.toMap())
}

private const val JOBS = 1_000
