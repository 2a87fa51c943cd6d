package io.runledger.exposed.control

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import java.nio.ByteBuffer
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.Base64
import java.util.UUID

/** Where a page of dead letters ended. It stays good when that job is requeued or deleted: only the order matters. */
internal class DeadLetterCursor(val failedAt: Instant, val jobId: UUID) {
    fun text(): String = Base64.getUrlEncoder().withoutPadding().encodeToString(
        ByteBuffer.allocate(BYTES)
            .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, failedAt))
            .putLong(jobId.mostSignificantBits)
            .putLong(jobId.leastSignificantBits)
            .array(),
    )

    companion object {
        private const val BYTES = 24

        fun read(text: String): DeadLetterCursor {
            val bytes = runCatching { Base64.getUrlDecoder().decode(text) }.getOrNull()
            if (bytes?.size != BYTES) {
                throw ErrorCode.INVALID_PAGINATION.exception(
                    "The cursor was not made by this listing: pass the 'next' of the page before, or none for the first page.",
                )
            }
            val read = ByteBuffer.wrap(bytes)
            return DeadLetterCursor(Instant.EPOCH.plus(read.long, ChronoUnit.MICROS), UUID(read.long, read.long))
        }
    }
}
