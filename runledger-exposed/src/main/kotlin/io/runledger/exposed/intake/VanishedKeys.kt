package io.runledger.exposed.intake

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode

private const val TRIES = 10

/**
 * Runs [write], a transaction or a part of one, and retries it after a [VanishedKey]. It is retried as a whole, so that the
 * keys are always locked in order and two calls cannot deadlock.
 */
internal fun <T> retryingVanishedKeys(write: () -> T): T {
    repeat(TRIES) {
        try {
            return write()
        } catch (_: VanishedKey) {
            // The write was rolled back.
        }
    }
    throw ErrorCode.DB_CONTENTION.exception(
        "A unique key was taken and freed again $TRIES times during the call: try again.",
    )
}

/**
 * The row that held a key prevented an insert and was deleted before it was looked up, for example by retention. The new row
 * was neither inserted nor found, so its state is unknown. Or the waiting job that was to be replaced began to run meanwhile.
 */
internal class VanishedKey : RuntimeException("The row that held the key was deleted.", null, false, false)
