package io.runledger.console.screen.job

import io.runledger.console.page.ledgerText
import io.runledger.console.screen.fleet.retryWords
import io.runledger.model.retry.RetryTerms
import kotlinx.html.FlowContent
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.section

/** When the job is retried, and where that is set. */
internal fun FlowContent.retryTerms(view: JobView) = section {
    h2 { +"Retries" }
    val terms = view.terms
    if (terms == null) {
        p("problem") { +"The stored retry policy is not valid, so workers use the default." }
        return@section
    }
    p { +"${source(terms.source())} and allows ${attempts(terms.maxAttempts())}." }
    retryWords(terms.policy(), terms.maxAttempts()).forEach { sentence -> p { ledgerText(sentence) } }
}

private fun attempts(count: Int): String = if (count == 1) "1 attempt" else "$count attempts"

private fun source(source: RetryTerms.Source): String = when (source) {
    RetryTerms.Source.JOB -> "The job has its own retry policy"
    RetryTerms.Source.TYPE -> "The retry policy is that of the job type"
    RetryTerms.Source.STANDARD -> "The retry policy is the default"
}
