package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
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

class ScheduleHistorySpec :
    FunSpec({
        val ledger = freshLedger().define("report", "other")
        val schedules = ledger.client.schedules
        val due = ledger.client.dueSchedules
        val global = Scope.global()
        val past = Instant.parse("2026-01-01T00:00:00Z")

        fun request(name: String = "s", settings: ScheduleRequest.Builder.() -> Unit = {}) =
            ScheduleRequest.builder(name, "report", Json.EMPTY_OBJECT).every(Duration.ofHours(1)).apply(settings).build()

        fun history(name: String = "s") = schedules.fires(name, global).map { "${it.cause()} ${it.outcome()}" }

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

            schedules.retime("s", past, global)
            val late = due.fire(10)
            late.fired().single().caughtUp() shouldBe true
            late.skipped().single().reason().orEmpty() shouldContain "Missed"
            late.skipped().single().scheduledFor() shouldBe past.plusSeconds(3_600)
        }

        test("a fire that was skipped because the last job lives says so") {
            schedules.upsert(request { firstFireAt(past).overlap(OverlapPolicy.SKIP) })
            due.fire(10)
            schedules.retime("s", past.plusSeconds(1), global)
            due.fire(10).skipped().first().reason().orEmpty() shouldContain "not ended"
        }

        test("a fire that cannot happen is told once, however often it is tried, and then as what became of it") {
            schedules.upsert(request { firstFireAt(past) })
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")
            repeat(3) {
                due.fire(10).deferred().size shouldBe 1
                ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now()")
            }
            val deferred = schedules.fires("s", global).single()
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
            "moving" to { schedules.retime("s", Instant.parse("2199-01-01T00:00:00Z"), global) },
            "pausing" to { schedules.pause("s", global) },
            "saving with another rhythm" to { schedules.upsert(request { every(Duration.ofHours(2)) }) },
            "pausing by a sync" to { schedules.sync(listOf(request { active(false) }), global).synced().single() },
            "leaving out of a sync" to {
                schedules.syncExactly(emptyList(), setOf("s"), global)
                schedules.get("s", global)!!
            },
        ).forEach { (what, change) ->
            test("$what a deferred schedule forgets the instant that waited, and its line says so") {
                defer()

                change().deferredFrom() shouldBe null

                val line = schedules.fires("s", global).single { it.scheduledFor() == past }
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
            schedules.pause("by hand", global)
            defer("by sync")
            schedules.syncExactly(emptyList(), setOf("by sync"), global)

            val resumed = listOf(
                schedules.resume("by hand", global),
                schedules.sync(listOf(request("by sync")), global).synced().single(),
            )

            resumed.forEach {
                it.deferredFrom() shouldBe null
                Duration.between(past, it.nextFireAt()).toSeconds() % 3_600 shouldBe 0
                (it.nextFireAt() > it.updatedAt()) shouldBe true
            }
        }

        test("pauses, resumes and fires by hand are told with their reason, also those of a sync; no change is told as none") {
            schedules.upsert(request())
            schedules.pause("s", global, "The printer is on fire.")
            schedules.pause("s", global)
            schedules.fireNow("s", global)
            schedules.resume("s", global, "It is out.")
            schedules.resume("s", global)
            schedules.syncExactly(emptyList(), setOf("s"), global)
            schedules.sync(listOf(request()), global)
            schedules.sync(listOf(request()), global)

            history() shouldContainExactly
                listOf("RESUMED", "PAUSED", "RESUMED", "FIRED", "PAUSED").map { "OPERATOR $it" }
            schedules.fires("s", global).map { it.reason() } shouldContainExactly
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
            racing(4) { schedules.pause("s", global) }
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
            schedules.fires("s", global).last().times() shouldBe 2
        }

        test("old lines go, the oldest of each schedule first") {
            schedules.upsert(request("a") { firstFireAt(past).fireAllMisfires(5) })
            schedules.upsert(request("b") { firstFireAt(past) })
            due.fire(10)
            ledger.client.retention.pruneFires(Duration.ofDays(1), 100) shouldBe 0
            ledger.run("UPDATE runledger.job_schedule_fires SET fired_at = fired_at - interval '2 days'")

            racing(2) { ledger.client.retention.pruneFires(Duration.ofDays(1), 3) }.sum() shouldBe 6
            ledger.client.retention.pruneFires(Duration.ofDays(1), 100) shouldBe 2

            schedules.fires("a", global).shouldBeEmpty()
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.retention.pruneFires(Duration.ofDays(-1), 3) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.retention.pruneFires(Duration.ofDays(1), 0) }
        }

        test("what somebody did by hand is no fire of the clock: an instant at the same moment still happens") {
            schedules.upsert(request { firstFireAt(past) })
            val byHand = schedules.fireNow("s", global)
            ledger.run("UPDATE runledger.job_schedules SET next_fire_at = '${byHand.scheduledFor()}'")
            due.fire(10).fired().single().cause() shouldBe FireCause.CLOCK
        }
    })
