package io.runledger.console.content

import io.runledger.model.job.DeadLetterReason

/** Why a job became a dead letter. */
internal fun DeadLetterReason.asReason(): String = when (this) {
    DeadLetterReason.FAILURE_KIND_NON_RETRYABLE -> "not retryable"
    DeadLetterReason.ATTEMPTS_EXHAUSTED -> "no attempts left"
    DeadLetterReason.LEASE_EXPIRED -> "lease expired"
}
