package io.runledger.exposed.schedule

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.define
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.freshLedger
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleEdit
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

class EditScheduleSpec :
    FunSpec({
        val ledger = freshLedger().define("report", "work")
        val schedules = ledger.client.schedules
        val due = ledger.client.dueSchedules
        val global = Scope.global()
        val past = Instant.parse("2025-01-01T00:00:00Z")
        val hour = Duration.ofHours(1)

        fun request(settings: ScheduleRequest.Builder.() -> Unit) =
            ScheduleRequest.builder("s", "report", Json.of("""{"n":1}""")).apply(settings).build()

        fun save(settings: ScheduleRequest.Builder.() -> Unit) = schedules.upsert(request(settings))

        fun edit(basis: Schedule, change: ScheduleEdit.Builder.() -> Unit) =
            schedules.edit(global, ScheduleEdit.of(basis).apply(change).build(), "less load")

        fun action() = ledger.client.audit.list(Scope.everything()).items().first()

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.job_queue",
                "DELETE FROM runledger.operator_actions",
                "UPDATE runledger.job_definitions SET is_enabled = true",
            )
        }

        test("a new rule fires from now on, and the action tells the old one and the new one") {
            val saved = save { every(hour).firstFireAt(past) }
            val operator = ledger.client.actingAs("dana", "k1").schedules

            val edited = operator.edit(
                global,
                ScheduleEdit.of(saved).cron("0 3 * * *").zone("Europe/Berlin").build(),
                "less load",
            )

            edited.cron() shouldBe "0 3 * * *"
            edited.interval() shouldBe null
            edited.timeZone() shouldBe "Europe/Berlin"
            edited.payloadTemplate() shouldBe saved.payloadTemplate()
            edited.version() shouldBe saved.version()
            edited.nextFireAt() shouldBeGreaterThan
                ledger.rows("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
                    .single().let(Instant::parse)
            edited.nextFireAt() shouldBe schedules.upcoming(global, "s", 1).single()
            due.fire(10).schedules() shouldBe 0
            val action = action()
            action.kind() shouldBe OperatorActionKind.SCHEDULE_EDIT
            action.reason() shouldBe "less load"
            action.changed() shouldBe 1
            listOf(
                "\"cron\": \"0 3 * * *\"",
                "\"interval\": null",
                "\"previous_interval\": \"PT1H\"",
                "\"previous_time_zone\": \"UTC\"",
            ).forEach { action.details().text() shouldContain it }
        }

        test("policies and the payload change without a change of the next fire, and the payload is not in the record") {
            val saved = save { every(hour).firstFireAt(past) }
            val operator = ledger.client.actingAs("dana").schedules
            val change = ScheduleEdit.of(
                saved,
            ).fireAllMisfires(3).overlap(OverlapPolicy.SKIP).payload(Json.of("""{"n":2,"secret":"x7391"}"""))

            val edited = operator.edit(global, change.build())

            edited.misfirePolicy() shouldBe MisfirePolicy.ALL
            edited.misfireLimit() shouldBe 3
            edited.overlapPolicy() shouldBe OverlapPolicy.SKIP
            edited.nextFireAt() shouldBe saved.nextFireAt()
            edited.anchorAt() shouldBe saved.anchorAt()
            due.fire(10).fired().size shouldBe 1
            ledger.value("SELECT payload ->> 'n' FROM runledger.job_queue") shouldBe "2"
            action().details().text() shouldContain "\"payload\": \"changed\""
            ("x7391" in action().details().text()) shouldBe false
        }

        test("an edit that changes nothing is recorded as such, and the schedule stays as it is") {
            val saved = save { every(hour).firstFireAt(past) }

            ledger.client.actingAs("dana").schedules.edit(global, ScheduleEdit.of(saved).build()) shouldBe saved
            action().changed() shouldBe 0
        }

        test("an edit of a schedule that was changed since it was read is refused; a fire or a pause is no such change") {
            val saved = save { every(hour).firstFireAt(past) }
            due.fire(10)
            schedules.pause(global, "s")
            edit(saved) { overlap(OverlapPolicy.SKIP) }.active() shouldBe false

            val before = schedules.get(global, "s")
            shouldRefuse(ErrorCode.SCHEDULE_CHANGED) { edit(saved) { cron("@daily") } }
            schedules.get(global, "s") shouldBe before
            save {
                every(hour).firstFireAt(past)
                overlap(OverlapPolicy.SKIP)
                version(2)
            }
            shouldRefuse(ErrorCode.SCHEDULE_CHANGED) { edit(before) { cron("@daily") } }
        }

        test("of edits of the same schedule at the same time, one is made and the others are refused") {
            repeat(10) { round ->
                ledger.run("DELETE FROM runledger.job_schedules")
                val saved = save { every(hour) }

                val answers = racing(4) { party ->
                    try {
                        edit(saved) { every(Duration.ofMinutes(party + 2L)) }.interval()
                    } catch (refused: RunledgerException) {
                        refused.code()
                    }
                }

                answers.count { it == ErrorCode.SCHEDULE_CHANGED } shouldBe 3
                listOf(schedules.get(global, "s").interval()) shouldBe answers.filterIsInstance<Duration>()
            }
        }

        test("an instant that waits is not retried under a new rule") {
            save { every(hour).firstFireAt(past) }
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")
            due.fire(10).deferred().size shouldBe 1
            val deferred = schedules.get(global, "s")

            edit(deferred) { overlap(OverlapPolicy.SKIP) }.deferredFrom() shouldBe past
            val edited = edit(schedules.get(global, "s")) { cron("@daily") }

            edited.deferredFrom() shouldBe null
            schedules.fires(global, "s").items().single().outcome() shouldBe FireOutcome.SKIPPED_MISFIRE
        }

        test("code that saves the schedule again overwrites the edit") {
            val declared = request { every(hour) }
            edit(schedules.upsert(declared)) { cron("@daily") }

            schedules.sync(global, listOf(declared)).synced().single().interval() shouldBe hour
        }

        test("what cannot be edited is refused, and nothing changes") {
            val saved = save { every(hour) }
            val flow = schedules.upsert(ScheduleRequest.builder("flow", workflow { work("only") }).cron("@daily").build())
            ledger.run(
                "INSERT INTO runledger.job_schedules (name, kind, interval_seconds, next_fire_at) VALUES ('poll', 'POLL', 60, now())",
            )
            val poll = schedules.get(global, "poll")
            fun rows() = ledger.rows("SELECT s::text FROM runledger.job_schedules s ORDER BY name")
            val before = rows()

            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { edit(poll) { every(hour) } }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { edit(flow) { payload(mapOf("n" to 2)) } }
            shouldRefuse(ErrorCode.INVALID_CRON) { edit(saved) { cron("61 * * * *") } }
            shouldRefuse(ErrorCode.INVALID_CRON) { edit(saved) { cron("0 0 0 1 1 ? 2020") } }
            shouldRefuse(ErrorCode.INVALID_TIME_ZONE) { edit(saved) { zone("Mars") } }
            shouldRefuse(ErrorCode.INVALID_INTERVAL) { edit(saved) { every(Duration.ZERO) } }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { edit(saved) { fireAllMisfires(1_001) } }
            shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) {
                schedules.edit(Scope.organization(UUID.randomUUID()), ScheduleEdit.of(saved).cron("@daily").build())
            }
            schedules.delete(global, "s")
            shouldRefuse(ErrorCode.SCHEDULE_NOT_FOUND) { edit(saved) { cron("@daily") } }

            (before - rows().toSet()).size shouldBe 1
            edit(flow) { cron("@weekly") }.workflowRequest() shouldBe flow.workflowRequest()
            ledger.rows("SELECT id FROM runledger.operator_actions").shouldBeEmpty()
        }
    })
