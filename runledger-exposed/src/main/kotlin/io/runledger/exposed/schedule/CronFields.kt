package io.runledger.exposed.schedule

import java.time.DayOfWeek
import java.time.Month
import java.util.Locale
import java.util.SortedSet

/** The fields of a cron expression as sets of values, whatever their notation. */
internal class CronFields private constructor(
    private val numbers: Map<CronField, SortedSet<Int>>,
    val daysOfMonth: MonthDays,
    val daysOfWeek: WeekDays,
    /** Whether a day has to match only one of the two day fields. */
    val isEitherDay: Boolean,
) {
    val seconds: SortedSet<Int> get() = numbers.getValue(CronField.SECOND)
    val minutes: SortedSet<Int> get() = numbers.getValue(CronField.MINUTE)
    val hours: SortedSet<Int> get() = numbers.getValue(CronField.HOUR)
    val months: SortedSet<Int> get() = numbers.getValue(CronField.MONTH)
    val years: SortedSet<Int> get() = numbers.getValue(CronField.YEAR)

    companion object {
        private const val FIELDS = 7
        private const val WEEK_DAY = 5

        /** Null if a field has a notation that this class does not know. */
        fun of(expression: CronExpression): CronFields? {
            val isClassic = expression.dialect == CronDialect.CLASSIC
            val parts = ((if (isClassic) listOf("0") else emptyList()) + expression.parts + "*").take(FIELDS)
            val (day, weekDay) = parts[CronField.DAY_OF_MONTH.place] to parts[WEEK_DAY]
            val fields = CronField.entries - CronField.DAY_OF_MONTH
            val numbers = fields.mapNotNull { field -> field.values(parts[field.place])?.let { field to it } }.toMap()
            val daysOfMonth = MonthDays.of(day)
            val daysOfWeek = WeekDays.of(weekDay, isClassic)
            val isKnown = numbers.size == fields.size && daysOfMonth != null && daysOfWeek != null
            return if (isKnown) CronFields(numbers, daysOfMonth, daysOfWeek, isClassic && day != "*" && weekDay != "*") else null
        }
    }
}

/** A field whose values are numbers or names, its place among seven fields, and the range of the numbers. */
internal enum class CronField(val place: Int, val range: IntRange, private val names: Map<String, Int> = emptyMap()) {
    SECOND(0, 0..59),
    MINUTE(1, 0..59),
    HOUR(2, 0..23),
    DAY_OF_MONTH(3, 1..31),
    MONTH(4, 1..12, Month.entries.associate { it.name.take(3) to it.value }),
    YEAR(6, 1970..2099),
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
