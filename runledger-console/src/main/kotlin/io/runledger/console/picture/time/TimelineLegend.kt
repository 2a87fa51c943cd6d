package io.runledger.console.picture.time

import io.runledger.console.picture.look.Legend
import io.runledger.console.picture.look.Look
import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.look.Texture
import io.runledger.console.picture.svg.Icon

/** The entries of a timeline's legend for its bars and marks. */
internal object TimelineLegend {
    private const val SAMPLE_LEFT = 4.0
    private const val SAMPLE_WIDTH = 20.0
    private const val MIDDLE = 8.0

    fun items(tracks: List<Track>, hasPauses: Boolean): List<Legend.Item> {
        val spans = tracks.flatMap { it.spans }
        val endings = spans.mapNotNull { it.ending }.toSet()
        val kinds = spans.mapTo(HashSet()) { it.kind }
        return listOfNotNull(
            sample("waits", "rl-wait ${StateLook.ENQUEUED.look}", 4.0).takeIf { Span.Kind.WAIT in kinds },
            sample("runs", "${Look.BAR} ${StateLook.RUNNING.look}", 12.0).takeIf { Span.Kind.RUN in kinds },
            Legend.bar("fails", StateLook.FAILED.look, Texture.LINES).takeIf { spans.any { it.hasFailed } },
            sample("gate is open", "rl-wait ${StateLook.WAITING.look}", 12.0, "4 2").takeIf { Span.Kind.OPEN in kinds },
            Legend.icon(Icon.CROSS, StateLook.FAILED.look, "attempt failed").takeIf { endings.any { it != Icon.CHECK } },
            Legend.icon(Icon.RETRY, "rl-muted", "retry of the run").takeIf {
                tracks.any { track ->
                    track.marks.any {
                        it.icon ==
                            Icon.RETRY
                    }
                }
            },
            sample("run is paused", "rl-pause", 16.0).takeIf { hasPauses },
        )
    }

    private fun sample(words: String, look: String, height: Double, dashes: String? = null) = Legend.Item(words) {
        it.empty(
            "rect",
            "class" to look,
            "x" to SAMPLE_LEFT,
            "y" to MIDDLE - height / 2,
            "width" to SAMPLE_WIDTH,
            "height" to height,
            "rx" to 2.0,
            "stroke-dasharray" to dashes,
        )
    }
}
