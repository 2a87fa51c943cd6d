package io.runledger.console.screen.job

import io.runledger.console.content.inWords
import io.runledger.console.content.of
import io.runledger.console.page.ledgerText
import io.runledger.console.page.listing
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.picture
import io.runledger.console.page.state
import io.runledger.console.picture.JobTimeline
import io.runledger.console.visit.Visit
import io.runledger.model.history.JobEventType
import io.runledger.model.history.JobStory
import io.runledger.model.job.Attempt
import kotlinx.html.FlowContent
import kotlinx.html.TD
import kotlinx.html.a
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section
import java.time.Duration
import java.time.Instant

/** The attempts and waits of the job on an axis of time. */
internal fun FlowContent.timeline(view: JobView, now: Instant) = section {
    h2 { +"Timeline" }
    picture(JobTimeline.of(view.story, now).svg())
}

/** The ended attempts, the last one first. */
internal fun FlowContent.attempts(visit: Visit, view: JobView, now: Instant) = section {
    h2 { +"Attempts" }
    val all = view.story.attempts().reversed()
    val shown = if (isFull(visit)) all else all.take(MOST_SHOWN)
    listing("Ended attempts, the last one first", shown, "No attempt has ended.") {
        column("Attempt") { +(if (view.job.runNumber() > 1) "${it.runNumber()}.${it.attempt()}" else "${it.attempt()}") }
        column("Outcome") { state(it.outcome()) }
        number("Waited") { waited(view.story, it)?.let { wait -> +wait.inWords() } }
        number("Took") { +it.duration().inWords() }
        column("Error", "wide") { error(it) }
        column("Worker") { mono(it.workerId()) }
        column("Ended") { moment(it.finishedAt(), now) }
        column("Retry", "once") { retry(it) }
    }
    if (all.size > shown.size) {
        p("note") { a(href = visit.linkHere("full" to "yes")) { +"Show all ${all.size.toLong().of("attempt")}" } }
    }
}

private fun TD.error(attempt: Attempt) {
    attempt.errorCode()?.let { mono(it) }
    attempt.errorMessage()?.let { message -> div("note") { ledgerText(message.lineSequence().first().cut(LONGEST_MESSAGE)) } }
}

private fun TD.retry(attempt: Attempt) {
    attempt.retryDelay()?.let { +"after ${it.inWords()}" }
}

/** The time from the moment at which the job could be claimed to the claim, as far as the ledger tells it. */
internal fun waited(story: JobStory, attempt: Attempt): Duration? {
    val due = buildList {
        add(story.job().createdAt())
        story.attempts().forEach { earlier -> earlier.nextRunAt()?.let(::add) }
        story.events().filter { it.type() == JobEventType.REQUEUED }.forEach { add(it.occurredAt()) }
    }.filter { it <= attempt.leasedAt() }.maxOrNull()
    return due?.let { Duration.between(it, attempt.leasedAt()) }
}

/** Whether the viewer asked for all entries of the lists. */
internal fun isFull(visit: Visit): Boolean = visit.query["full"] != null

internal fun String.cut(length: Int): String = if (this.length > length) take(length) + "…" else this

private const val MOST_SHOWN = 50
private const val LONGEST_MESSAGE = 160
