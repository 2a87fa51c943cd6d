package io.runledger.exposed.schedule

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldHaveAtMostSize
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Schedules
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import java.time.DayOfWeek
import java.time.Duration
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.ZoneId
import java.time.temporal.ChronoUnit
import java.time.temporal.TemporalAdjusters
import kotlin.random.Random

private data class Worded(val expression: String, val words: String)

class CronWordsSpec :
    FunSpec({
        context("an expression in words") {
            withData<Worded>(
                { it.expression },
                Worded("30 9 * * 1-5", "at 09:30 on Monday to Friday"),
                Worded("0 30 9 ? * MON-FRI", "at 09:30 on Monday to Friday"),
                Worded("*/15 * * * *", "every 15 minutes"),
                Worded("0,15,30,45 * * * *", "every 15 minutes"),
                Worded("0 0 0 L * ?", "at 00:00 on the last day of the month"),
                Worded("* * * * *", "every minute"),
                Worded("* * * * * *", "every second"),
                Worded("*/10 * * * * *", "every 10 seconds"),
                Worded("5,50 * * * * *", "at seconds 5 and 50 of every minute"),
                Worded("30 0 12 * * *", "at 12:00:30 every day"),
                Worded("*/10 0-4 9 * * *", "every 10 seconds in minutes 0 to 4 of hour 9"),
                Worded("15 * 9-17 * * *", "at second 15 of every minute of hours 9 to 17 every day"),
                Worded("@hourly", "every hour"),
                Worded("30 * * * *", "at minute 30 of every hour"),
                Worded("5,20,35,50 * * * *", "at minutes 5, 20, 35 and 50 of every hour"),
                Worded("*/7 * * * *", "at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour"),
                Worded("0 */2 * * *", "every 2 hours"),
                Worded("0 */6 * * *", "at 00:00, 06:00, 12:00 and 18:00 every day"),
                Worded("0 */5 * * *", "at 00:00, 05:00, 10:00, 15:00 and 20:00 every day"),
                Worded("*/15 9-17 * * 1-5", "every 15 minutes from 09:00 to 17:45 on Monday to Friday"),
                Worded("* 22 * * *", "every minute from 22:00 to 22:59"),
                Worded("0 0/15 8-9,20 * * *", "every 15 minutes in hours 8, 9 and 20"),
                Worded("30 8-20 * * *", "every hour from 08:30 to 20:30"),
                Worded("0,1 0-11 * * *", "at minutes 0 and 1 of hours 0 to 11 every day"),
                Worded("@daily", "at 00:00 every day"),
                Worded("@midnight", "at 00:00 every day"),
                Worded("@weekly", "at 00:00 on Sunday"),
                Worded("@monthly", "at 00:00 on day 1 of the month"),
                Worded("@yearly", "at 00:00 on 1 January"),
                Worded("0 0 0 24 12 ? 2030", "at 00:00 on 24 December, in 2030"),
                Worded("0 0 0 1 JAN,jul ?", "at 00:00 on day 1 of January and July"),
                Worded("0 0 12 * 6-8 ?", "at 12:00 every day in June to August"),
                Worded("0 * * * 6-8 ?", "every minute in June to August"),
                Worded("0 0 1,15 * *", "at 00:00 on days 1 and 15 of the month"),
                Worded("0 0 * * 0,6", "at 00:00 on Saturday and Sunday"),
                Worded("30 4 1,15 * 5", "at 04:30 on days 1 and 15 of the month and also on Friday"),
                Worded("0 0 1-31 * 5", "at 00:00 every day"),
                Worded("0 0 1 2 5", "at 00:00 on 1 February and also on Friday in February"),
                Worded("0 0 12 13 * FRI", "at 12:00 on day 13 of the month when the day is Friday"),
                Worded("0 0 0 1-7 * SAT,SUN", "at 00:00 on days 1 to 7 of the month when the day is Saturday or Sunday"),
                Worded("0 0 12 LW * ?", "at 12:00 on the last weekday of the month"),
                Worded("0 0 12 15W * ?", "at 12:00 on the weekday nearest to day 15 of the month"),
                Worded("0 0 12 ? * 6L", "at 12:00 on the last Friday of the month"),
                Worded("0 0 12 ? 3 6#3", "at 12:00 on the third Friday of March"),
                Worded("0 0 12 ? * ?", "never"),
                Worded("0 0 12 * * ? 2026-2028", "at 12:00 every day, in 2026 to 2028"),
                // No words for these: the fields are named.
                Worded("0 0 12 L-3 * ?", "second 0, minute 0, hour 12, day of month L-3, any month, any day of week"),
                Worded("0 0 1 * 1-5/2", "minute 0, hour 0, any month, day of month 1 or day of week 1-5/2"),
            ) { (expression, words) -> Schedules.describe(expression) shouldBe words }
        }

        test("the zone is named where it matters") {
            val berlin = ZoneId.of("Europe/Berlin")

            Schedules.describe("30 9 * * *", berlin) shouldBe "at 09:30 every day (Europe/Berlin)"
            Schedules.describe("* * * * 1", berlin) shouldBe "every minute on Monday (Europe/Berlin)"
            Schedules.describe("*/15 * * * *", berlin) shouldBe "every 15 minutes"
            Schedules.describe("0 0 12 L-3 * ?", berlin) shouldBe
                "second 0, minute 0, hour 12, day of month L-3, any month, any day of week (Europe/Berlin)"
        }

        test("an interval in words") {
            mapOf(
                Duration.ofSeconds(1) to "every second",
                Duration.ofMinutes(15) to "every 15 minutes",
                Duration.ofMinutes(90) to "every 1 hour and 30 minutes",
                Duration.ofHours(1) to "every hour",
                Duration.ofDays(7) to "every 7 days",
                Duration.ofSeconds(90_061) to "every 1 day, 1 hour, 1 minute and 1 second",
                Duration.ofMillis(1_500) to "every 2 seconds",
            ).forEach { (interval, words) -> Schedules.describe(interval) shouldBe words }
            shouldRefuse(ErrorCode.INVALID_INTERVAL) { Schedules.describe(Duration.ofMillis(999)) }
        }

        test("what is no expression is refused") {
            shouldRefuse(ErrorCode.INVALID_CRON) { Schedules.describe("every day") }
        }

        val random = Random(System.getProperty("runledger.seed")?.toLong() ?: 7)
        val expressions = List(3_000) { random.expression() }.distinct().filter { runCatching { CronTimes.parse(it) }.isSuccess }

        test("the fields that the words are made from match exactly the times at which an expression fires") {
            var understood = 0
            expressions.forEach { expression ->
                val cron = CronExpression.parse(expression)
                val fields = CronFields.of(cron) ?: return@forEach
                understood++
                repeat(3) {
                    val from = random.start()
                    withClue("$expression from $from") {
                        CronTimes.parse(expression).atOrAfter(from) shouldBe if (cron.isNever) null else fields.firstFrom(from)
                    }
                }
            }
            understood shouldBeGreaterThan expressions.size / 2
        }

        test("expressions with the same words fire at the same times") {
            val starts = List(4) { random.start() }
            val same = expressions.groupBy { Schedules.describe(it) }.values.filter { it.size > 1 }
            same.size shouldBeGreaterThan 20

            same.forEach { alike ->
                withClue(alike) {
                    alike.map { expression ->
                        starts.map { CronTimes.parse(expression).atOrAfter(it) }
                    }.distinct() shouldHaveAtMostSize
                        1
                }
            }
        }
    })

