package io.runledger.exposed.schedule

import io.runledger.exposed.context.Cursor
import io.runledger.model.schedule.FireCause
import io.runledger.model.text.Text
import java.time.Instant
import java.util.Base64

/** The end of a page of a schedule's history: the key of the last entry, by which the history is ordered. */
internal class FireCursor(val scheduledFor: Instant, val cause: FireCause, val dedupKey: String) {
    fun text(): String = Base64.getUrlEncoder().withoutPadding().encodeToString(
        "${Cursor.micros(scheduledFor)} ${cause.wire()} $dedupKey".toByteArray(),
    )

    companion object {
        fun read(text: String): FireCursor {
            val parts = decoded(text)?.split(' ', limit = PARTS)?.takeIf { it.size == PARTS } ?: throw Cursor.unknown()
            val (micros, cause, dedupKey) = parts
            return FireCursor(
                Cursor.instant(micros.toLongOrNull() ?: throw Cursor.unknown()),
                FireCause.entries.find { it.wire() == cause } ?: throw Cursor.unknown(),
                dedupKey.takeIf(Text::isStorable) ?: throw Cursor.unknown(),
            )
        }

        private const val PARTS = 3

        private fun decoded(text: String): String? = try {
            Base64.getUrlDecoder().decode(text).decodeToString(throwOnInvalidSequence = true)
        } catch (_: IllegalArgumentException) {
            null
        } catch (_: CharacterCodingException) {
            null
        }
    }
}
