package io.runledger.exposed.catalog

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RecordedFile
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.freshLedger
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.history.JobEventType
import io.runledger.model.history.StepEventType
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.WireText
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus

class CatalogSpec :
    FunSpec({
        fun Catalog.lines() = entries().filterNot { it.relation == LedgerState.HISTORY_TABLE }.joinToString("\n", postfix = "\n")

        test("the recorded catalog is what the migrations make") {
            val header = "# What the migrations make, one line per thing; a test compares it with a fresh ledger.\n"

            RecordedFile.shouldHold(
                "runledger-exposed/src/main/resources" + ExpectedCatalog.RESOURCE,
                header + freshLedger().catalog().lines(),
            )
        }

        test("the catalog does not depend on the schema's name") {
            val other = emptyLedger("order").also { it.client.migrate() }

            other.catalog().lines() shouldBe freshLedger().catalog().lines()
        }

        test("a line reads back as what it was written from") {
            val entries = freshLedger().catalog().entries()

            entries.map { CatalogEntry.parse(it.toString()) } shouldBe entries
        }

        test("every table, view, column, type and function says what it is for") {
            val catalog = freshLedger().catalog()
            val relations = catalog.relations.filterNot { it.name == LedgerState.HISTORY_TABLE }
            val silent = catalog.enums.filter { it.comment.isNullOrBlank() }.map { it.name } +
                catalog.functions.filter { it.comment.isNullOrBlank() }.map { it.signature } +
                relations.filter { it.comment.isNullOrBlank() }.map { it.name } +
                relations.flatMap { table ->
                    table.columns.filter { it.comment.isNullOrBlank() }.map { "${table.name}.${it.name}" }
                }

            silent.shouldBeEmpty()
        }

        test("the database's enum types are the model's enums, value by value") {
            fun values(constants: Array<out WireText>) = constants.map { it.wire() }

            freshLedger().catalog().enums.associate { it.name to it.values } shouldContainExactly mapOf(
                "job_status" to values(JobStatus.values()),
                "job_event_type" to values(JobEventType.values()),
                "job_failure_kind" to values(AttemptOutcome.values()),
                "workflow_run_status" to values(WorkflowRunStatus.values()),
                "workflow_step_status" to values(WorkflowStepStatus.values()),
                "workflow_dependency_release_mode" to values(ReleaseMode.values()),
                "workflow_step_execution_kind" to values(StepKind.values()),
                "workflow_step_event_type" to values(StepEventType.values()),
            )
        }

        test("the comparison names each change, and only that") {
            val changes = mapOf(
                "ALTER TABLE runledger.job_queue RENAME COLUMN stage TO phase" to
                    "column job_queue.stage is missing",
                "ALTER TABLE runledger.job_logs ALTER COLUMN message TYPE varchar(20)" to
                    "column job_logs.message is 'character varying(20) not null' instead of 'text not null'",
                "ALTER TABLE runledger.job_logs ALTER COLUMN level DROP NOT NULL" to
                    "column job_logs.level is 'text' instead of 'text not null'",
                "ALTER TABLE runledger.job_definitions ALTER COLUMN is_paused DROP DEFAULT" to
                    "column job_definitions.is_paused is 'boolean not null' instead of 'boolean not null default false'",
                "DROP INDEX runledger.idx_job_queue_leased_expiry" to
                    "index job_queue.idx_job_queue_leased_expiry is missing",
                "ALTER TABLE runledger.job_logs DROP CONSTRAINT chk_job_logs_level_not_blank" to
                    "constraint job_logs.chk_job_logs_level_not_blank is missing",
                "DROP TRIGGER trg_job_schedules_set_updated_at ON runledger.job_schedules" to
                    "trigger job_schedules.trg_job_schedules_set_updated_at is missing",
                "DROP VIEW runledger.job_metrics_rollup" to "view job_metrics_rollup is missing",
                "DROP TABLE runledger.job_logs" to "table job_logs is missing",
            )
            for ((change, difference) in changes) {
                val ledger = freshLedger().also { it.run(change) }

                val found = ExpectedCatalog.differences(ledger.catalog()).filter {
                    change.contains("RENAME").not() ||
                        "column" in it
                }

                found shouldContainExactly listOf(difference)
            }
        }

        test("what somebody added is nobody's business") {
            val ledger = freshLedger()
            ledger.run(
                "CREATE TABLE runledger.notes (id int)",
                "ALTER TABLE runledger.job_queue ADD COLUMN tag text",
                "CREATE INDEX notes_tag ON runledger.job_queue (tag)",
                "CREATE TYPE runledger.colour AS ENUM ('RED')",
            )

            ExpectedCatalog.differences(ledger.catalog()).shouldBeEmpty()
        }
    })