private fun Random.start(): LocalDateTime =
    LocalDateTime.of(2026, 1, 1, 0, 0).plusSeconds(nextLong(Duration.ofDays(1_500).toSeconds()))

private fun Random.expression(): String {
    val isClassic = nextBoolean()
    val time = listOf(field(0..59), field(0..23), monthDay(isClassic), field(1..12), weekDay(isClassic))
    return (if (isClassic) time else listOf(field(0..59)) + time).joinToString(" ")
}

private fun Random.field(range: IntRange): String {
    val (a, b) = List(2) { range.random(this) }.sorted()
    val step = nextInt(1, 40)
    return listOf(
        "*", "*", "*", "${range.first}", "$a", "$a,$b", "$a-$b",
        "$range".replace(
            "..",
            "-",
        ),
        "*/$step", "$a/$step", "$a-$b/$step",
    )
        .random(this)
}

private fun Random.monthDay(isClassic: Boolean): String {
    val special = if (isClassic) emptyList() else listOf("?", "L", "LW", "15W", "L-3")
    return (List(5) { "*" } + field(1..31) + field(1..31) + special).random(this)
}

private fun Random.weekDay(isClassic: Boolean): String {
    val range = if (isClassic) 0..7 else 1..7
    val special = if (isClassic) emptyList() else listOf("?", "6L", "FRI#2", "2#5", "L")
    val days =
        listOf(
            "${range.random(this)}",
            "${range.random(this)}-${range.random(this)}",
            "MON-FRI",
            "sat,sun",
            "2,4",
            "*/2",
            "1-5/2",
        )
    return (List(8) { "*" } + days + special).random(this)
}

