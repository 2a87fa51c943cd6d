package io.runledger.exposed.intake

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode

private const val TRIES = 10

/**
 * Runs [write], a transaction or a part of one, again when a [VanishedKey] ended it: as a whole, so that the keys are always
 * taken in their order and two calls cannot deadlock.
 */
internal fun <T> retryingVanishedKeys(write: () -> T): T {
    repeat(TRIES) {
        try {
            return write()
        } catch (_: VanishedKey) {
            // Nothing of it stayed.
        }
    }
    throw ErrorCode.DB_CONTENTION.exception(
        "A key was taken and freed again $TRIES times while it was asked for: try again.",
    )
}

/**
 * The holder of a key was in the way of an insert, and was gone when it was looked up: retention deleted it, for example. The row
 * was neither inserted nor found, and what became of it must not be inferred.
 */
internal class VanishedKey : RuntimeException("The holder of a key vanished.", null, false, false)
