package io.runledger.console.screen.deadletter

import io.runledger.console.action.causeActions
import io.runledger.console.content.grouped
import io.runledger.console.content.of
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.picture
import io.runledger.console.picture.Sparkline
import io.runledger.console.picture.Tone
import io.runledger.console.visit.Visit
import io.runledger.model.job.DeadLetterCause
import kotlinx.html.FlowContent
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.span
import java.time.Instant

/** Dead letters with the same cause: what failed, how often, since when, and what to do with all of them. */
internal fun FlowContent.cause(visit: Visit, cause: DeadLetterCause, now: Instant) = section("cause") {
    div("what") {
        h2 {
            mono(cause.jobType())
            +" "
            cause.errorCode()?.let { ledgerText(it, "code mono") }
        }
        p("message") { cause.message()?.let { ledgerText(it) } ?: span("none") { +"No message." } }
        p("note") {
            +"First "
            moment(cause.firstAt(), now)
            +", last "
            moment(cause.lastAt(), now)
            +", for example job "
            idLink(visit, "/jobs", cause.sampleJobId())
        }
        div("does") {
            a(href = visit.link("/jobs", *jobsOf(cause)), classes = "button") { +"Show ${cause.count().of("job")}" }
            causeActions(visit, cause)
        }
    }
    div("howmany") {
        span("figure") { +cause.count().grouped() }
        picture(Sparkline("dead letters per hour", cause.perHour(), Tone.DEAD).svg())
        span("note") { +"last 24 hours" }
    }
}

private fun jobsOf(cause: DeadLetterCause): Array<Pair<String, String?>> =
    arrayOf("status" to "DEAD_LETTERED", "type" to cause.jobType(), "code" to cause.errorCode())
