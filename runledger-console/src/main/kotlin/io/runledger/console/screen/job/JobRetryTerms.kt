package io.runledger.console.screen.job

import io.runledger.console.content.inWords
import io.runledger.console.page.mono
import io.runledger.model.retry.Backoff
import io.runledger.model.retry.Curve
import io.runledger.model.retry.Jitter
import io.runledger.model.retry.RetryRule
import io.runledger.model.retry.RetryTerms
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.section
import kotlinx.html.ul

/** When the job is retried, and where that is set. */
internal fun FlowContent.retryTerms(view: JobView) = section {
    h2 { +"Retries" }
    val terms = view.terms
    if (terms == null) {
        p("problem") { +"The stored retry policy is not valid, so workers use the default." }
        return@section
    }
    p { +"At most ${terms.maxAttempts()} attempts, ${backoff(terms.policy().backoff())}. ${source(terms.source())}" }
    if (terms.policy().rules().isNotEmpty()) {
        ul("lines") { terms.policy().rules().forEach { rule -> li { rule(rule) } } }
    }
    p("note") { +(if (terms.policy().retryPanics()) "Errors of the JVM are retried too." else "Errors of the JVM are not retried.") }
}

private fun FlowContent.rule(rule: RetryRule) = p {
    +(if (rule.subject() == RetryRule.Subject.CODE) "Code " else "Exception ")
    mono(rule.pattern())
    val own = rule.backoff()
    +when {
        own != null -> ": ${backoff(own)}"
        rule.action() == RetryRule.Action.RETRY -> ": retry"
        else -> ": give up"
    }
}

private fun source(source: RetryTerms.Source): String = when (source) {
    RetryTerms.Source.JOB -> "Set by the job."
    RetryTerms.Source.TYPE -> "Set by the job type."
    RetryTerms.Source.STANDARD -> "This is the default."
}

/** `10 s after the first failure, times 2 for each further one, at most 5 min`. */
internal fun backoff(backoff: Backoff): String {
    val curve = backoff.curve()
    val first = curve.initial().inWords()
    val growth = when (curve) {
        is Curve.Linear -> "$first after the first failure, ${curve.increment().inWords()} more for each further one"
        is Curve.Exponential -> "$first after the first failure, times ${number(curve.factor())} for each further one"
        else -> "$first after each failure"
    }
    val cap = if (curve is Curve.Fixed) "" else ", at most ${backoff.cap().inWords()}"
    val jitter = if (backoff.jitter() is Jitter.None) "" else ", with jitter"
    return growth + cap + jitter
}

private fun number(value: Double): String = if (value % 1.0 == 0.0) value.toLong().toString() else value.toString()
