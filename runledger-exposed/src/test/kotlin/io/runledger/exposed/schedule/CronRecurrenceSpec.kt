package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import java.time.Instant
import java.time.ZoneId

private data class Change(val what: String, val cron: String, val zone: String, val after: String, val fires: List<String>)

class CronRecurrenceSpec :
    FunSpec({
        context("on the days the clocks change") {
            withData<Change>(
                { "${it.zone}: ${it.what}" },
                Change(
                    "a time that is skipped fires once, at the shift",
                    "0 30 2 * * *",
                    "Europe/Berlin",
                    "2026-03-28T12:00:00Z",
                    listOf("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
                ),
                Change(
                    "many skipped times and the one at the shift are one fire",
                    "0 */20 2,3 * * *",
                    "Europe/Berlin",
                    "2026-03-28T12:00:00Z",
                    listOf("2026-03-29T01:00:00Z", "2026-03-29T01:20:00Z", "2026-03-29T01:40:00Z", "2026-03-30T00:00:00Z"),
                ),
                Change(
                    "a time that is shown twice fires the first time",
                    "0 30 2 * * *",
                    "Europe/Berlin",
                    "2026-10-24T12:00:00Z",
                    listOf("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
                ),
                Change(
                    "the second showing is no fire, even for who asks in between",
                    "0 30 2 * * *",
                    "Europe/Berlin",
                    "2026-10-25T01:10:00Z",
                    listOf("2026-10-26T01:30:00Z"),
                ),
                Change(
                    "an hourly schedule goes on hourly through both showings",
                    "0 0 * * * *",
                    "Europe/Berlin",
                    "2026-10-24T23:30:00Z",
                    listOf("2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"),
                ),
                Change(
                    "an hourly schedule goes on hourly over the gap",
                    "@hourly",
                    "Europe/Berlin",
                    "2026-03-28T23:30:00Z",
                    listOf("2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"),
                ),
                Change(
                    "a time that is skipped fires once, at the shift",
                    "30 2 * * *",
                    "America/New_York",
                    "2026-03-07T12:00:00Z",
                    listOf("2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"),
                ),
                Change(
                    "a time that is shown twice fires the first time",
                    "30 1 * * *",
                    "America/New_York",
                    "2026-10-31T12:00:00Z",
                    listOf("2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"),
                ),
                Change(
                    "half an hour that is skipped",
                    "15 2 * * *",
                    "Australia/Lord_Howe",
                    "2026-10-02T20:00:00Z",
                    listOf("2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"),
                ),
                Change(
                    "half an hour that is shown twice",
                    "45 1 * * *",
                    "Australia/Lord_Howe",
                    "2026-04-03T20:00:00Z",
                    listOf("2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"),
                ),
                Change(
                    "every quarter of an hour through a half hour shown twice",
                    "*/15 * * * *",
                    "Australia/Lord_Howe",
                    "2026-04-04T14:30:00Z",
                    listOf("2026-04-04T14:45:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:15:00Z", "2026-04-04T15:30:00Z"),
                ),
                Change(
                    "a zone that never changes",
                    "0 0 3 * * *",
                    "UTC",
                    "2026-03-29T02:59:59.999999Z",
                    listOf("2026-03-29T03:00:00Z", "2026-03-30T03:00:00Z"),
                ),
            ) { (_, cron, zone, after, fires) ->
                val recurrence = CronRecurrence(CronTimes.parse(cron), ZoneId.of(zone))

                generateSequence(recurrence.next(Instant.parse(after)), recurrence::next).take(fires.size).toList() shouldBe
                    fires.map(Instant::parse)
            }
        }

        test("the next instant is strictly after, to the fraction of a second") {
            val recurrence = CronRecurrence(CronTimes.parse("* * * * * *"), ZoneId.of("Europe/Berlin"))

            recurrence.next(Instant.parse("2026-01-01T00:00:00Z")) shouldBe Instant.parse("2026-01-01T00:00:01Z")
            recurrence.next(Instant.parse("2026-01-01T00:00:00.999999Z")) shouldBe Instant.parse("2026-01-01T00:00:01Z")
        }

        test("a whole year of a daily time has one fire a day in every zone that changes its clocks") {
            val zones =
                listOf("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca")
            zones.forEach { zone ->
                listOf("0 30 1 * * *", "0 15 2 * * *", "0 0 3 * * *").forEach { cron ->
                    val recurrence = CronRecurrence(CronTimes.parse(cron), ZoneId.of(zone))
                    val start = Instant.parse("2025-06-15T12:00:00Z")
                    val days = generateSequence(recurrence.next(start), recurrence::next).take(365)
                        .map { it.atZone(ZoneId.of(zone)).toLocalDate() }
                    days.zipWithNext().all { (one, next) -> next == one.plusDays(1) } shouldBe true
                }
            }
        }
    })
