package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.console.form.fill
import io.runledger.console.form.form
import io.runledger.console.form.location
import io.runledger.console.form.send
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.ScheduleRequest
import java.time.Instant
import java.util.UUID

class ScheduleActionsSpec :
    FunSpec({
        fun bench(organization: UUID? = null) = ActionBench().also { bench ->
            autoClose(bench)
            val request = ScheduleRequest.builder("nightly / mail", "mail.send", Json.of("{}")).cron("0 0 3 * * *")
            organization?.let { request.organization(it) }
            bench.client.schedules.upsert(request.build())
        }

        val name = "nightly / mail"
        val query = "name=nightly%20%2F%20mail"

        test("a schedule fires once per form, pauses, resumes and moves its next fire") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            fun schedule() = bench.client.schedules.get(Scope.everything(), name)

            val firing = ada.form("/schedule/fire?$query")
            ada.send(firing, "reason" to "report is missing").statusCode() shouldBe 303
            ada.send(firing, "reason" to "report is missing").location() shouldBe "/audit/${bench.audit().single().id()}"
            bench.client.jobs.list(Scope.everything()).items().size shouldBe 1

            ada.fill("/schedule/retime?$query", "at" to "2031-01-01T04:00", "reason" to "after the move").statusCode() shouldBe
                303
            schedule().nextFireAt() shouldBe Instant.parse("2031-01-01T04:00:00Z")
            ada.fill("/schedule/pause?$query", "reason" to "holidays").statusCode() shouldBe 303
            schedule().active() shouldBe false
            ada.fill("/schedule/resume?$query", "reason" to "back").statusCode() shouldBe 303
            schedule().active() shouldBe true

            bench.audit().map { it.kind() to it.reason() } shouldBe listOf(
                OperatorActionKind.SCHEDULE_RESUME to "back",
                OperatorActionKind.SCHEDULE_PAUSE to "holidays",
                OperatorActionKind.SCHEDULE_RETIME to "after the move",
                OperatorActionKind.SCHEDULE_FIRE to "report is missing",
            )
        }

        test("a deleted schedule is gone, and the form sent again answers with the record") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val form = ada.form("/schedule/delete?$query")

            ada.send(form, "reason" to "replaced").location() shouldBe "/schedules?done=${bench.audit().single().id()}"
            ada.send(form, "reason" to "replaced").location() shouldBe "/audit/${bench.audit().single().id()}"

            bench.client.schedules.find(Scope.everything(), name) shouldBe null
            ada.get("/schedule/delete?$query").statusCode() shouldBe 404
        }

        test("a schedule that was moved meanwhile is not moved again by a stale page") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val stale = ada.form("/schedule/retime?$query")
            bench.client.schedules.retime(Scope.everything(), name, Instant.parse("2031-01-01T04:00:00Z"))

            val answer = ada.send(stale, "at" to "2032-01-01T04:00", "reason" to "late")

            answer.statusCode() shouldBe 409
            answer.body() shouldContain "Now: active, next fire 2031-01-01 04:00:00 UTC"
        }

        test("a schedule of another organization is not found") {
            val bench = bench(UUID.randomUUID())

            bench.bench.viewer(
                "eve",
                scope = Scope.organization(UUID.randomUUID()),
            ).get("/schedule/fire?$query").statusCode() shouldBe
                404
        }
    })
