package io.runledger.exposed.schedule

import io.runledger.model.error.ErrorCode
import io.runledger.model.schedule.Schedule
import io.runledger.model.value.SettingRules
import java.time.Duration

/** Describes the times of schedules in English. */
internal object DescribeSchedule {
    fun schedule(schedule: Schedule): String {
        val (cron, interval) = schedule.cron() to schedule.interval()
        return when {
            cron != null -> cron(cron, schedule.timeZone())
            interval != null -> interval(interval)
            else -> "never"
        }
    }

    /** If an expression has a part that has no words, its fields are named one by one. */
    fun cron(expression: String, zone: String?): String {
        val cron = CronExpression.parse(expression)
        if (cron.isNever) return "never"
        val words = CronFields.of(cron)?.let(::CronWords)
        val text = words?.text() ?: byField(cron)
        return if (zone == null || words?.isOfZone == false) text else "$text ($zone)"
    }

    /** As a schedule is saved: rounded up to whole seconds. */
    fun interval(interval: Duration): String {
        SettingRules.refuse(ErrorCode.INVALID_INTERVAL, SettingRules.intervalProblem(interval))
        val saved = Duration.ofSeconds(SettingRules.seconds(interval).toLong())
        val parts = listOf(
            saved.toDays() to "day",
            saved.toHoursPart().toLong() to "hour",
            saved.toMinutesPart().toLong() to "minute",
            saved.toSecondsPart().toLong() to "second",
        ).filter { (count, _) -> count > 0 }
        val words = parts.map { (count, unit) -> if (count == 1L) "1 $unit" else "$count ${unit}s" }
        return when {
            parts.size > 1 -> "every ${words.dropLast(1).joinToString(", ")} and ${words.last()}"
            parts.single().first == 1L -> "every ${parts.single().second}"
            else -> "every ${words.single()}"
        }
    }

    private fun byField(cron: CronExpression): String {
        val named = cron.dialect.fields.zip(cron.parts) { field, part ->
            if (CronField.isAny(part)) "any $field" else "$field $part"
        }
        if (cron.dialect != CronDialect.CLASSIC) return named.joinToString(", ")
        val (minute, hour, day) = named
        val (month, weekDay) = named.drop(MONTH)
        val isEither = day.startsWith("any").not() && weekDay.startsWith("any").not()
        val days = if (isEither) "$day or $weekDay" else "$day, $weekDay"
        return "$minute, $hour, $month, $days"
    }
}

/** The place of the month in an expression of five fields. */
private const val MONTH = 3
