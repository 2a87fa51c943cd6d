package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.Flow
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.retention.PrunedRuns
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID

class PruneRunsSpec :
    FunSpec({
        val ended = WorkflowRunStatus.entries.filter { it.isTerminal }.toSet()
        val all = PruneRunsRequest.of(Duration.ZERO, ended, 100)

        fun Flow.finished(): UUID {
            val run = start {
                val a = work("a")
                work("b", a)
            }
            finish("a")
            finish("b")
            return run
        }

        fun Flow.runs() = ledger.rows("SELECT id FROM runledger.workflow_runs ORDER BY id")

        test("an ended run goes with its steps, jobs and attempts; a live one stays") {
            val flow = flow()
            flow.finished()
            val live = flow.start { gate("g") }

            flow.client.retention.pruneRuns(all) shouldBe PrunedRuns(1, 2, emptyList(), null)

            flow.runs().shouldContainExactly("$live")
            listOf(
                "workflow_steps WHERE workflow_run_id <> '$live'",
                "workflow_step_dependencies",
                "job_queue",
                "job_attempts",
            ).forEach {
                flow.ledger.value("SELECT count(*) FROM runledger.$it") shouldBe "0"
            }
        }

        test("only the endings asked for go, and only what ended long enough ago, page by page") {
            val flow = flow()
            repeat(3) { flow.finished() }
            val canceled = flow.start { gate("g") }
            flow.client.workflows.cancel(Scope.everything(), canceled)
            val succeeded = PruneRunsRequest.of(Duration.ZERO, setOf(WorkflowRunStatus.SUCCEEDED), 2)

            flow.client.retention.pruneRuns(PruneRunsRequest.of(Duration.ofDays(1), ended, 10)).runs() shouldBe 0
            val first = flow.client.retention.pruneRuns(succeeded)
            (first.runs() to first.jobs()) shouldBe (2 to 4)
            flow.client.retention.pruneRuns(succeeded.after(first.next()!!)) shouldBe PrunedRuns(1, 2, emptyList(), null)

            flow.runs().shouldContainExactly("$canceled")
        }

        test("a recovery does not go before its source, and a run that holds its key stays") {
            val flow = flow()
            val source = flow.finished()
            val recovery = flow.client.workflows.recover(Scope.everything(), RecoveryRequest.of(source, "r", "why")).runId()
            flow.client.workflows.cancel(Scope.everything(), recovery)
            flow.ledger.run("UPDATE runledger.workflow_runs SET finished_at = now() + interval '1 hour' WHERE id = '$source'")
            flow.client.retention.pruneRuns(all).runs() shouldBe 0
            flow.ledger.run("UPDATE runledger.workflow_runs SET finished_at = now() WHERE id = '$source'")

            flow.client.retention.pruneRuns(all).runs() shouldBe 2

            val held = flow.client.workflows.enqueueUnlessActive(
                workflow {
                    work("a")
                    activeKey("k")
                },
            ).runId()
            flow.claim()
            flow.client.workflows.cancel(Scope.everything(), held)
            flow.client.retention.pruneRuns(all).runs() shouldBe 0
        }

        test("a recovery of a recovery stays as long as the first run does") {
            val flow = flow()
            val runs = mutableListOf(flow.finished())
            repeat(3) {
                runs += flow.client.workflows.recover(Scope.everything(), RecoveryRequest.of(runs.last(), "r", "why")).runId()
                flow.client.workflows.cancel(Scope.everything(), runs.last())
            }
            flow.ledger.run("UPDATE runledger.workflow_runs SET finished_at = now() + interval '1 h' WHERE id = '${runs[0]}'")

            flow.client.retention.pruneRuns(all) shouldBe PrunedRuns(0, 0, emptyList(), null)

            flow.ledger.run("UPDATE runledger.workflow_runs SET finished_at = now() WHERE id = '${runs[0]}'")
            flow.client.retention.pruneRuns(all).runs() shouldBe 4
        }

        test("a position that no call answered with is refused") {
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { flow().client.retention.pruneRuns(all.after("nowhere")) }
        }

        test("live runs, no ending and limits out of range are refused") {
            listOf<() -> Unit>(
                { PruneRunsRequest.of(Duration.ZERO, setOf(WorkflowRunStatus.RUNNING), 1) },
                { PruneRunsRequest.of(Duration.ZERO, emptySet(), 1) },
                { PruneRunsRequest.of(Duration.ZERO, ended, 1001) },
                { PruneRunsRequest.of(Duration.ofSeconds(-1), ended, 1) },
            ).forEach { shouldRefuse(ErrorCode.INVALID_ARGUMENT, it) }
        }
    })
