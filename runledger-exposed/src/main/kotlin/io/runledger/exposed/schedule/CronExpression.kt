package io.runledger.exposed.schedule

import com.cronutils.model.Cron
import io.runledger.model.text.Text

/** A valid cron expression: its dialect, and its fields as they were written. A nickname has the fields that it stands for. */
internal class CronExpression private constructor(val dialect: CronDialect, val parts: List<String>, val cron: Cron) {
    /** An expression that leaves both day fields open with `?` matches no day. */
    val isNever: Boolean get() = parts.count { it == "?" } > 1

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
        fun parse(expression: String): CronExpression {
            if (Text.isBlank(expression) || Text.isPadded(expression)) {
                throw CronTimes.invalid(expression, "it is blank or padded")
            }
            val parts = (if (expression.startsWith("@")) expanded(expression) else expression).split(whiteSpace)
            val dialect = dialect(expression, parts.size)
            return try {
                CronExpression(dialect, parts, dialect.parse(parts))
            } catch (failure: IllegalArgumentException) {
                throw CronTimes.invalid(expression, dialect.problem(parts, failure))
            }
        }

        private fun dialect(expression: String, fields: Int) = when (fields) {
            5 -> CronDialect.CLASSIC

            6, 7 -> CronDialect.SECONDS

            else -> throw CronTimes.invalid(
                expression,
                "it has $fields fields: use five, six (with seconds) or seven (with a year)",
            )
        }

        private fun expanded(nickname: String) = nicknames[nickname.lowercase()]
            ?: throw CronTimes.invalid(nickname, "there is no such nickname: use one of ${nicknames.keys.joinToString()}")
    }
}
