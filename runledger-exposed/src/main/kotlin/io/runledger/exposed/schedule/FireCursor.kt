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
        fun read(text: String): FireCursor = decoded(text)?.split(' ', limit = PARTS)?.let(::of) ?: throw Cursor.unknown()

        private fun of(parts: List<String>): FireCursor? {
            val micros = parts.first().toLongOrNull()
            val cause = FireCause.entries.find { it.wire() == parts.getOrNull(1) }
            val dedupKey = parts.getOrNull(2)?.takeIf(Text::isStorable)
            return if (micros == null || cause == null ||
                dedupKey == null
            ) {
                null
            } else {
                FireCursor(Cursor.instant(micros), cause, dedupKey)
            }
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
