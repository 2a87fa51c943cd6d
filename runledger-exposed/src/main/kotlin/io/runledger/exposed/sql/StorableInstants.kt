package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode
import java.time.Instant

private val storable = Instant.parse("-4713-11-24T00:00:00Z")..<Instant.parse("+294277-01-01T00:00:00Z")

/** Whether a PostgreSQL timestamp can hold this instant. */
internal fun Instant.isStorable(): Boolean = this in storable

/** Refuses an instant that a PostgreSQL timestamp cannot hold. */
internal fun Instant.requireStorable(): Instant = if (isStorable()) {
    this
} else {
    throw ErrorCode.INVALID_ARGUMENT.exception(
        "PostgreSQL cannot store the instant $this. Use one from the year 4714 BC to the year 294276.",
    )
}
