package io.runledger.exposed.workflow.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.workflow.Flow
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.run.WorkflowQuery
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Instant
import java.util.UUID

class ListRunsSpec :
    FunSpec({
        fun Flow.ids(query: WorkflowQuery) = client.workflows.list(Scope.everything(), query).items().map { it.id() }

        /** The ids a query finds, after making sure that it counts as many. */
        fun Flow.ids(change: WorkflowQuery.Builder.() -> Unit): List<UUID> {
            val query = WorkflowQuery.builder().apply(change).build()
            return ids(query).also { client.workflows.count(Scope.everything(), query) shouldBe it.size.toLong() }
        }

        fun Flow.startOf(type: String, metadata: String = "{}"): UUID =
            start(WorkflowRequest.builder(type).metadata(Json.of(metadata)).apply { work("a") }.build())

        test("pages follow each other, newest first, and the last one says so") {
            val flow = flow()
            val newestFirst = List(7) { flow.startOf("t") }.reversed()
            val query = WorkflowQuery.builder().limit(3).build()

            val pages = generateSequence(flow.client.workflows.list(Scope.global(), query)) { page ->
                page.next()?.let { flow.client.workflows.list(Scope.global(), query.after(it)) }
            }.toList()

            pages.map { page -> page.items().map { it.id() } } shouldContainExactly newestFirst.chunked(3)
            pages.map { it.hasNext() } shouldContainExactly listOf(true, true, false)
            flow.client.workflows.list(Scope.global(), WorkflowQuery.builder().limit(7).build()).next().shouldBeNull()
            flow.client.workflows.count(Scope.global(), query.after(pages[0].next())) shouldBe 7
        }

        test("runs created at the same moment are told apart by their ids, on every page") {
            val flow = flow()
            val newestFirst = List(5) { flow.startOf("t") }.reversed()
            flow.ledger.run("UPDATE runledger.workflow_runs SET created_at = '2026-01-01Z'")
            val query = WorkflowQuery.builder().limit(2).build()
            val cursor = flow.client.workflows.list(Scope.global(), query).next().shouldNotBeNull()

            flow.ids(query) shouldContainExactly newestFirst.take(2)
            flow.ids(query.after(cursor)) shouldContainExactly newestFirst.slice(2..3)
            flow.client.workflows.findLatest(Scope.global(), "t")?.id() shouldBe newestFirst.first()
        }

        test("a cursor outlives its run, and runs that come or go between pages neither repeat nor hide others") {
            val flow = flow()
            val ids = List(6) { flow.startOf("t") }.reversed()
            val query = WorkflowQuery.builder().limit(2).build()
            val cursor = flow.client.workflows.list(Scope.global(), query).next().shouldNotBeNull()

            flow.ledger.run("DELETE FROM runledger.workflow_runs WHERE id IN ('${ids[1]}', '${ids[2]}')")
            flow.startOf("t")

            flow.ids(query.after(cursor)) shouldContainExactly listOf(ids[3], ids[4])
        }

        test("types are exact and prefixes literal: wildcards and case mean themselves") {
            val flow = flow()
            val types = listOf("orders.ship", "orders.%", "orders_ship", "ORDERS.ship", "orders")
            val byType = types.associateWith { flow.startOf(it) }

            byType.forEach { (type, id) -> flow.ids { workflowTypes(type) } shouldContainExactly listOf(id) }
            flow.ids { workflowTypes("orders", "orders.%") } shouldContainExactly listOf(byType["orders"], byType["orders.%"])
            flow.ids { typePrefix("orders.") } shouldContainExactly listOf(byType["orders.%"], byType["orders.ship"])
            flow.ids { typePrefix("orders.%") } shouldContainExactly listOf(byType["orders.%"])
            flow.ids { typePrefix("%") }.shouldBeEmpty()
            flow.client.workflows.findLatest(Scope.everything(), "orders.ship")?.id() shouldBe byType["orders.ship"]
            flow.client.workflows.findLatest(Scope.everything(), "orders.").shouldBeNull()
        }

        test("paused runs are listed by themselves, whatever their status, and an ended one is never among them") {
            val flow = flow()
            val running = flow.startOf("t")
            val held = flow.startOf("t")
            val waiting = flow.start { gate("g") }
            val over = flow.startOf("t")
            listOf(held, waiting, over).forEach { flow.client.workflows.pause(Scope.everything(), it, "look first") }
            flow.client.workflows.cancel(Scope.everything(), over)

            flow.ids { paused(true) } shouldContainExactly listOf(waiting, held)
            flow.ids { paused(false) } shouldContainExactly listOf(over, running)
            flow.ids {
                paused(true)
                statuses(WorkflowRunStatus.WAITING_FOR_EXTERNAL)
            } shouldContainExactly listOf(waiting)
            val query = WorkflowQuery.builder().paused(true).build()
            flow.client.workflows.count(Scope.everything(), query) shouldBe 2
            val shown = flow.client.workflows.list(Scope.everything(), query).items().last()
            shown.isPaused shouldBe true
            shown.pauseReason() shouldBe "look first"
        }

        test("statuses, metadata and times narrow, alone and together") {
            val flow = flow()
            val done = flow.startOf("t", """{"customer": 42, "tags": ["a", "b"]}""")
            flow.finish("a")
            val waiting = flow.start { gate("g") }
            val running = flow.startOf("t", """{"customer": 42}""")
            flow.ledger.run("UPDATE runledger.workflow_runs SET created_at = created_at - interval '1 hour' WHERE id = '$done'")
            val halfAnHourAgo = Instant.now().minusSeconds(1_800)

            flow.ids { statuses(WorkflowRunStatus.SUCCEEDED) } shouldContainExactly listOf(done)
            flow.ids { statuses(WorkflowRunStatus.RUNNING, WorkflowRunStatus.WAITING_FOR_EXTERNAL) } shouldContainExactly
                listOf(running, waiting)
            flow.ids { statuses(WorkflowRunStatus.CANCELED) }.shouldBeEmpty()
            flow.ids { metadataContaining(Json.of("""{"customer": 42}""")) } shouldContainExactly listOf(running, done)
            flow.ids { metadataContaining(Json.of("""{"tags": ["b"]}""")) } shouldContainExactly listOf(done)
            flow.ids { createdSince(halfAnHourAgo) } shouldContainExactly listOf(running, waiting)
            flow.ids { createdBefore(halfAnHourAgo) } shouldContainExactly listOf(done)
            flow.ids {
                createdSince(halfAnHourAgo)
                workflowTypes("t")
                metadataContaining(Json.of("""{"customer": 42}"""))
            } shouldContainExactly listOf(running)
            flow.ids {
                createdSince(Instant.MIN)
                createdBefore(Instant.MAX)
            }.size shouldBe 3
        }
    })
