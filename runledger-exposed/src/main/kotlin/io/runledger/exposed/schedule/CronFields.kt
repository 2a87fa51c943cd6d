package io.runledger.exposed.schedule

import java.time.DayOfWeek
import java.time.Month
import java.util.Locale
import java.util.SortedSet

/** The fields of a cron expression as sets of values, whatever their notation. */
internal class CronFields private constructor(
    val seconds: SortedSet<Int>,
    val minutes: SortedSet<Int>,
    val hours: SortedSet<Int>,
    val daysOfMonth: MonthDays,
    val months: SortedSet<Int>,
    val daysOfWeek: WeekDays,
    val years: SortedSet<Int>,
    /** Whether a day has to match only one of the two day fields. */
    val isEitherDay: Boolean,
) {
    companion object {
        /** Null if a field has a notation that this class does not know. */
        fun of(expression: CronExpression): CronFields? {
            val isClassic = expression.dialect == CronDialect.CLASSIC
            val parts = if (isClassic) listOf("0") + expression.parts + "*" else (expression.parts + "*").take(SECONDS_FIELDS)
            val numbers = NUMBERS.mapNotNull { (field, at) -> field.values(parts[at]) }
            val days = MonthDays.of(parts[DAY])
            val weekDays = WeekDays.of(parts[WEEK_DAY], isClassic)
            if (numbers.size < NUMBERS.size || days == null || weekDays == null) return null
            val isEitherDay = isClassic && parts[DAY] != "*" && parts[WEEK_DAY] != "*"
            return CronFields(numbers[0], numbers[1], numbers[2], days, numbers[3], weekDays, numbers[4], isEitherDay)
        }

        private const val SECONDS_FIELDS = 7
        private const val DAY = 3
        private const val WEEK_DAY = 5

        /** The fields of numbers, and their places in an expression with seconds. */
        private val NUMBERS = listOf(
            CronField.SECOND to 0,
            CronField.MINUTE to 1,
            CronField.HOUR to 2,
            CronField.MONTH to 4,
            CronField.YEAR to 6,
        )
    }
}

/** A field whose values are numbers or names, and the range of these numbers. */
internal enum class CronField(val range: IntRange, private val names: Map<String, Int> = emptyMap()) {
    SECOND(0..59),
    MINUTE(0..59),
    HOUR(0..23),
    DAY_OF_MONTH(1..31),
    MONTH(1..12, Month.entries.associate { it.name.take(3) to it.value }),
    YEAR(1970..2099),
    ;

    /** The values that [text] matches; null if its notation is not known. */
    fun values(text: String): SortedSet<Int>? {
        val parts = text.split(',').map { part(it) ?: return null }
        return parts.flatten().toSortedSet()
    }

    fun isFull(values: Set<Int>) = values.size == range.count()

    private fun part(text: String): Iterable<Int>? {
        val (span, step) = stepped(text) ?: return null
        val bounds = span.split('-').map { if (isAny(it)) null else number(it) ?: return null }
        return when {
            bounds == listOf(null) -> range step (step ?: 1)
            null in bounds || bounds.size > 2 -> null
            bounds.size == 2 -> bounds[0]!!..bounds[1]!! step (step ?: 1)
            step == null -> bounds.filterNotNull()
            else -> bounds[0]!!..range.last step step
        }
    }

    private fun number(text: String): Int? = (names[text.uppercase(Locale.ROOT)] ?: text.toIntOrNull())?.takeIf { it in range }

    companion object {
        fun isAny(text: String) = text == "*" || text == "?"

        /** The part before the slash, and the step after it. Null if the step is not a positive number. */
        fun stepped(text: String): Pair<String, Int?>? {
            val parts = text.split('/')
            if (parts.size == 1) return text to null
            val step = parts[1].toIntOrNull()?.takeIf { it > 0 && parts.size == 2 } ?: return null
            return parts[0] to step
        }
    }
}

/** The days of a month that an expression matches: numbers, or one day that depends on the month. */
internal sealed interface MonthDays {
    data class Numbers(val days: SortedSet<Int>) : MonthDays

    data object Last : MonthDays

    data object LastWeekday : MonthDays

    data class NearestWeekday(val day: Int) : MonthDays

    companion object {
        fun of(text: String): MonthDays? {
            val upper = text.uppercase(Locale.ROOT)
            val nearest = upper.takeIf { it.endsWith("W") }?.dropLast(1)?.toIntOrNull()
            return when {
                upper == "L" -> Last
                upper == "LW" -> LastWeekday
                nearest != null -> NearestWeekday(nearest).takeIf { nearest in CronField.DAY_OF_MONTH.range }
                else -> CronField.DAY_OF_MONTH.values(text)?.let(::Numbers)
            }
        }
    }
}

/** The days of a week that an expression matches: several in every week, or one in a month. Monday is 1. */
internal sealed interface WeekDays {
    data class Days(val days: SortedSet<Int>) : WeekDays

    data class Last(val day: Int) : WeekDays

    data class Nth(val day: Int, val nth: Int) : WeekDays

    companion object {
        private const val DAYS = 7
        private val NTHS = 1..5
        private val names = DayOfWeek.entries.associate { it.name.take(3) to it.value }

        fun of(text: String, isClassic: Boolean): WeekDays? {
            val upper = text.uppercase(Locale.ROOT)
            val nth = upper.split('#')
            return when {
                nth.size == 2 -> nth(day(nth[0], isClassic), nth[1].toIntOrNull())

                upper.endsWith("L") && upper.length > 1 -> day(upper.dropLast(1), isClassic)?.let(::Last)

                else -> {
                    val parts = upper.split(',').map { part(it, isClassic) ?: return null }
                    Days(parts.flatten().toSortedSet())
                }
            }
        }

        private fun nth(day: Int?, nth: Int?): Nth? = if (day == null || nth == null || nth !in NTHS) null else Nth(day, nth)

        private fun part(text: String, isClassic: Boolean): Iterable<Int>? {
            if (CronField.isAny(text)) return 1..DAYS
            val days = text.split('-').map { day(it, isClassic) ?: return null }
            val isWholeWeek = isClassic && text == "0-7"
            return when {
                isWholeWeek -> 1..DAYS
                days.size == 1 -> days
                days.size == 2 -> generateSequence(days[0]) { it % DAYS + 1 }.take((days[1] - days[0] + DAYS) % DAYS + 1).toList()
                else -> null
            }
        }

        /** With five fields, Sunday is 0 or 7 and Monday 1. With seconds, Sunday is 1 and Monday 2. */
        private fun day(text: String, isClassic: Boolean): Int? = names[text] ?: text.toIntOrNull()?.let {
            when {
                isClassic && it in 0..DAYS -> if (it == 0) DAYS else it
                !isClassic && it in 1..DAYS -> if (it == 1) DAYS else it - 1
                else -> null
            }
        }
    }
}
