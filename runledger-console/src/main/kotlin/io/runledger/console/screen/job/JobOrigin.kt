package io.runledger.console.screen.job

import io.runledger.console.content.asReason
import io.runledger.console.content.of
import io.runledger.console.page.idLink
import io.runledger.console.page.ledgerText
import io.runledger.console.page.moment
import io.runledger.console.page.mono
import io.runledger.console.page.state
import io.runledger.console.visit.Visit
import io.runledger.model.history.JobLineage
import io.runledger.model.job.DeadLetter
import kotlinx.html.FlowContent
import kotlinx.html.UL
import kotlinx.html.a
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.ul

/** Where the job comes from, the jobs that repeat it, and the times it gave up. */
internal fun FlowContent.origin(visit: Visit, view: JobView) {
    val lineage = view.story.lineage()
    val letters = view.story.deadLetters()
    val isAlone =
        lineage.step() == null && lineage.fire() == null && lineage.replayedFrom() == null && lineage.replays().isEmpty()
    if (isAlone && letters.isEmpty()) return
    section {
        h2 { +"Related" }
        ul("lines") {
            lineage.step()?.let { step(visit, it) }
            lineage.fire()?.let {
                li {
                    +"Created by a schedule for "
                    moment(it.scheduledFor())
                }
            }
            lineage.replayedFrom()?.let {
                li {
                    +"Repeats job "
                    idLink(visit, "/jobs", it.sourceJobId())
                    +" because of “"
                    ledgerText(it.reason())
                    +"”"
                }
            }
            lineage.replays().takeLast(MOST_SHOWN).forEach {
                li {
                    +"Repeated by job "
                    idLink(visit, "/jobs", it.replayJobId())
                    +" because of “"
                    ledgerText(it.reason())
                    +"”"
                }
            }
            letters.takeLast(MOST_SHOWN).reversed().forEach { li { letter(it) } }
        }
        val more =
            lineage.replays().size + letters.size - minOf(lineage.replays().size, MOST_SHOWN) - minOf(letters.size, MOST_SHOWN)
        if (more > 0) p("note") { +"${more.toLong().of("older entry", "older entries")} not shown." }
    }
}

private fun UL.step(visit: Visit, step: JobLineage.Step) = li {
    +"Step "
    mono(step.stepKey())
    +" of "
    a(href = visit.link("/runs/${step.runId()}")) {
        mono(step.workflowType())
        +" run"
    }
    +" "
    state(step.runStatus())
}

private fun FlowContent.letter(letter: DeadLetter) {
    p {
        +"Gave up in run ${letter.runNumber()} "
        moment(letter.failedAt())
        +": ${letter.reason().asReason()}"
        letter.errorCode()?.let {
            +", "
            mono(it)
        }
    }
}

private const val MOST_SHOWN = 20
