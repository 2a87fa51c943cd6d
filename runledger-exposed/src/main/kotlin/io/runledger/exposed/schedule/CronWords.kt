package io.runledger.exposed.schedule

import java.time.DayOfWeek
import java.time.Month
import java.time.format.TextStyle
import java.util.Locale
import java.util.SortedSet

/** A cron expression in English. The words follow from the sets of values, so the notation of the expression does not matter. */
internal class CronWords(private val fields: CronFields) {
    private val isEveryMonth = CronField.MONTH.isFull(fields.months)
    private val monthsOfYear = if (isEveryMonth) null else listed(fields.months, name = ::monthName)
    private val isEveryHour = CronField.HOUR.isFull(fields.hours)

    /** Whether the times depend on the zone. If an expression matches every hour of every day, they do not, in most zones. */
    val isOfZone: Boolean get() = !isEveryHour || days().isNotEmpty()

    fun text(): String = listOf(time(), days()).filter { it.isNotEmpty() }.joinToString(" ") + years()

    private fun time(): String = when {
        fields.seconds.size == 1 && !isEveryHour && fields.minutes.size * fields.hours.size <= FEW -> atTimes()
        fields.seconds.single0() -> onTheMinute()
        else -> withSeconds()
    }

    private fun onTheMinute(): String {
        val (minutes, hours) = fields.minutes to fields.hours
        val step = stepOf(minutes, CronField.MINUTE)
        val hourStep = if (minutes.single0()) stepOf(hours, CronField.HOUR) else null
        return when {
            step != null -> everyMinutes(step)

            hourStep != null -> every(hourStep, "hour")

            minutes.size == 1 && !isEveryHour && hours.isRun() ->
                "every hour from ${time(hours.first(), minutes.first())} to ${time(hours.last(), minutes.first())}"

            !isEveryHour && minutes.size * hours.size <= MANY -> atTimes()

            else -> "at ${numbers("minute", minutes)} of ${if (isEveryHour) "every hour" else numbers("hour", hours)}"
        }
    }

    private fun everyMinutes(step: Int): String {
        val (minutes, hours) = fields.minutes to fields.hours
        val rate = every(step, "minute")
        return when {
            isEveryHour -> rate
            hours.isRun() -> "$rate from ${time(hours.first(), 0)} to ${time(hours.last(), minutes.last())}"
            else -> "$rate in ${numbers("hour", hours)}"
        }
    }

    private fun withSeconds(): String {
        val step = stepOf(fields.seconds, CronField.SECOND)
        val isEveryMinute = CronField.MINUTE.isFull(fields.minutes)
        val minute = if (isEveryMinute) "every minute" else numbers("minute", fields.minutes)
        val hour = if (isEveryHour) "every hour" else numbers("hour", fields.hours)
        val lead = if (step != null) every(step, "second") else "at ${numbers("second", fields.seconds)}"
        return when {
            isEveryMinute && isEveryHour && step != null -> lead
            isEveryMinute && isEveryHour -> "$lead of every minute"
            else -> "$lead ${if (step != null) "in" else "of"} $minute of $hour"
        }
    }

    private fun atTimes(): String {
        val second = fields.seconds.first().takeIf { it > 0 }
        return "at " + joined(fields.hours.flatMap { hour -> fields.minutes.map { minute -> time(hour, minute, second) } })
    }

    private fun days(): String {
        val inMonths = monthsOfYear?.let { " in $it" }.orEmpty()
        val isEveryMonthDay = fields.daysOfMonth.isEvery()
        val isEveryWeekDay = fields.daysOfWeek.isEvery()
        val isEveryDay = if (fields.isEitherDay) isEveryMonthDay || isEveryWeekDay else isEveryMonthDay && isEveryWeekDay
        return when {
            isEveryDay && !isEveryHour && time().startsWith("at ") -> "every day$inMonths"
            isEveryDay -> inMonths.trim()
            isEveryWeekDay -> "on ${monthDays()}"
            isEveryMonthDay -> "on ${weekDays("and")}"
            fields.isEitherDay -> "on ${monthDays()} and also on ${weekDays("and")}"
            else -> "on ${monthDays()} when the day is ${weekDays("or")}"
        }
    }

    private fun monthDays(): String {
        val month = monthsOfYear ?: "the month"
        return when (val days = fields.daysOfMonth) {
            is MonthDays.Numbers -> if (days.days.size == 1 && fields.months.size == 1) {
                "${days.days.single()} $month"
            } else {
                "${numbers("day", days.days)} of $month"
            }

            is MonthDays.NearestWeekday -> "the weekday nearest to day ${days.day} of $month"

            MonthDays.Last -> "the last day of $month"

            MonthDays.LastWeekday -> "the last weekday of $month"
        }
    }

    private fun weekDays(last: String): String {
        val month = monthsOfYear ?: "the month"
        return when (val days = fields.daysOfWeek) {
            is WeekDays.Days -> listed(days.days, last, ::dayName) + monthsOfYear?.let { " in $it" }.orEmpty()
            is WeekDays.Last -> "the last ${dayName(days.day)} of $month"
            is WeekDays.Nth -> "the ${nths[days.nth - 1]} ${dayName(days.day)} of $month"
        }
    }

    private fun years() = if (CronField.YEAR.isFull(fields.years)) "" else ", in ${listed(fields.years) { "$it" }}"

    private fun MonthDays.isEvery() = this is MonthDays.Numbers && CronField.DAY_OF_MONTH.isFull(days)

    private fun WeekDays.isEvery() = this is WeekDays.Days && days.size == DayOfWeek.entries.size

    private companion object {
        /** So many times of day are always listed. */
        const val FEW = 4

        /** So many are listed if nothing shorter says the same. */
        const val MANY = 8
        const val RUN = 3
        val nths = listOf("first", "second", "third", "fourth", "fifth")

        fun SortedSet<Int>.single0() = size == 1 && first() == 0

        fun SortedSet<Int>.isRun() = last() - first() == size - 1

        /** The step if [values] are 0, step, two steps and so on, evenly to the end of the range. At least two values. */
        fun stepOf(values: SortedSet<Int>, field: CronField): Int? {
            val count = field.range.count()
            val step = count / values.size
            return step.takeIf { values.size > 1 && count % values.size == 0 && values.all { it % step == 0 } }
        }

        fun every(step: Int, unit: String) = if (step == 1) "every $unit" else "every $step ${unit}s"

        fun time(hour: Int, minute: Int, second: Int? = null) =
            listOfNotNull(hour, minute, second).joinToString(":") { "%02d".format(Locale.ROOT, it) }

        fun numbers(unit: String, values: SortedSet<Int>) =
            "$unit${if (values.size == 1) "" else "s"} ${listed(values) { "$it" }}"

        fun monthName(month: Int): String = Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH)

        fun dayName(day: Int): String = DayOfWeek.of(day).getDisplayName(TextStyle.FULL, Locale.ENGLISH)

        /** The values in order; three or more in a row as a range. */
        fun listed(values: SortedSet<Int>, last: String = "and", name: (Int) -> String): String {
            val runs = mutableListOf<MutableList<Int>>()
            values.forEach { if (runs.lastOrNull()?.last() == it - 1) runs.last() += it else runs += mutableListOf(it) }
            val parts = runs.flatMap { run ->
                if (run.size < RUN) run.map(name) else listOf("${name(run.first())} to ${name(run.last())}")
            }
            return joined(parts, last)
        }

        fun joined(parts: List<String>, last: String = "and"): String =
            if (parts.size == 1) parts.single() else parts.dropLast(1).joinToString(", ") + " $last " + parts.last()
    }
}
