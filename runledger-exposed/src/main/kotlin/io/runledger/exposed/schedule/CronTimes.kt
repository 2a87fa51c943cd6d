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
        private val nicknames = mapOf(
            "@yearly" to "0 0 1 1 *",
            "@annually" to "0 0 1 1 *",
            "@monthly" to "0 0 1 * *",
            "@weekly" to "0 0 * * 0",
            "@daily" to "0 0 * * *",
            "@midnight" to "0 0 * * *",
            "@hourly" to "0 * * * *",
        )
        private val whiteSpace = Regex("\\s+")

        /** Reads [expression]. Throws `job_schedule.invalid_cron` with a description of the error. */
        fun parse(expression: String): CronTimes {
            if (Text.isBlank(expression) || Text.isPadded(expression)) throw invalid(expression, "it is blank or padded")
            val parts = (if (expression.startsWith("@")) expanded(expression) else expression).split(whiteSpace)
            val dialect = dialect(expression, parts.size)
            return try {
                CronTimes(dialect.parse(parts))
            } catch (failure: IllegalArgumentException) {
                throw invalid(expression, dialect.problem(parts, failure))
            }
        }

        private fun dialect(expression: String, fields: Int) = when (fields) {
            5 -> CronDialect.CLASSIC
            6, 7 -> CronDialect.SECONDS
            else -> throw invalid(expression, "it has $fields fields: use five, six (with seconds) or seven (with a year)")
        }

        private fun expanded(nickname: String) = nicknames[nickname.lowercase()]
            ?: throw invalid(nickname, "there is no such nickname: use one of ${nicknames.keys.joinToString()}")

        fun invalid(expression: String, problem: String): RunledgerException = ErrorCode.INVALID_CRON.exception(
            "The cron expression ${Text.quoted(expression)} cannot be used: $problem.",
        )
    }
}
