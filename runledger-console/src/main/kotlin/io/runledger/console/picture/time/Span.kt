package io.runledger.console.picture.time

import io.runledger.console.picture.svg.Icon
import java.time.Instant

/**
 * A span of time on a row of a timeline. A wait is drawn thin, a run as a bar, an open gate as a bar with an outline.
 *
 * @property ending icon at the end of the span, if any
 */
internal class Span(
    val from: Instant,
    val to: Instant,
    val kind: Kind,
    val look: String,
    val title: String,
    val hasFailed: Boolean = false,
    val ending: Icon? = null,
) {
    enum class Kind { WAIT, RUN, OPEN }
}

/** An event at a moment. */
internal class Mark(val at: Instant, val icon: Icon, val look: String, val title: String)

/** What a row of a timeline shows. */
internal class Track(val spans: List<Span>, val marks: List<Mark>) {
    val start: Instant? = (spans.map { it.from } + marks.map { it.at }).minOrNull()
    val end: Instant? = (spans.map { it.to } + marks.map { it.at }).maxOrNull()
}
