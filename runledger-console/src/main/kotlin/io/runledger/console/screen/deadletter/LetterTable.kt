package io.runledger.console.screen.deadletter

import io.runledger.console.content.asReason
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.organization
import io.runledger.console.visit.Visit
import io.runledger.model.job.DeadLetter
import kotlinx.html.FlowContent
import kotlinx.html.div
import java.time.Instant

/** Dead letters one by one. */
internal fun FlowContent.letterTable(visit: Visit, letters: List<DeadLetter>, now: Instant) =
    listing("Dead letters, newest first", letters, "No job waits for an operator.") {
        column("Job") { idLink(visit, "/jobs", it.jobId()) }
        column("Type") { mono(it.jobType()) }
        column("Error", "wide") { letter ->
            letter.errorCode()?.let { mono(it) }
            letter.errorMessage()?.let { message -> div("note") { ledgerText(shortened(message)) } }
        }
        column("Reason", "once") { +it.reason().asReason() }
        organization(visit) { it.organizationId() }
        column("Gave up") { moment(it.failedAt(), now) }
    }

private fun shortened(message: String): String =
    message.lineSequence().first().let { if (it.length > LONGEST) it.take(LONGEST) + "…" else it }

private const val LONGEST = 200
