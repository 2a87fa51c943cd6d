package io.runledger.console.screen.schedule

import io.runledger.console.page.FIRES
import io.runledger.exposed.Schedules
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.schedule.ScheduleRequest
import java.time.Instant
import java.time.ZoneId
import java.time.ZoneOffset

/** The meaning of a cron expression, or what is wrong with it, by field. */
internal class CronPreview private constructor(
    val words: String,
    val zone: ZoneId,
    val fires: List<Instant>,
    val problems: Map<String, String>,
) {
    companion object {
        fun of(cron: String, zone: String?, now: Instant): CronPreview = try {
            val request = ScheduleRequest.builder(
                "preview",
                "preview",
                null,
            ).cron(cron.trim()).zone(zone?.trim() ?: "UTC").build()
            CronPreview(
                Schedules.describe(cron.trim(), request.zone()),
                request.zone(),
                Schedules.preview(request, now, FIRES),
                emptyMap(),
            )
        } catch (refused: RunledgerException) {
            val field = if (refused.code() == ErrorCode.INVALID_TIME_ZONE) "zone" else "cron"
            CronPreview("", ZoneOffset.UTC, emptyList(), mapOf(field to sentence(refused)))
        }

        /** The message without the code at its end. */
        private fun sentence(refused: RunledgerException) = refused.message.orEmpty().removeSuffix(" [${refused.code().wire()}]")
    }
}
