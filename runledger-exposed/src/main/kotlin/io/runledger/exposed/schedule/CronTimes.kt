package io.runledger.exposed.schedule

import com.cronutils.model.Cron
import com.cronutils.model.field.CronFieldName
import com.cronutils.model.field.expression.Always
import com.cronutils.model.time.ExecutionTime
import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.text.Text
import java.time.LocalDateTime
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit

/** The local times of a cron expression, independent of any time zone and of clock changes. */
internal class CronTimes private constructor(cron: Cron) {
    private val times = ExecutionTime.forCron(cron)

    /** Whether the expression matches every hour rather than a particular time of day. */
    val isEveryHour: Boolean = cron.retrieve(CronFieldName.HOUR).expression is Always

    /** The first time that is not before [local], or null if there is none. */
    fun atOrAfter(local: LocalDateTime): LocalDateTime? {
        // Calculated in UTC, where every local time exists exactly once.
        val before = local.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS).minusSeconds(1)
        return times.nextExecution(before.atZone(ZoneOffset.UTC)).map { it.toLocalDateTime() }.orElse(null)
    }

    companion object {
        /** Reads [expression]. Throws `job_schedule.invalid_cron` with a description of the error. */
        fun parse(expression: String): CronTimes = CronTimes(CronExpression.parse(expression).cron)

        fun invalid(expression: String, problem: String): RunledgerException = ErrorCode.INVALID_CRON.exception(
            "The cron expression ${Text.quoted(expression)} cannot be used: $problem.",
        )
    }
}