/** The first time from [from] on that the fields match, found by trying one day after the other; null if there is none. */
private fun CronFields.firstFrom(from: LocalDateTime): LocalDateTime? {
    val start = from.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS)
    return generateSequence(start.toLocalDate()) { it.plusDays(1) }
        .takeWhile { it.year <= 2099 }
        .filter { it.monthValue in months && it.year in years && matches(it) }
        .firstNotNullOfOrNull { day ->
            val since = if (day == start.toLocalDate()) start.toLocalTime() else LocalTime.MIN
            hours.asSequence().flatMap { hour -> minutes.asSequence().map { hour to it } }
                .flatMap { (hour, minute) -> seconds.asSequence().map { LocalTime.of(hour, minute, it) } }
                .firstOrNull { it >= since }?.let(day::atTime)
        }
}

private fun CronFields.matches(day: LocalDate): Boolean {
    val byMonth = when (val days = daysOfMonth) {
        is MonthDays.Numbers -> day.dayOfMonth in days.days
        MonthDays.Last -> day.dayOfMonth == day.lengthOfMonth()
        MonthDays.LastWeekday -> day == day.nearestWeekday(day.lengthOfMonth())
        is MonthDays.NearestWeekday -> days.day <= day.lengthOfMonth() && day == day.nearestWeekday(days.day)
    }
    val byWeek = when (val days = daysOfWeek) {
        is WeekDays.Days -> day.dayOfWeek.value in days.days
        is WeekDays.Last -> day == day.with(TemporalAdjusters.lastInMonth(DayOfWeek.of(days.day)))
        is WeekDays.Nth -> day == day.with(TemporalAdjusters.dayOfWeekInMonth(days.nth, DayOfWeek.of(days.day)))
    }
    return if (isEitherDay) byMonth || byWeek else byMonth && byWeek
}

/** Monday to Friday; the nearest one in the same month. */
private fun LocalDate.nearestWeekday(dayOfMonth: Int): LocalDate {
    val day = withDayOfMonth(dayOfMonth)
    return when (day.dayOfWeek.shouldNotBeNull()) {
        DayOfWeek.SATURDAY -> if (dayOfMonth == 1) day.plusDays(2) else day.minusDays(1)
        DayOfWeek.SUNDAY -> if (dayOfMonth == lengthOfMonth()) day.minusDays(2) else day.plusDays(1)
        else -> day
    }
}
