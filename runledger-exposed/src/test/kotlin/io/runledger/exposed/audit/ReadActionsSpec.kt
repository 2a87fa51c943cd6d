package io.runledger.exposed.audit

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobSelection
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.OperatorTargetKind
import java.time.Duration
import java.time.Instant
import java.util.UUID

class ReadActionsSpec :
    FunSpec({
        val everything = Scope.everything()

        fun Bench.list(scope: Scope = everything, query: AuditQuery.Builder.() -> Unit = {}) =
            client.audit.list(scope, AuditQuery.builder().apply(query).build()).items()

        test("an organization sees its own actions, and the global scope those of no organization") {
            val bench = bench()
            val acme = UUID.randomUUID()
            val job = bench.enqueue { organization(acme) }
            val globalJob = bench.enqueue()
            val operator = bench.client.actingAs("dana")
            operator.jobs.cancel(everything, job, "acme's")
            operator.jobs.cancel(everything, globalJob, "global")
            operator.definitions.pause(Bench.TYPE, "of all")

            bench.list(Scope.organization(acme)).map { it.reason() } shouldContainExactly listOf("acme's")
            bench.list(Scope.organization(UUID.randomUUID())).shouldBeEmpty()
            bench.list(Scope.global()).map { it.reason() } shouldContainExactly listOf("of all", "global")
            bench.list().map { it.reason() } shouldContainExactly listOf("of all", "global", "acme's")
            val id = bench.list(Scope.organization(acme)).single().id()
            bench.client.audit.get(everything, id).organizationId() shouldBe acme
            bench.client.audit.find(Scope.global(), id).shouldBeNull()
            shouldRefuse(ErrorCode.ACTION_NOT_FOUND) { bench.client.audit.get(Scope.organization(UUID.randomUUID()), id) }
            shouldRefuse(ErrorCode.ACTION_NOT_FOUND) {
                operator.audit.undo(Scope.organization(UUID.randomUUID()), id, "not theirs")
            }
        }

        test("a query narrows by actor, kind, target, time and end") {
            val bench = bench()
            val (first, second) = bench.enqueue(2)
            bench.client.actingAs("dana").jobs.cancel(everything, first, "one")
            bench.client.actingAs("eve").jobs.reprioritizeAllWhere(everything, JobSelection.any(), 7, "two")
            bench.client.actingAs("eve").definitions.pause(Bench.TYPE, "three")
            bench.ledger.run(
                "UPDATE runledger.operator_actions SET started_at = started_at - interval '1 hour' WHERE reason = 'one'",
                "UPDATE runledger.operator_actions SET finished_at = NULL WHERE reason = 'two'",
            )

            fun reasons(query: AuditQuery.Builder.() -> Unit) = bench.list(query = query).map { it.reason() }

            reasons { actor("dana") } shouldContainExactly listOf("one")
            reasons { kinds(OperatorActionKind.JOB_CANCEL, OperatorActionKind.DEFINITION_PAUSE) } shouldContainExactly
                listOf("three", "one")
            reasons { target(OperatorTarget.jobType(Bench.TYPE)) } shouldContainExactly listOf("three")
            reasons { target(OperatorTarget.selection()) } shouldContainExactly listOf("two")
            reasons { startedBefore(Instant.now().minusSeconds(1_800)) } shouldContainExactly listOf("one")
            reasons { startedSince(Instant.now().minusSeconds(1_800)) } shouldContainExactly listOf("three", "two")
            reasons { unfinished() } shouldContainExactly listOf("two")
            reasons {
                actor("eve")
                kinds(OperatorActionKind.JOB_CANCEL)
            }.shouldBeEmpty()
            reasons { target(OperatorTarget(OperatorTargetKind.JOB, "no id", null)) }.shouldBeEmpty()
            bench.client.audit.list(everything, AuditQuery.ofJob(first)).items().map { it.reason() } shouldContainExactly
                listOf("one")
            // The job was one of many.
            bench.client.audit.list(everything, AuditQuery.ofJob(second)).items().map { it.reason() } shouldContainExactly
                listOf("two")
        }

        test("pages follow each other without gaps") {
            val bench = bench()
            bench.enqueue(5).forEachIndexed { index, id -> bench.client.actingAs("dana").jobs.cancel(everything, id, "n$index") }

            val query = AuditQuery.builder().actor("dana").limit(2).build()
            val pages = generateSequence(bench.client.audit.list(everything, query)) { page ->
                page.next()?.let { bench.client.audit.list(everything, query.after(it)) }
            }.toList()

            pages.map { it.items().size } shouldContainExactly listOf(2, 2, 1)
            pages.flatMap { it.items() }.map { it.reason() } shouldContainExactly listOf("n4", "n3", "n2", "n1", "n0")
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { bench.client.audit.list(everything, query.after("x")) }
        }

        test("old records are deleted on request, and those without an end only after a day") {
            val bench = bench()
            bench.enqueue(4).forEachIndexed { index, id -> bench.client.actingAs("dana").jobs.cancel(everything, id, "n$index") }
            fun age(reason: String, hours: Int, isEnded: Boolean) = bench.ledger.run(
                "UPDATE runledger.operator_actions SET started_at = now() - interval '$hours hours', " +
                    "finished_at = ${if (isEnded) "now() - interval '$hours hours'" else "NULL"} WHERE reason = '$reason'",
            )
            age("n0", 2, isEnded = true)
            age("n1", 2, isEnded = false)
            age("n2", 25, isEnded = false)

            bench.client.retention.pruneActions(Duration.ofHours(1), 1) shouldBe 1
            bench.client.retention.pruneActions(Duration.ofHours(1), 100) shouldBe 1

            bench.list().map { it.reason() } shouldContainExactly listOf("n3", "n1")
            bench.client.retention.pruneActions(Duration.ofHours(1), 100) shouldBe 0
            bench.client.retention.pruneActions(Duration.ZERO, 100) shouldBe 1
        }

        test("a step's actions are found with its run, and alone") {
            val bench = bench()
            val run = UUID.randomUUID()
            fun record(id: UUID, step: String?) = bench.ledger.run(
                "INSERT INTO runledger.operator_actions (id, actor, action, target_kind, target, step_key) " +
                    "VALUES ('$id', 'dana', 'gate.complete', 'RUN', '$run', ${step?.let { "'$it'" }})",
            )
            val ids = List(2) { UUID(it.toLong(), 0) }
            record(ids[0], null)
            record(ids[1], "a")

            bench.client.audit.list(everything, AuditQuery.ofRun(run)).items().map { it.id() } shouldContainExactly ids.reversed()
            bench.list { target(OperatorTarget.step(run, "a")) }.single().let {
                it.id() shouldBe ids[1]
                it.target().stepKey().shouldNotBeNull()
            }
        }
    })
