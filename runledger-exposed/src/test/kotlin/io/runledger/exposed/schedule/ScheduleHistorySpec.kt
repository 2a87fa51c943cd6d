package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.context.Cursor
import io.runledger.exposed.define
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.freshLedger
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

class ScheduleHistorySpec :
    FunSpec({
        val ledger = freshLedger().define("report", "other")
        val schedules = ledger.client.schedules
        val due = ledger.client.dueSchedules
        val global = Scope.global()
        val past = Instant.parse("2026-01-01T00:00:00Z")

        fun request(name: String = "s", settings: ScheduleRequest.Builder.() -> Unit = {}) =
            ScheduleRequest.builder(name, "report", Json.EMPTY_OBJECT).every(Duration.ofHours(1)).apply(settings).build()

        fun history(name: String = "s") = schedules.fires(global, name).items().map { "${it.cause()} ${it.outcome()}" }

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.job_queue",
                "UPDATE runledger.job_definitions SET is_enabled = true",
            )
        }
        afterTest { ledger.client.verify().contradictions().shouldBeEmpty() }

        test("a fire in time is told as in time, one after an outage as made up for, with the rest of what was missed") {
            schedules.upsert(request())
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now() - interval '2 seconds'")
            val inTime = due.fire(10).fired().single()
            inTime.caughtUp() shouldBe false
            (inTime.lateness() < Duration.ofMinutes(1)) shouldBe true

            schedules.retime(global, "s", past)
            val late = due.fire(10)
            late.fired().single().caughtUp() shouldBe true
            late.skipped().single().reason().orEmpty() shouldContain "Missed"
            late.skipped().single().scheduledFor() shouldBe past.plusSeconds(3_600)
        }

        test("a fire that was skipped because the last job lives says so") {
            schedules.upsert(request { firstFireAt(past).overlap(OverlapPolicy.SKIP) })
            due.fire(10)
            schedules.retime(global, "s", past.plusSeconds(1))
            due.fire(10).skipped().first().reason().orEmpty() shouldContain "not ended"
        }

        test("a fire that cannot happen is told once, however often it is tried, and then as what became of it") {
            schedules.upsert(request { firstFireAt(past) })
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")
            repeat(3) {
                due.fire(10).deferred().size shouldBe 1
                ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now()")
            }
            val deferred = schedules.fires(global, "s").items().single()
            deferred.times() shouldBe 3
            deferred.errorCode() shouldBe ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.wire()

            ledger.run("UPDATE runledger.job_definitions SET is_enabled = true")
            due.fire(10)
            history() shouldContainExactly listOf("CLOCK SKIPPED_MISFIRE", "CLOCK FIRED")
            ledger.value("SELECT payload -> '_schedule' ->> 'scheduled_for' FROM runledger.job_queue") shouldBe "$past"
        }

        fun defer(name: String = "s") {
            schedules.upsert(request(name) { firstFireAt(past) })
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")
            due.fire(10).deferred().size shouldBe 1
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = true")
        }

        mapOf(
            "moving" to { schedules.retime(global, "s", Instant.parse("2199-01-01T00:00:00Z")) },
            "pausing" to { schedules.pause(global, "s") },
            "saving with another rhythm" to { schedules.upsert(request { every(Duration.ofHours(2)) }) },
            "pausing by a sync" to { schedules.sync(global, listOf(request { active(false) })).synced().single() },
            "leaving out of a sync" to {
                schedules.syncExactly(global, emptyList(), setOf("s"))
                schedules.get(global, "s")
            },
        ).forEach { (what, change) ->
            test("$what a deferred schedule forgets the instant that waited, and its line says so") {
                defer()

                change().deferredFrom() shouldBe null

                val line = schedules.fires(global, "s").items().single { it.scheduledFor() == past }
                line.outcome() shouldBe FireOutcome.SKIPPED_MISFIRE
                line.errorCode() shouldBe ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE.wire()
                line.reason().orEmpty() shouldContain "Not retried"
            }
        }

        test("saving a deferred schedule anew with the same rhythm lets the instant wait") {
            defer()
            schedules.upsert(request { fireAllMisfires(2) }).deferredFrom() shouldBe past
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now()")
            due.fire(10).fired().first().scheduledFor() shouldBe past
        }

        test("a deferred schedule that is paused and resumed goes on at an instant of its own") {
            defer("by hand")
            schedules.pause(global, "by hand")
            defer("by sync")
            schedules.syncExactly(global, emptyList(), setOf("by sync"))

            val resumed = listOf(
                schedules.resume(global, "by hand"),
                schedules.sync(global, listOf(request("by sync"))).synced().single(),
            )

            resumed.forEach {
                it.deferredFrom() shouldBe null
                Duration.between(past, it.nextFireAt()).toSeconds() % 3_600 shouldBe 0
                (it.nextFireAt() > it.updatedAt()) shouldBe true
            }
        }

        test("pauses, resumes and fires by hand are told with their reason, also those of a sync; no change is told as none") {
            schedules.upsert(request())
            schedules.pause(global, "s", "The printer is on fire.")
            schedules.pause(global, "s")
            schedules.fireNow(global, "s")
            schedules.resume(global, "s", "It is out.")
            schedules.resume(global, "s")
            schedules.syncExactly(global, emptyList(), setOf("s"))
            schedules.sync(global, listOf(request()))
            schedules.sync(global, listOf(request()))

            history() shouldContainExactly
                listOf("RESUMED", "PAUSED", "RESUMED", "FIRED", "PAUSED").map { "OPERATOR $it" }
            schedules.fires(global, "s").items().map { it.reason() } shouldContainExactly
                listOf(
                    "A sync changed the schedule.",
                    "A sync did not list the schedule.",
                    "It is out.",
                    null,
                    "The printer is on fire.",
                )
        }

        test("of racing pauses one is told") {
            schedules.upsert(request())
            racing(4) { schedules.pause(global, "s") }
            history() shouldContainExactly listOf("OPERATOR PAUSED")
        }

        test("an expression at its end is told as a pause") {
            schedules.upsert(
                ScheduleRequest.builder("s", "report", Json.NULL).cron("0 0 0 1 1 ? 2099").firstFireAt(past).build(),
            )
            ledger.run("UPDATE runledger.job_schedules SET cron_expr = '0 0 0 1 1 ? 2026'")
            due.fire(10).fires().size shouldBe 1
            history() shouldContainExactly listOf("CLOCK PAUSED", "CLOCK FIRED")
        }

        test("of a live deferral the line stays, however old its instant is, and the fire that follows is told in it") {
            defer()
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now()")
            ledger.client.retention.pruneFires(Duration.ofDays(1), 100) shouldBe 0
            due.fire(10).fired().single().scheduledFor() shouldBe past
            schedules.fires(global, "s").items().last().times() shouldBe 2
        }

        test("old lines go, the oldest of each schedule first") {
            schedules.upsert(request("a") { firstFireAt(past).fireAllMisfires(5) })
            schedules.upsert(request("b") { firstFireAt(past) })
            due.fire(10)
            ledger.client.retention.pruneFires(Duration.ofDays(1), 100) shouldBe 0
            ledger.run("UPDATE runledger.job_schedule_fires SET fired_at = fired_at - interval '2 days'")

            racing(2) { ledger.client.retention.pruneFires(Duration.ofDays(1), 3) }.sum() shouldBe 6
            ledger.client.retention.pruneFires(Duration.ofDays(1), 100) shouldBe 2

            schedules.fires(global, "a").items().shouldBeEmpty()
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.retention.pruneFires(Duration.ofDays(-1), 3) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.retention.pruneFires(Duration.ofDays(1), 0) }
        }

        test("the history is paged, the newest first, also when entries come and go between two pages") {
            schedules.upsert(request { firstFireAt(past).fireAllMisfires(5) })
            due.fire(10)
            // Entries of one instant: an operator's, and two that a poll found.
            ledger.run(
                """INSERT INTO runledger.job_schedule_fires (schedule_id, scheduled_for, cause, outcome, dedup_key)
                    SELECT s.id, f.at, e.cause, 'FIRED', e.key
                    FROM runledger.job_schedules s
                    CROSS JOIN (SELECT min(scheduled_for) AS at FROM runledger.job_schedule_fires) f
                    CROSS JOIN (VALUES ('OPERATOR', ''), ('CLOCK', 'a key with spaces'), ('CLOCK', 'ключ')) e (cause, key)""",
                """INSERT INTO runledger.job_schedule_fires (schedule_id, scheduled_for, outcome)
                    SELECT id, at, 'FIRED' FROM runledger.job_schedules, unnest('{2999-01-01, 2999-01-02}'::timestamptz[]) at""",
            )
            val all = schedules.fires(global, "s").items()

            val first = schedules.fires(global, "s", 2)
            ledger.run(
                """INSERT INTO runledger.job_schedule_fires (schedule_id, scheduled_for, outcome)
                    SELECT id, '2999-01-03', 'FIRED' FROM runledger.job_schedules""",
            )
            ledger.run("DELETE FROM runledger.job_schedule_fires WHERE scheduled_for = '${first.items().last().scheduledFor()}'")
            val others = generateSequence(schedules.fires(global, "s", 2, first.next())) { page ->
                page.next()?.let { schedules.fires(global, "s", 2, it) }
            }.toList()

            (first.items() + others.flatMap { it.items() }) shouldContainExactly all
            all.map { it.scheduledFor() } shouldBe all.map { it.scheduledFor() }.sortedDescending()
            others.dropLast(1).forAll { it.items().size shouldBe 2 }
            schedules.fires(Scope.organization(UUID.randomUUID()), "s", 2, first.next()).items().shouldBeEmpty()
        }

        test("a history is not read with the cursor of another list, nor with an impossible page size") {
            schedules.upsert(request())
            val foreign = listOf(
                "not a cursor",
                "",
                Cursor.after(UUID.randomUUID()),
                FireCursor(Instant.parse("-9999-01-01T00:00:00Z"), FireCause.CLOCK, "").text(),
                FireCursor(past, FireCause.CLOCK, "\u0000").text(),
            )

            foreign.forAll { shouldRefuse(ErrorCode.INVALID_PAGINATION) { schedules.fires(global, "s", 2, it) } }
            listOf(0, 1_001).forAll { shouldRefuse(ErrorCode.INVALID_PAGINATION) { schedules.fires(global, "s", it) } }
        }

        test("what somebody did by hand is no fire of the clock: an instant at the same moment still happens") {
            schedules.upsert(request { firstFireAt(past) })
            val byHand = schedules.fireNow(global, "s")
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '${byHand.scheduledFor()}'")
            due.fire(10).fired().single().cause() shouldBe FireCause.CLOCK
        }
    })
