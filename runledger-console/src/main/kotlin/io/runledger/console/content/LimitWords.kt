package io.runledger.console.content

import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import java.time.Duration

/** `8 at once, 100 in 1.0 s`. */
internal fun LimitValues.inWords(): String =
    listOfNotNull(permits()?.let(::atOnce), rate()?.inWords()).joinToString().ifEmpty { "not limited" }

private fun atOnce(permits: Int) = if (permits == 0) "paused" else "${permits.toLong().grouped()} at once"

/** `100 in 1.0 s, burst 10`. */
internal fun Rate.inWords(): String {
    val burst = burst().toLong()
    return "${count().toLong().grouped()} in ${period().inWords()}${if (burst > 0) ", burst ${burst.grouped()}" else ""}"
}

/** Which jobs share a limit. */
internal fun KeyedBy.whoSharesIt(): String = when (this) {
    KeyedBy.NONE -> "all jobs together"
    KeyedBy.ORGANIZATION -> "each organization"
    KeyedBy.KEY -> "each key"
}

/** What the values mean, in one or two sentences, for the jobs in [of], such as “of each key”. */
internal fun LimitValues.meaning(of: String): String = listOfNotNull(permitsMeaning(of), rateMeaning(of)).joinToString(" ")
    .ifEmpty { "Jobs are not limited: each begins as soon as a worker has a free slot." }

/** The words for [meaning] that say which jobs share the limit. */
internal fun KeyedBy.ofJobs(): String = when (this) {
    KeyedBy.NONE -> "with this limit"
    KeyedBy.ORGANIZATION -> "of each organization"
    KeyedBy.KEY -> "of each key"
}

private fun LimitValues.permitsMeaning(of: String): String? = permits()?.let { permits ->
    when (permits) {
        0 -> "No job $of begins until the permits are raised."
        1 -> "One job $of runs at a time, in the whole fleet."
        else -> "At most ${permits.toLong().grouped()} jobs $of run at once, in the whole fleet."
    }
}

private fun LimitValues.rateMeaning(of: String): String? = rate()?.let { rate ->
    val each = Duration.ofNanos(rate.period().toNanos() / rate.count())
    val burst = rate.burst().toLong()
    val more = if (burst == 0L) "" else " After a time with fewer jobs, up to ${burst.grouped()} more begin at once."
    "Jobs $of begin evenly, one in each ${each.inWords()}: ${rate.count().toLong().grouped()} in ${rate.period().inWords()}.$more"
}
