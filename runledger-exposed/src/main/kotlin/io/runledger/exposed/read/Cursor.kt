package io.runledger.exposed.read

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import java.nio.ByteBuffer
import java.nio.LongBuffer
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.Base64
import java.util.UUID

/**
 * Where a page ended: what its last row is ordered by, as an opaque text. Only the order matters, so a cursor outlives the row it
 * was made at.
 */
internal object Cursor {
    /** For a list ordered by id. */
    fun after(id: UUID): String = write(id.mostSignificantBits, id.leastSignificantBits)

    fun read(text: String): UUID = words(text, 2).uuid()

    fun write(vararg words: Long): String = Base64.getUrlEncoder().withoutPadding().encodeToString(
        ByteBuffer.allocate(words.size * Long.SIZE_BYTES).apply { words.forEach(::putLong) }.array(),
    )

    /** The words that were written; refused unless there are [count] of them. */
    fun words(text: String, count: Int): LongBuffer {
        val bytes = try {
            Base64.getUrlDecoder().decode(text)
        } catch (_: IllegalArgumentException) {
            throw unknown()
        }
        if (bytes.size != count * Long.SIZE_BYTES) throw unknown()
        return ByteBuffer.wrap(bytes).asLongBuffer()
    }

    fun unknown() = ErrorCode.INVALID_PAGINATION.exception(
        "The cursor was not made by this listing: pass the 'next' of the page before, or none for the first page.",
    )
}

internal fun LongBuffer.uuid() = UUID(get(), get())

/** Where a page of a list ended that is ordered by a time, then by id. */
internal class TimedCursor(val at: Instant, val id: UUID) {
    fun text(): String =
        Cursor.write(ChronoUnit.MICROS.between(Instant.EPOCH, at), id.mostSignificantBits, id.leastSignificantBits)

    companion object {
        fun read(text: String): TimedCursor =
            Cursor.words(text, 3).let { TimedCursor(Instant.EPOCH.plus(it.get(), ChronoUnit.MICROS), it.uuid()) }
    }
}
