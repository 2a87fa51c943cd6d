package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.test.freshLedger
import java.time.Instant

class MonthlyClosingSpec :
    FunSpec({
        fun RunledgerClient.desk(): ClosingDesk {
            definitions.sync(listOf(collectPostings, reconcile, publish))
            return ClosingDesk(this).also { it.plan(listOf(Ledgers("de"), Ledgers("ch", "CHF"))) }
        }

        test("the first of the month starts a closing with its own parameters, and the audit tells it") {
            val client = freshLedger().client
            val desk = client.desk()
            client.schedules.retime(Scope.global(), "closing-ch", Instant.parse("2026-02-01T03:00:00Z"))

            val fire = WorkerLedger.of(client).schedules.fire(10).fired().single()

            val first = client.workflows.getStep(Scope.global(), checkNotNull(fire.runId()), "collect")
            first.payload().text() shouldContain "CHF"
            desk.audit("ch").last() shouldContain "made up for"
            desk.missed("ch") shouldContainExactly listOf(Instant.parse("2026-03-01T03:00:00Z"))
            client.verify().contradictions().shouldBeEmpty()
        }

        test("the closings of a past year are made up for once, and an edit moves the next ones") {
            val client = freshLedger().client
            val desk = client.desk()

            val (newYear, nextYear) = listOf(2025, 2026).map { Instant.parse("$it-01-01T00:00:00Z") }
            desk.makeUpFor("ch", newYear, nextYear, "dana", "Switzerland joined late.") shouldBe 12
            desk.makeUpFor("ch", newYear, nextYear, "dana", "Once more.") shouldBe 0

            desk.audit("ch").last() shouldContain "2025-01-01T03:00:00Z FIRED"
            desk.closeAtNoon("ch", "dana", "The bank is later.")
            client.schedules.get(Scope.global(), "closing-ch").cron() shouldBe "0 12 1 * *"
            client.audit.list(Scope.global()).items().map { it.kind() } shouldContainExactly
                listOf(
                    OperatorActionKind.SCHEDULE_EDIT,
                    OperatorActionKind.SCHEDULE_BACKFILL,
                    OperatorActionKind.SCHEDULE_BACKFILL,
                )
            client.verify().contradictions().shouldBeEmpty()
        }

        test("a scheduled job starts a workflow that code makes, once") {
            val ledger = freshLedger()
            ledger.client.definitions.sync(listOf(beginClosing, collectPostings, reconcile, publish))
            ledger.client.schedules.upsert(
                ScheduleRequest.builder("begin", beginClosing, Ledgers("fr")).cron("@monthly").firstFireAt(Instant.EPOCH).build(),
            )
            WorkerLedger.of(ledger.client).schedules.fire(10)

            ledger.work(closingByCode(ledger.client))

            ledger.client.workflows.count(Scope.global()) shouldBe 1
        }

        test("a closing by hand, a pause and its end stand in the audit with their reasons") {
            val client = freshLedger().client
            val desk = client.desk()

            val run = desk.closeNow("de", "The auditors are here.")
            desk.hold("de", "The books are at the auditors'.")
            desk.goOn("de")

            client.workflows.get(Scope.global(), checkNotNull(run)).workflowType() shouldBe "closing"
            desk.audit("de").map { line -> FireOutcome.entries.single { " ${it.name}" in line } } shouldContainExactly
                listOf(FireOutcome.RESUMED, FireOutcome.PAUSED, FireOutcome.FIRED)
            desk.audit("de").last() shouldContain "The auditors are here."
        }
    })
