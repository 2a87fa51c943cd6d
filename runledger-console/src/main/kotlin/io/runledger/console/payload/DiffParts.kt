package io.runledger.console.payload

import io.runledger.console.content.shownText
import io.runledger.console.visit.Visit
import io.runledger.model.json.Json
import kotlinx.html.FlowContent
import kotlinx.html.PRE
import kotlinx.html.del
import kotlinx.html.ins
import kotlinx.html.p
import kotlinx.html.pre
import kotlinx.html.span

/** Shows how [new] differs from [old], line by line, with hidden values left out. */
internal fun FlowContent.jsonDiff(visit: Visit, old: Json, new: Json) {
    val lines = LineDiff.of(visit.ledgers.json.whole(old), visit.ledgers.json.whole(new))
    if (lines.all { it.kind == LineDiff.Kind.SAME }) {
        p("note") { +"Only hidden values change." }
        return
    }
    pre("diff") {
        attributes["tabindex"] = "0"
        lines.forEachIndexed { at, line ->
            when {
                isNear(lines, at) -> show(line)
                isNear(lines, at - 1) -> span("gap") { +"  …\n" }
            }
        }
    }
}

private fun PRE.show(line: LineDiff.Line) {
    val text = shownText(line.text.take(LENGTH))
    when (line.kind) {
        LineDiff.Kind.SAME -> span { +"  $text\n" }
        LineDiff.Kind.REMOVED -> del { +"- $text\n" }
        LineDiff.Kind.ADDED -> ins { +"+ $text\n" }
    }
}

/** Whether the line at [at] or one close to it has changed. */
private fun isNear(lines: List<LineDiff.Line>, at: Int): Boolean =
    at >= 0 && (maxOf(0, at - NEAR)..minOf(lines.lastIndex, at + NEAR)).any { lines[it].kind != LineDiff.Kind.SAME }

private const val NEAR = 4
private const val LENGTH = 2_000
