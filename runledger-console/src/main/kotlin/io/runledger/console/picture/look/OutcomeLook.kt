package io.runledger.console.picture.look

import io.runledger.console.picture.svg.Icon
import io.runledger.model.failure.AttemptOutcome

/** How the outcome of an attempt looks: never by its color alone. */
internal class OutcomeLook private constructor(val look: String, val word: String, val icon: Icon) {
    val hasFailed: Boolean get() = look == FAILED

    companion object {
        private const val FAILED = "rl-failed"

        fun of(outcome: AttemptOutcome): OutcomeLook = when (outcome) {
            AttemptOutcome.RETRYABLE -> OutcomeLook(FAILED, "failed", Icon.CROSS)
            AttemptOutcome.TERMINAL -> OutcomeLook(FAILED, "failed permanently", Icon.SKULL)
            AttemptOutcome.PANICKED -> OutcomeLook(FAILED, "panicked", Icon.BOLT)
            AttemptOutcome.TIMEOUT -> OutcomeLook(FAILED, "timed out", Icon.HOURGLASS)
            AttemptOutcome.LEASE_EXPIRED -> OutcomeLook(FAILED, "lease expired", Icon.BROKEN)
            AttemptOutcome.SUCCEEDED -> OutcomeLook("rl-succeeded", "succeeded", Icon.CHECK)
            AttemptOutcome.CANCELED -> OutcomeLook("rl-canceled", "canceled", Icon.SLASH)
            AttemptOutcome.INTERRUPTED -> OutcomeLook("rl-skipped", "released", Icon.PAUSE)
        }
    }
}
