package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.FilledForm
import io.runledger.console.form.form
import io.runledger.console.form.location
import io.runledger.console.form.send
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

class EditScheduleSpec :
    FunSpec({
        val name = "nightly / mail"
        val query = "name=nightly%20%2F%20mail"
        val payload = """{"to":"ada","password":"s3cret"}"""

        fun bench(settings: ScheduleRequest.Builder.() -> Unit = { cron("0 3 * * *") }) = ActionBench().also { bench ->
            autoClose(bench)
            val request = ScheduleRequest.builder(name, "mail.send", Json.of(payload)).apply(settings)
            bench.client.schedules.upsert(request.build())
        }

        fun ActionBench.schedule() = client.schedules.get(Scope.everything(), name)

        test("the new rule is shown in words, with its next fires and the new payload, before it is saved") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val form = ada.form("/schedule/edit?$query")
            form["cron"] shouldBe "0 3 * * *"
            form["zone"] shouldBe "UTC"
            checkNotNull(form["payload"]) shouldNotContain "s3cret"

            val review = ada.send(
                form,
                "cron" to "30 4 * * *",
                "zone" to "Asia/Kolkata",
                "misfires" to "ALL",
                "misfire-limit" to "7",
                "overlap" to "SKIP",
                "payload" to checkNotNull(form["payload"]).replace("\"ada\"", "\"bob\""),
                "reason" to "the source is later now",
            )

            review.statusCode() shouldBe 200
            review.body() shouldContain "at 04:30 every day (Asia/Kolkata)"
            review.body() shouldContain "at 03:00 every day (UTC)"
            Regex("23:00:00 UTC").findAll(review.body()).count() shouldBe 10
            Regex("04:30:00 \\+05:30").findAll(review.body()).count() shouldBe 10
            review.body() shouldContain "fire once for each, at most 7"
            review.body() shouldContain "skip the fire"
            review.body() shouldContain "bob"
            review.body() shouldContain "overwrites the change"
            review.body() shouldNotContain "s3cret"
            bench.schedule().cron() shouldBe "0 3 * * *"

            ada.send(FilledForm(review.body()), "decision" to "confirmed").statusCode() shouldBe 303

            val saved = bench.schedule()
            saved.cron() shouldBe "30 4 * * *"
            saved.timeZone() shouldBe "Asia/Kolkata"
            saved.misfirePolicy() shouldBe MisfirePolicy.ALL
            saved.misfireLimit() shouldBe 7
            saved.overlapPolicy() shouldBe OverlapPolicy.SKIP
            saved.payloadTemplate() shouldBe Json.of("""{"to": "bob", "password": "s3cret"}""")
            val action = bench.audit().single()
            action.kind() shouldBe OperatorActionKind.SCHEDULE_EDIT
            action.reason() shouldBe "the source is later now"
            action.changed() shouldBe 1
        }

        test("a form that is sent twice changes once, and from an old page nothing") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val stale = ada.form("/schedule/edit?$query")
            fun reviewed() = FilledForm(ada.send(ada.form("/schedule/edit?$query"), "cron" to "@daily", "reason" to "x").body())
            val review = reviewed()
            val other = reviewed()

            ada.send(review, "decision" to "confirmed").statusCode() shouldBe 303
            ada.send(review, "decision" to "confirmed").location() shouldBe "/audit/${bench.audit().single().id()}"
            val late =
                listOf(ada.send(stale, "cron" to "@weekly", "reason" to "late"), ada.send(other, "decision" to "confirmed"))

            late.map { it.statusCode() }.distinct() shouldBe listOf(409)
            late.first().body() shouldContain "Nothing was changed, because this has changed since you opened the form."
            bench.schedule().cron() shouldBe "@daily"
            bench.audit().size shouldBe 1
        }

        test("a schedule that fires while the form is open can be saved") {
            val bench = bench { every(Duration.ofHours(1)) }
            val ada = bench.bench.viewer("ada")
            val review = ada.send(ada.form("/schedule/edit?$query"), "interval" to "7200", "reason" to "less load")
            bench.client.schedules.retime(Scope.everything(), name, Instant.parse("2031-01-01T00:00:00Z"))

            review.body() shouldContain "every 2 hours"
            ada.send(FilledForm(review.body()), "decision" to "confirmed").statusCode() shouldBe 303

            bench.schedule().interval() shouldBe Duration.ofHours(2)
        }

        test("what is wrong is said beside its field, and nothing changes") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            fun sent(vararg entries: Pair<String, String>) =
                ada.send(ada.form("/schedule/edit?$query"), "reason" to "x", *entries)

            mapOf(
                "problem-cron" to sent("cron" to "61 * * * *"),
                "problem-zone" to sent("zone" to "Mars"),
                "problem-interval" to sent("interval" to "60"),
                "problem-misfire-limit" to sent("misfires" to "ALL", "misfire-limit" to "1001"),
                "problem-misfires" to sent("misfires" to "NEVER"),
                "problem-payload" to sent("payload" to "{"),
            ).forEach { (id, answer) ->
                answer.statusCode() shouldBe 400
                answer.body() shouldContain "id=\"$id\""
            }
            sent("cron" to "").body() shouldContain "Enter a cron expression or an interval."
            sent().body() shouldContain "Everything is as before"
            sent("cron" to "0 0 0 1 1 ? 2020").body() shouldContain "it has no instant in the future"
            bench.schedule().cron() shouldBe "0 3 * * *"
            bench.audit().size shouldBe 0
        }

        test("a schedule that starts workflows has no payload to edit") {
            val bench = bench()
            val flow = WorkflowRequest.builder("closing").apply { job("only", ActionBench.mail, Json.of("{}")) }.build()
            bench.client.schedules.upsert(ScheduleRequest.builder("monthly", flow).cron("@monthly").build())
            val ada = bench.bench.viewer("ada")
            val form = ada.form("/schedule/edit?name=monthly")
            form["payload"] shouldBe null

            val review = ada.send(form, "cron" to "@weekly", "reason" to "x")
            ada.send(FilledForm(review.body()), "decision" to "confirmed").statusCode() shouldBe 303

            bench.client.schedules.get(Scope.everything(), "monthly").cron() shouldBe "@weekly"
        }

        test("a viewer may not edit, a schedule of another organization is not found, and a trigger cannot be edited") {
            val bench = bench {
                cron("@daily")
                organization(UUID.randomUUID())
            }
            bench.bench.ledger.database.connect().use { connection ->
                connection.createStatement().use {
                    it.execute(
                        "INSERT INTO runledger.job_schedules (name, kind, interval_seconds, next_fire_at) VALUES ('poll', 'POLL', 60, now())",
                    )
                }
            }

            bench.bench.viewer("vera", ConsoleRole.VIEWER).get("/schedule/edit?$query").statusCode() shouldBe 403
            bench.bench.viewer("eve", scope = Scope.organization(UUID.randomUUID()))
                .get("/schedule/edit?$query").statusCode() shouldBe 404
            val ada = bench.bench.viewer("ada")
            ada.get("/schedule/edit?name=poll").body() shouldContain "The workers that register this trigger set its interval."
            ada.get("/schedule/backfill?name=poll").body() shouldContain "polls of the past cannot be made up for"
        }
    })
