package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.Arb
import io.kotest.property.arbitrary.element
import io.kotest.property.arbitrary.localDateTime
import io.kotest.property.checkAll
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import java.time.DayOfWeek
import java.time.LocalDateTime

private data class Named(val expression: String, val times: List<String>)

private data class Refused(val expression: String, val words: String)

private fun named(expression: String, vararg times: String) = Named(expression, times.toList())

private fun timesOf(expression: String, from: LocalDateTime, count: Int): List<LocalDateTime> {
    val times = CronTimes.parse(expression)
    return generateSequence(times.atOrAfter(from)) { times.atOrAfter(it.plusSeconds(1)) }.take(count).toList()
}

class CronTimesSpec :
    FunSpec({
        val sunday = LocalDateTime.of(2026, 2, 1, 0, 0, 1)

        context("an expression names these times, from Sunday, 1 February 2026 on") {
            withData<Named>(
                { it.expression },
                named("0 0 * * * *", "2026-02-01T01:00", "2026-02-01T02:00"),
                named("0 * * * * * *", "2026-02-01T00:01", "2026-02-01T00:02"),
                named("*/1 * * * * * *", "2026-02-01T00:00:01", "2026-02-01T00:00:02"),
                named("0 0/15 8-9,20 * * *", "2026-02-01T08:00", "2026-02-01T08:15", "2026-02-01T08:30", "2026-02-01T08:45"),
                // Days of the week with seconds: Sunday is 1.
                named("0 0 12 ? * 1", "2026-02-01T12:00", "2026-02-08T12:00"),
                named("0 0 12 ? * 7", "2026-02-07T12:00", "2026-02-14T12:00"),
                named("0 0 12 ? * MON-FRI", "2026-02-02T12:00", "2026-02-03T12:00"),
                named("0 0 12 ? * sat-mon", "2026-02-01T12:00", "2026-02-02T12:00", "2026-02-07T12:00"),
                // Both day fields must match: Friday the 13th.
                named("0 0 12 13 * FRI", "2026-02-13T12:00", "2026-03-13T12:00", "2026-11-13T12:00"),
                named("0 0 0 1-7 * MON", "2026-02-02T00:00", "2026-03-02T00:00", "2026-04-06T00:00"),
                named("0 0 0 1 JAN,jul ?", "2026-07-01T00:00", "2027-01-01T00:00"),
                named("0 0 12 29 2 ?", "2028-02-29T12:00", "2032-02-29T12:00"),
                named("0 0 0 1 1 ? 2030", "2030-01-01T00:00"),
                named("0 0 12 L * ?", "2026-02-28T12:00", "2026-03-31T12:00"),
                named("0 0 12 LW * ?", "2026-02-27T12:00", "2026-03-31T12:00"),
                named("0 0 12 15W * ?", "2026-02-16T12:00", "2026-03-16T12:00"),
                named("0 0 12 ? * 6L", "2026-02-27T12:00", "2026-03-27T12:00"),
                named("0 0 12 ? * 6#3", "2026-02-20T12:00", "2026-03-20T12:00"),
                // Five fields: Sunday is 0 and 7, and one of two day fields is enough.
                named("0 0 * * 0", "2026-02-08T00:00", "2026-02-15T00:00"),
                named("0 0 * * 7", "2026-02-08T00:00", "2026-02-15T00:00"),
                named("0 0 * * 5-7", "2026-02-06T00:00", "2026-02-07T00:00", "2026-02-08T00:00"),
                named("30 4 1,15 * 5", "2026-02-01T04:30", "2026-02-06T04:30", "2026-02-13T04:30", "2026-02-15T04:30"),
                named("*/20 9 * * 1-5", "2026-02-02T09:00", "2026-02-02T09:20", "2026-02-02T09:40", "2026-02-03T09:00"),
                named("@hourly", "2026-02-01T01:00", "2026-02-01T02:00"),
                named("@daily", "2026-02-02T00:00", "2026-02-03T00:00"),
                named("@midnight", "2026-02-02T00:00"),
                named("@weekly", "2026-02-08T00:00", "2026-02-15T00:00"),
                named("@monthly", "2026-03-01T00:00", "2026-04-01T00:00"),
                named("@yearly", "2027-01-01T00:00", "2028-01-01T00:00"),
                named("@Annually", "2027-01-01T00:00"),
            ) { (expression, times) -> timesOf(expression, sunday, times.size) shouldBe times.map(LocalDateTime::parse) }
        }

        context("what cannot be read is refused with what is wrong") {
            withData<Refused>(
                { "'${it.expression}'" },
                Refused("", "blank"),
                Refused(" 0 0 * * *", "padded"),
                Refused("0 0 * *", "4 fields"),
                Refused("0 0 0 1 1 ? 2030 5", "8 fields"),
                Refused("60 * * * *", "the minute"),
                Refused("0 60 * * * *", "the minute"),
                Refused("0 0 24 * * *", "the hour"),
                Refused("0 0 0 0 * *", "the day of month"),
                Refused("0 0 0 * 13 *", "the month"),
                Refused("0 0 0 * * 0", "the day of week"),
                Refused("0 0 * * 8", "the day of week"),
                Refused("0 0 0 1 1 ? 1066", "the year"),
                Refused("x 0 * * * *", "the second"),
                Refused("0 */0 * * * *", "the minute"),
                Refused("0 -5 * * * *", "the minute"),
                Refused("0 0 22-2 * * *", "the hour"),
                Refused("0 0 ? * *", "the day of month"),
                Refused("0 0 L * *", "the day of month"),
                Refused("@reboot", "nickname"),
                Refused("every day", "2 fields"),
            ) { (expression, words) ->
                shouldRefuse(ErrorCode.INVALID_CRON) { CronTimes.parse(expression) }.message!! shouldContain words
            }
        }

        test("an expression at its end names nothing") {
            CronTimes.parse("0 0 0 1 1 ? 2030").atOrAfter(LocalDateTime.of(2030, 1, 1, 0, 0, 1)) shouldBe null
            CronTimes.parse("0 0 0 30 2 ?").atOrAfter(sunday) shouldBe null
        }

        test("the next time is the one that trying every minute finds") {
            val minutes = Arb.element("*" to (0..59).toSet(), "*/7" to (0..59 step 7).toSet(), "5,50" to setOf(5, 50))
            val hours = Arb.element("*" to (0..23).toSet(), "8-17/3" to (8..17 step 3).toSet(), "0" to setOf(0))
            val days = Arb.element("*" to (1..31).toSet(), "31" to setOf(31), "1-10" to (1..10).toSet())
            val weekdays = Arb.element("*" to (0..6).toSet(), "1-5" to (1..5).toSet(), "0,6" to setOf(0, 6))
            val from = Arb.localDateTime(LocalDateTime.of(2024, 1, 1, 0, 0), LocalDateTime.of(2028, 12, 31, 0, 0))
            checkAll(150, minutes, hours, days, weekdays, from) { minute, hour, day, weekday, start ->
                val expression = "${minute.first} ${hour.first} ${day.first} * ${weekday.first}"
                val isEither = day.first != "*" && weekday.first != "*"
                fun isDay(time: LocalDateTime): Boolean {
                    val byDay = time.dayOfMonth in day.second
                    val byWeekday = time.dayOfWeek.value % DayOfWeek.SUNDAY.value in weekday.second
                    return if (isEither) byDay || byWeekday else byDay && byWeekday
                }
                var found = start.withSecond(0).withNano(0).let { if (it < start) it.plusMinutes(1) else it }
                while (!(isDay(found) && found.hour in hour.second && found.minute in minute.second)) found = found.plusMinutes(1)

                CronTimes.parse(expression).atOrAfter(start) shouldBe found
            }
        }
    })
