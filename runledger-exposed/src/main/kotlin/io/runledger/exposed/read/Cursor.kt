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
 * The end of a page: the sort key of its last row, as opaque text. Only the order matters, so a cursor stays valid after its row
 * is deleted.
 */
internal object Cursor {
    /** For a list ordered by id. */
    fun after(id: UUID): String = write(id.mostSignificantBits, id.leastSignificantBits)

    fun read(text: String): UUID = values(text, 2).uuid()

    fun write(vararg values: Long): String = Base64.getUrlEncoder().withoutPadding().encodeToString(
        ByteBuffer.allocate(values.size * Long.SIZE_BYTES).apply { values.forEach(::putLong) }.array(),
    )

    /** The written values. Throws unless there are [count] of them. */
    fun values(text: String, count: Int): LongBuffer {
        val bytes = try {
            Base64.getUrlDecoder().decode(text)
        } catch (_: IllegalArgumentException) {
            throw unknown()
        }
        if (bytes.size != count * Long.SIZE_BYTES) throw unknown()
        return ByteBuffer.wrap(bytes).asLongBuffer()
    }

    fun unknown() = ErrorCode.INVALID_PAGINATION.exception(
        "The cursor does not belong to this list: pass the 'next' of the previous page, or none for the first page.",
    )
}

internal fun LongBuffer.uuid() = UUID(get(), get())

/** The end of a page of a list that is ordered by a time, then by id. */
internal class TimedCursor(val at: Instant, val id: UUID) {
    fun text(): String =
        Cursor.write(ChronoUnit.MICROS.between(Instant.EPOCH, at), id.mostSignificantBits, id.leastSignificantBits)

    companion object {
        fun read(text: String): TimedCursor =
            Cursor.values(text, 3).let { TimedCursor(Instant.EPOCH.plus(it.get(), ChronoUnit.MICROS), it.uuid()) }
    }
}
