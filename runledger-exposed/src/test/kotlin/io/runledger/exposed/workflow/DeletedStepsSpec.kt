package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import java.util.UUID

/** No foreign key refers to a run or a step from the rows that a start writes: triggers delete what belongs to deleted rows. */
class DeletedStepsSpec :
    FunSpec({
        val flow = flow()

        fun count(rows: String): Int = flow.ledger.value("SELECT count(*) FROM runledger.$rows").toInt()

        /** A run whose second step was edited and was the reason of a recovery. */
        fun start(): UUID {
            val run = flow.start {
                val a = work("a")
                val b = work("b", a)
                work("c", a, b)
            }
            flow.client.workflows.editPayload(Scope.everything(), run, "b", Payload.json("""{"n": 1}"""), "by hand")
            val recovery = flow.start { work("a") }
            flow.ledger.run(
                "INSERT INTO runledger.workflow_recoveries (recovery_run_id, source_run_id, source_step_id, mode, request_key, reason) " +
                    "SELECT '$recovery', '$run', id, 'FULL_REPLAY', 'k', 'r' FROM runledger.workflow_step_rows " +
                    "WHERE workflow_run_id = '$run' AND step_key = 'b'",
            )
            return run
        }

        test("the dependencies and events of a deleted step go with it, and a recovery names it no more") {
            val (run, other) = List(2) { start() }

            flow.ledger.run("DELETE FROM runledger.workflow_step_rows WHERE workflow_run_id = '$run' AND step_key = 'b'")

            count("workflow_step_dependencies WHERE workflow_run_id = '$run'") shouldBe 1
            count("workflow_step_journal WHERE workflow_run_id = '$run'") shouldBe 0
            count("workflow_recoveries WHERE source_run_id = '$run' AND source_step_id IS NULL") shouldBe 1
            count("workflow_step_dependencies WHERE workflow_run_id = '$other'") shouldBe 3
            count("workflow_step_journal WHERE workflow_run_id = '$other'") shouldBe 1
            count("workflow_recoveries WHERE source_run_id = '$other' AND source_step_id IS NOT NULL") shouldBe 1
        }

        test("the steps of a deleted run go with it, and everything that belongs to them") {
            val (run, other) = List(2) { start() }

            flow.ledger.run("DELETE FROM runledger.workflow_runs WHERE id = '$run'")

            listOf("workflow_step_rows", "workflow_steps", "workflow_step_dependencies", "workflow_step_journal").filter {
                count("$it WHERE workflow_run_id = '$run'") > 0
            }.shouldBeEmpty()
            count("workflow_step_rows WHERE workflow_run_id = '$other'") shouldBe 3
        }
    })
