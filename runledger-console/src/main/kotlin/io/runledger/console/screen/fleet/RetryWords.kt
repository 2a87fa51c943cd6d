package io.runledger.console.screen.fleet

import io.runledger.console.content.inWords
import io.runledger.model.retry.Backoff
import io.runledger.model.retry.Curve
import io.runledger.model.retry.Jitter
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryRule
import java.time.Duration
import java.util.Locale
import java.util.UUID

/** A retry policy as sentences, with the waits that it leads to. */
internal fun retryWords(policy: RetryPolicy, maxAttempts: Int): List<String> = buildList {
    if (maxAttempts == 1) add("A job has one attempt, so a failure is never retried.")
    policy.rules().forEach { add(it.words()) }
    val failure = if (policy.rules().isEmpty()) "After a failure" else "After any other failure"
    add("$failure, it waits ${policy.backoff().words()}.")
    add(if (policy.retryPanics()) "A panic is retried like any other failure." else "A panic is not retried.")
    if (maxAttempts > 1) add(waits(policy.backoff(), maxAttempts))
}

private fun RetryRule.words(): String {
    val failure = if (subject() == RetryRule.Subject.CODE) "a failure with code ${pattern()}" else "an exception of ${pattern()}"
    val own = backoff()
    return when {
        action() == RetryRule.Action.GIVE_UP -> "After $failure, the job becomes a dead letter at once."
        own == null -> "After $failure, it waits as after other failures."
        else -> "After $failure, it waits ${own.words()}."
    }
}

private fun Backoff.words(): String {
    val curve = curve()
    val first = curve.initial().inWords()
    val growth = when (curve) {
        is Curve.Fixed -> "$first before each retry"
        is Curve.Linear -> "$first before the first retry, then each time ${curve.increment().inWords()} longer"
        is Curve.Exponential -> "$first before the first retry, then each time ${factor(curve)} times as long"
    }
    val most = if (curve is Curve.Fixed || cap() >= LONGEST) "" else ", at most ${cap().inWords()}"
    return growth + most + jitter().words()
}

private fun factor(curve: Curve.Exponential) = String.format(Locale.ROOT, "%.3f", curve.factor()).trimEnd('0').trimEnd('.')

private fun Jitter.words(): String = when (this) {
    is Jitter.None -> ""
    is Jitter.Spread -> ", more or less by up to ${by().inWords()}"
    is Jitter.Ratio -> ", more or less by up to ${String.format(Locale.ROOT, "%.0f", by() * 100)} %"
}

private fun waits(backoff: Backoff, maxAttempts: Int): String {
    val plain = backoff.withJitter(Jitter.none())
    val retries = maxAttempts - 1
    val waits = (1..minOf(retries, SHOWN)).map { plain.delayAfter(it, UUID(0, 0)) }
    val all = waits.joinToString(", ") { it.inWords() } + if (retries > SHOWN) ", …" else ""
    if (retries > COUNTED) return "The first waits of the $maxAttempts attempts: $all."
    val sum = (1..retries).fold(Duration.ZERO) { sum, attempt -> sum + plain.delayAfter(attempt, UUID(0, 0)) }
    return "With $maxAttempts attempts it waits $all: ${sum.inWords()} in all."
}

private const val SHOWN = 8
private const val COUNTED = 1_000

/** A cap of this size limits nothing. */
private val LONGEST: Duration = Duration.ofDays(20)
