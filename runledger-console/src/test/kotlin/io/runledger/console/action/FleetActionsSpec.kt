package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.fill
import io.runledger.console.form.form
import io.runledger.console.form.send
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.definition.DefinitionSetting
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import java.time.Duration
import java.util.UUID

class FleetActionsSpec :
    FunSpec({
        fun bench() = ActionBench().also { autoClose(it) }

        fun ActionBench.enter(name: String, vararg labels: String) {
            val card = WorkerCard(
                UUID.randomUUID(), name, labels.toSet(), listOf("mail.send"), 4, "1", null, "host", 1, Duration.ofMinutes(5),
            )
            WorkerLedger.of(client).fleet.enter(card)
        }

        fun ActionBench.type() = client.definitions.get("mail.send")

        test("the workers with a label are drained for a time, and the order is lifted") {
            val bench = bench()
            bench.enter("w1", "blue")
            bench.enter("w2")
            val root = bench.bench.viewer("root", ConsoleRole.ADMINISTRATOR)

            val page = root.get("/workers/drain?label=blue").body()
            page shouldContain "Drains 1 worker: the workers with the label “blue” claim no more jobs"
            page shouldNotContain "w2"
            root.fill("/workers/drain?label=blue", "minutes" to "30", "reason" to "deploy").statusCode() shouldBe 303

            val order = bench.client.workers.standingOrders().single()
            order.label() shouldBe "blue"
            order.endsAt().shouldNotBeNull()
            val lift = root.form("/workers/resume?order=${order.id()}")
            root.send(lift, "reason" to "deployed").statusCode() shouldBe 303
            root.send(lift, "reason" to "deployed").statusCode() shouldBe 303
            bench.client.workers.standingOrders().shouldBeEmpty()
            bench.audit().map { it.kind() to it.actor() } shouldBe
                listOf(OperatorActionKind.WORKER_RESUME to "root", OperatorActionKind.WORKER_DRAIN to "root")
        }

        test("all workers are stopped, but not those that the page did not show") {
            val bench = bench()
            bench.enter("w1")
            val root = bench.bench.viewer("root", ConsoleRole.ADMINISTRATOR)
            val stale = root.form("/workers/stop")
            bench.enter("w2")

            root.send(stale, "reason" to "stop").body() shouldContain "You saw: 1 worker. Now: 2 workers."
            bench.audit().shouldBeEmpty()
            root.fill("/workers/stop", "reason" to "stop").statusCode() shouldBe 303
            bench.audit().single().kind() shouldBe OperatorActionKind.WORKER_STOP
        }

        test("an administrator of one organization gets the record of an action that belongs to none") {
            val bench = bench()
            val root = bench.bench.viewer("root", ConsoleRole.ADMINISTRATOR, Scope.organization(UUID.randomUUID()))

            val answer = root.fill("/type/pause?type=mail.send", "reason" to "the server is down")

            answer.statusCode() shouldBe 303
            bench.type().paused() shouldBe true
        }

        test("a type is paused, changed, disabled, enabled and reset") {
            val bench = bench()
            val root = bench.bench.viewer("root", ConsoleRole.ADMINISTRATOR)

            root.fill(
                "/type/change?type=mail.send",
                "priority" to "5",
                "timeout" to "60",
                "reason" to "slow",
            ).statusCode() shouldBe
                303
            bench.type().overrides() shouldBe setOf(DefinitionSetting.PRIORITY, DefinitionSetting.TIMEOUT)
            root.fill("/type/change?type=mail.send", "reason" to "nothing").statusCode() shouldBe 400
            root.fill("/type/disable?type=mail.send", "reason" to "closed").statusCode() shouldBe 303
            bench.type().enabled() shouldBe false
            root.get("/jobs/enqueue?type=mail.send").body() shouldContain "The type is disabled"
            root.fill("/type/enable?type=mail.send", "reason" to "open").statusCode() shouldBe 303
            root.fill("/type/reset?type=mail.send", "reason" to "as declared").statusCode() shouldBe 303
            bench.type().overrides().shouldBeEmpty()
        }

        test("an operator cannot undo what an administrator has done") {
            val bench = bench()
            bench.bench.viewer("root", ConsoleRole.ADMINISTRATOR).fill("/type/pause?type=mail.send", "reason" to "down")
            val id = bench.audit().single().id()

            bench.bench.viewer("ada").get("/audit/$id/undo").statusCode() shouldBe 403
            bench.bench.viewer(
                "other",
                ConsoleRole.ADMINISTRATOR,
            ).fill("/audit/$id/undo", "reason" to "up again").statusCode() shouldBe
                303

            bench.type().paused() shouldBe false
        }
    })
