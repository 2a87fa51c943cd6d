package io.runledger.exposed.audit

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledger
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobSelection
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.UndoneAction
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

private val everything: Scope = Scope.everything()
private val later: Instant = Instant.parse("2190-01-01T00:00:00Z")

private fun Ledger.lastAction(): UUID = audit.list(everything, AuditQuery.builder().limit(1).build()).items().single().id()

/** Undoes the last action. */
private fun Ledger.undo(): UndoneAction = actingAs("eve").audit.undo(everything, lastAction(), "mistake")

private fun UndoneAction.counts() = listOf(restored(), movedOn())

class UndoActionsSpec :
    FunSpec({
        fun Bench.dana() = client.actingAs("dana")

        test("jobs that were canceled before they started wait again, and are due when they were") {
            val bench = bench()
            val started = bench.leased().jobId()
            val waiting = bench.enqueue()
            val delayed = bench.enqueue { runAt(later) }
            val requeued = bench.enqueue()
            bench.dana().jobs.cancelAllWhere(everything, JobSelection.any(), "too many")
            bench.client.jobs.requeue(everything, requeued)
            val action = bench.client.lastAction()

            bench.client.undo().counts() shouldContainExactly listOf(2, 2)

            listOf(waiting, delayed, started, requeued).map { bench.row(it, "status, run_number, attempt") } shouldContainExactly
                listOf("PENDING|2|0", "PENDING|2|0", "CANCELED|1|1", "PENDING|2|0")
            bench.row(delayed, "next_run_at = '$later', is_delayed") shouldBe "t|t"
            bench.row(waiting, "is_delayed") shouldBe "f"
            val undo = bench.client.audit.get(everything, bench.client.lastAction())
            undo.kind() shouldBe OperatorActionKind.UNDO
            undo.target() shouldBe OperatorTarget.action(action)
            undo.actor() shouldBe "eve"
            undo.changed() shouldBe 2
            undo.details().text() shouldBe """{"moved_on": 2}"""
            bench.client.audit.get(everything, action).undoneBy() shouldBe undo.id()
            bench.story(waiting) shouldContainExactly listOf("ENQUEUED", "CANCELED", "REQUEUED")
            bench.claim(10).map { it.lease().jobId() }.contains(waiting) shouldBe true
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("a job keeps its stage, and its key finds it") {
            val bench = bench()
            val id = bench.enqueue { idempotencyKey("k") }
            bench.dana().jobs.cancel(everything, id, "mistake")

            bench.client.undo().counts() shouldContainExactly listOf(1, 0)

            bench.client.jobs.findByKey(Scope.global(), Bench.TYPE, "k").shouldNotBeNull().status().name shouldBe "PENDING"
            bench.client.jobs.story(everything, id).events().last().payload().text() shouldBe
                """{"actor": "eve", "action": "${bench.client.lastAction()}", "reason": "mistake", """ +
                """"requeue_kind": "UNDO", "next_run_number": 2}"""
        }

        test("a new time or priority is taken back from jobs that still have it") {
            val bench = bench()
            val ids = bench.enqueue(3)
            val before = ids.map { bench.row(it, "next_run_at") }
            val operator = bench.dana()

            operator.jobs.rescheduleAllWhere(everything, JobSelection.any(), later, "later") shouldBe 3
            operator.jobs.reschedule(everything, ids[1], later.plusSeconds(1), "even later")
            operator.jobs.cancel(everything, ids[2], "never")
            val action = operator.audit.list(everything).items().last().id()
            operator.audit.undo(everything, action, "mistake").counts() shouldContainExactly listOf(1, 2)
            bench.row(ids[0], "next_run_at, is_delayed") shouldBe "${before[0]}|f"
            bench.row(ids[1], "next_run_at = '${later.plusSeconds(1)}'") shouldBe "t"

            operator.jobs.runNow(everything, ids[1], "now")
            bench.client.undo().counts() shouldContainExactly listOf(1, 0)
            bench.row(ids[1], "next_run_at = '${later.plusSeconds(1)}', is_delayed") shouldBe "t|t"

            val due = bench.row(ids[0], "next_run_at")
            operator.jobs.snoozeAllWhere(everything, JobSelection.any(), Duration.ofHours(1), "later") shouldBe 2
            bench.client.undo().counts() shouldContainExactly listOf(2, 0)
            bench.row(ids[0], "next_run_at") shouldBe due
            bench.row(ids[1], "next_run_at = '${later.plusSeconds(1)}'") shouldBe "t"

            operator.jobs.reprioritizeAllWhere(everything, JobSelection.any(), 7, "later") shouldBe 2
            bench.client.undo().counts() shouldContainExactly listOf(2, 0)
            bench.row(ids[0], "priority") shouldBe "100"
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("an edit is undone unless the job ran or was edited since") {
            val bench = bench()
            val edited = Payload.of(mapOf("n" to 2))
            val (still, again, ran) = List(3) { bench.enqueue(mapOf("n" to 1)) }
            val actions = listOf(still, again, ran).associateWith { id ->
                bench.dana().jobs.editPayload(everything, id, edited, "typo")
                bench.client.lastAction()
            }
            bench.client.jobs.editPayload(everything, again, Payload.of(mapOf("n" to 3)), "typo")
            bench.set(still, "next_run_at = now() + interval '1 hour'")
            bench.set(again, "next_run_at = now() + interval '1 hour'")
            bench.claimOne().jobId() shouldBe ran

            fun undo(id: UUID) = bench.client.actingAs("eve").audit.undo(everything, actions.getValue(id), "mistake").counts()

            undo(still) shouldContainExactly listOf(1, 0)
            undo(again) shouldContainExactly listOf(0, 1)
            undo(ran) shouldContainExactly listOf(0, 1)
            listOf(still, again, ran).map { bench.row(it, "payload") } shouldContainExactly
                listOf("""{"n": 1}""", """{"n": 3}""", """{"n": 2}""")
        }

        test("a pause or resume of a run, a schedule and a type is reversed") {
            val flow = flow()
            val operator = flow.client.actingAs("dana")
            val run = flow.start { work("a") }
            flow.client.schedules.upsert(
                ScheduleRequest.builder("nightly", "work", Json.EMPTY_OBJECT).every(Duration.ofDays(1)).build(),
            )
            fun states() = listOf(
                flow.client.workflows.get(everything, run).isPaused,
                !flow.client.schedules.get(everything, "nightly").active(),
                flow.client.definitions.get("work").paused(),
            )
            val pauses = listOf<(Ledger) -> Any>(
                { it.workflows.pause(everything, run, "hold") },
                { it.schedules.pause(everything, "nightly", "hold") },
                { it.definitions.pause("work", "hold") },
            )
            val resumes = listOf<(Ledger) -> Any>(
                { it.workflows.resume(everything, run, "go") },
                { it.schedules.resume(everything, "nightly", "go") },
                { it.definitions.resume("work", "go") },
            )
            pauses.forEachIndexed { index, pause ->
                pause(operator)
                states()[index] shouldBe true
                flow.client.undo().counts() shouldContainExactly listOf(1, 0)
                states()[index] shouldBe false

                pause(flow.client)
                resumes[index](operator)
                flow.client.undo().counts() shouldContainExactly listOf(1, 0)
                states()[index] shouldBe true
                resumes[index](flow.client)

                // Another operator has paused it since.
                pause(operator)
                val first = flow.client.lastAction()
                resumes[index](flow.client)
                pause(flow.client.actingAs("fred"))
                operator.audit.undo(everything, first, "mistake").counts() shouldContainExactly listOf(0, 1)
                states()[index] shouldBe true
            }
            flow.contradictions().shouldBeEmpty()
        }

        test("the payload of a step is given back unless it was edited since") {
            val flow = flow()
            val run = flow.start { work("a", gate("g")) }
            val (first, second) = listOf(2, 3).map { n ->
                flow.client.actingAs("dana").workflows.editPayload(everything, run, "a", Payload.of(mapOf("n" to n)), "typo")
                flow.client.lastAction()
            }
            fun undo(action: UUID) = flow.client.actingAs("eve").audit.undo(everything, action, "mistake").counts()

            undo(first) shouldContainExactly listOf(0, 1)
            undo(second) shouldContainExactly listOf(1, 0)
            flow.client.workflows.getStep(everything, run, "a").payload().text() shouldBe """{"n": 2}"""
        }

        test("an action is undone once, also by two operators at once") {
            val bench = bench()
            val id = bench.enqueue()
            bench.dana().jobs.cancel(everything, id, "mistake")
            val action = bench.client.lastAction()

            racing(2) {
                try {
                    "${bench.client.actingAs("eve $it").audit.undo(everything, action, "mistake").restored()}"
                } catch (refusal: RunledgerException) {
                    refusal.code().name
                }
            }.sorted() shouldContainExactly listOf("1", "ACTION_NOT_UNDOABLE")
            shouldRefuse(ErrorCode.ACTION_NOT_UNDOABLE) { bench.client.actingAs("eve").audit.undo(everything, action, "again") }
            // Neither is the undo.
            val undos = AuditQuery.builder().kinds(OperatorActionKind.UNDO).build()
            val undo = bench.client.audit.list(everything, undos).items().single().id()
            shouldRefuse(ErrorCode.ACTION_NOT_UNDOABLE) { bench.client.actingAs("eve").audit.undo(everything, undo, "again") }
            bench.row(id, "run_number") shouldBe "2"
        }

        test("other actions, actions without effect and calls without an actor or a reason are refused") {
            val bench = bench()
            bench.dana().definitions.disable(Bench.TYPE, "retired")
            shouldRefuse(ErrorCode.ACTION_NOT_UNDOABLE) { bench.client.undo() }
            bench.dana().definitions.resume(Bench.TYPE, "is not paused")
            shouldRefuse(ErrorCode.ACTION_NOT_UNDOABLE) { bench.client.undo() }
            bench.dana().definitions.pause(Bench.TYPE, "mistake")
            val action = bench.client.lastAction()
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.audit.undo(everything, action, "mistake") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.dana().audit.undo(everything, action, " ") }
            shouldRefuse(ErrorCode.ACTION_NOT_FOUND) { bench.dana().audit.undo(everything, UUID.randomUUID(), "mistake") }
            bench.client.lastAction() shouldBe action
        }

        test("many jobs are restored in many transactions, or in the caller's") {
            val bench = bench()
            bench.enqueue(1_200)
            fun canceled() = bench.ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'CANCELED'")
            bench.dana().jobs.cancelAllWhere(everything, JobSelection.ofType(Bench.TYPE), "too many") shouldBe 1_200
            bench.ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                bench.client.within(connection).undo().counts() shouldContainExactly listOf(1_200, 0)
                connection.rollback()
            }
            canceled() shouldBe "1200"

            bench.client.undo().counts() shouldContainExactly listOf(1_200, 0)

            canceled() shouldBe "0"
            bench.client.verify().contradictions().shouldBeEmpty()
        }
    })
