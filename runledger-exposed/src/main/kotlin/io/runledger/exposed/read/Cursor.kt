package io.runledger.exposed.read

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import java.nio.ByteBuffer
import java.util.Base64
import java.util.UUID

/** Where a page of jobs ended: the id of its last job. Only the order of ids matters, so it outlives that job. */
internal object Cursor {
    private const val BYTES = 16

    fun after(id: UUID): String = Base64.getUrlEncoder().withoutPadding().encodeToString(
        ByteBuffer.allocate(BYTES).putLong(id.mostSignificantBits).putLong(id.leastSignificantBits).array(),
    )

    fun read(text: String): UUID {
        val bytes = try {
            Base64.getUrlDecoder().decode(text)
        } catch (_: IllegalArgumentException) {
            throw unknown()
        }
        if (bytes.size != BYTES) throw unknown()
        return ByteBuffer.wrap(bytes).let { UUID(it.long, it.long) }
    }

    private fun unknown() = ErrorCode.INVALID_PAGINATION.exception(
        "The cursor was not made by this library: pass the 'next' of the page before, or none for the first page.",
    )
}
