package io.runledger.exposed.context

import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.isStorable
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Page
import io.runledger.model.text.Text
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

    /** For a list ordered by a text. */
    fun afterText(text: String): String = Base64.getUrlEncoder().withoutPadding().encodeToString(text.toByteArray())

    fun text(cursor: String): String {
        val text = try {
            String(Base64.getUrlDecoder().decode(cursor))
        } catch (_: IllegalArgumentException) {
            throw unknown()
        }
        return text.takeIf { it.isNotEmpty() && Text.isStorable(it) } ?: throw unknown()
    }

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

    /** For a list ordered by a number: the number itself, as in the `cursor()` of an event or a log line. */
    fun number(text: String): Long = text.toLongOrNull()?.takeIf { it >= 0 } ?: throw unknown()

    /** A time as a number. The JDK's difference to the epoch is not used: it overflows after the year 2262. */
    fun micros(at: Instant): Long = at.epochSecond * MICROS_PER_SECOND + at.nano / NANOS_PER_MICRO

    /** The written time. Throws unless the database can store it. */
    fun instant(micros: Long): Instant =
        Instant.EPOCH.plus(micros, ChronoUnit.MICROS).takeIf(Instant::isStorable) ?: throw unknown()

    fun unknown() = ErrorCode.INVALID_PAGINATION.exception(
        "The cursor does not belong to this list: pass the 'next' of the previous page, or none for the first page.",
    )

    private const val MICROS_PER_SECOND = 1_000_000
    private const val NANOS_PER_MICRO = 1_000
}

internal fun LongBuffer.uuid() = UUID(get(), get())

/** The end of a page of a list that is ordered by a time, then by id. */
internal class TimedCursor(val at: Instant, val id: UUID) {
    fun text(): String = Cursor.write(Cursor.micros(at), id.mostSignificantBits, id.leastSignificantBits)

    companion object {
        fun read(text: String): TimedCursor = Cursor.values(text, 3).let { TimedCursor(Cursor.instant(it.get()), it.uuid()) }
    }
}

/** The first [limit] items, and a cursor if there are more. Read one row more than the limit. */
internal fun <T : Any> List<T>.page(limit: Int, cursor: (T) -> String): Page<T> =
    take(limit).let { items -> Page(items, if (size > limit) cursor(items.last()) else null) }
