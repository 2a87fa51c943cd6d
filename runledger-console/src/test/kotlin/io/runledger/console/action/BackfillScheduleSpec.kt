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
import io.runledger.console.run
import io.runledger.console.visit.Visit
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

class BackfillScheduleSpec :
    FunSpec({
        val name = "nightly / mail"
        val query = "name=nightly%20%2F%20mail"
        val range = arrayOf("from" to "2025-03-01T00:00", "until" to "2025-03-04T00:00")

        fun bench(settings: ScheduleRequest.Builder.() -> Unit = { cron("0 3 * * *") }) = ActionBench().also { bench ->
            autoClose(bench)
            val request = ScheduleRequest.builder(name, "mail.send", Json.of("{}")).apply(settings)
            bench.client.schedules.upsert(request.build())
        }

        fun ActionBench.jobs() = client.jobs.list(Scope.everything()).items()

        test("the range is entered first, the instants are shown next, and nothing is created before that is confirmed") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")

            val review = ada.send(ada.form("/schedule/backfill?$query"), "reason" to "outage", *range)

            review.statusCode() shouldBe 200
            review.body() shouldContain "Creates 3 jobs at once"
            review.body() shouldContain "2025-03-01 03:00:00 UTC"
            review.body() shouldContain "2025-03-03 03:00:00 UTC"
            bench.jobs().size shouldBe 0
            bench.audit().size shouldBe 0

            val answer = ada.send(FilledForm(review.body()), "decision" to "confirmed")

            val action = bench.audit().single()
            answer.location() shouldBe "/audit/${action.id()}"
            action.kind() shouldBe OperatorActionKind.SCHEDULE_BACKFILL
            action.reason() shouldBe "outage"
            action.actor() shouldBe "ada"
            action.changed() shouldBe 3
            bench.jobs().size shouldBe 3
            val page = ada.get("/schedules/${Visit.encoded(name)}").body()
            bench.client.schedules.fires(Scope.global(), name).items().map { it.cause() }.distinct() shouldBe
                listOf(FireCause.BACKFILL)
            page shouldContain "a backfill"
            page shouldNotContain "an operator"
        }

        test("a form that is sent twice fires once, and a second form finds nothing left to fire") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val review = FilledForm(ada.send(ada.form("/schedule/backfill?$query"), "reason" to "outage", *range).body())

            ada.send(review, "decision" to "confirmed").statusCode() shouldBe 303
            ada.send(review, "decision" to "confirmed").location() shouldBe "/audit/${bench.audit().single().id()}"
            bench.jobs().size shouldBe 3

            val again = ada.send(ada.form("/schedule/backfill?$query"), "reason" to "outage", *range)
            again.statusCode() shouldBe 400
            again.body() shouldContain "There is nothing to fire in this range. It has 3 instants, 3 of which have fired"

            val forced = ada.send(ada.form("/schedule/backfill?$query"), "reason" to "wrong data", "again" to "yes", *range)
            forced.body() shouldContain "Creates 3 jobs at once"
            ada.send(FilledForm(forced.body()), "decision" to "confirmed").statusCode() shouldBe 303
            bench.jobs().size shouldBe 6
        }

        test("a range that cannot be backfilled, or no reason, comes back with a sentence, and creates nothing") {
            val bench = bench { cron("* * * * *") }
            val ada = bench.bench.viewer("ada")
            fun sent(vararg entries: Pair<String, String>) = ada.send(ada.form("/schedule/backfill?$query"), *entries)

            sent(*range, "reason" to "").statusCode() shouldBe 400
            sent("from" to "2025-03-04T00:00", "until" to "2025-03-01T00:00", "reason" to "x").let {
                it.statusCode() shouldBe 400
                it.body() shouldContain "the end must be later"
            }
            sent("from" to "2025-03-01T00:00", "until" to "2189-03-01T00:00", "reason" to "x").let {
                it.statusCode() shouldBe 400
                it.body() shouldContain "the schedule fires later instants itself"
            }
            sent("from" to "2024-03-01T00:00", "until" to "2025-03-01T00:00", "reason" to "x").let {
                it.statusCode() shouldBe 400
                it.body() shouldContain "more than 10000 instants"
            }
            sent("from" to "tomorrow", "until" to "2025-03-01T00:00", "reason" to "x").body() shouldContain
                "is not a date and a time"
            bench.jobs().size shouldBe 0
            bench.audit().size shouldBe 0
        }

        test("if the rule changes after the page was opened, the operator decides again") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val review = FilledForm(ada.send(ada.form("/schedule/backfill?$query"), "reason" to "outage", *range).body())
            bench.client.schedules.upsert(ScheduleRequest.builder(name, "mail.send", Json.of("{}")).cron("0 4 * * *").build())

            val answer = ada.send(review, "decision" to "confirmed")

            answer.statusCode() shouldBe 409
            answer.body() shouldContain "You saw: at 03:00 every day (UTC). Now: at 04:00 every day (UTC)"
            bench.jobs().size shouldBe 0
        }

        test("an action that has not ended leads to a form with its range") {
            val bench = bench()
            val from = Instant.parse("2025-03-01T00:00:00Z")
            bench.client.actingAs("ada").schedules.backfill(Scope.global(), name, from, from + Duration.ofDays(2), "outage")
            bench.bench.run("UPDATE runledger.operator_actions SET finished_at = NULL")
            val ada = bench.bench.viewer("ada")

            val page = ada.get("/audit/${bench.audit().single().id()}").body()

            page shouldContain "Continue with the other instants"
            val form = ada.form("/schedule/backfill?$query&from=2025-03-01T00%3A00%3A00Z&until=2025-03-03T00%3A00%3A00Z")
            form["from"] shouldBe "2025-03-01T00:00:00"
            form["until"] shouldBe "2025-03-03T00:00:00"
        }

        test("a viewer may not backfill, and a schedule of another organization is not found") {
            val bench = bench {
                cron("@daily")
                organization(UUID.randomUUID())
            }

            bench.bench.viewer("vera", ConsoleRole.VIEWER).get("/schedule/backfill?$query").statusCode() shouldBe 403
            bench.bench.viewer("eve", scope = Scope.organization(UUID.randomUUID()))
                .get("/schedule/backfill?$query").statusCode() shouldBe 404
        }
    })
