package io.runledger.exposed.schema

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.freshLedger
import java.util.UUID

class WorkflowStepEventsSpec :
    FunSpec({
        test("a run's steps tell their story in order: a job, a gate, an edit, a reset") {
            val ledger = freshLedger()
            val run = UUID(1, 1)
            val (job, gate) = List(2) { UUID(2, it.toLong()) }
            fun at(minute: Int) = "timestamptz '2026-01-01 00:00Z' + interval '$minute min'"
            ledger.run(
                "INSERT INTO runledger.job_definitions (job_type) VALUES ('t')",
                "INSERT INTO runledger.workflow_runs (id, workflow_type) VALUES ('$run', 'w')",
                """INSERT INTO runledger.job_queue (id, is_step, job_type, max_attempts, attempt, status, created_at, started_at,
                    finished_at)
                    VALUES ('$job', true, 't', 1, 1, 'SUCCEEDED', ${at(0)}, ${at(1)}, ${at(6)})""",
                """INSERT INTO runledger.workflow_step_rows (id, workflow_run_id, ordinal, step_key, job_id, job_type, priority,
                    max_attempts, timeout_seconds, stage, created_at)
                    VALUES ('$job', '$run', 0, 'crawl', '$job', 't', 1, 1, 1, 'queued', ${at(0)})""",
                """INSERT INTO runledger.workflow_step_rows (id, workflow_run_id, ordinal, step_key, execution_kind, status,
                    created_at, released_at, finished_at, status_reason)
                    VALUES ('$gate', '$run', 1, 'approve', 'EXTERNAL', 'CANCELED', ${at(0)}, ${at(7)}, ${at(8)}, 'too late')""",
                """INSERT INTO runledger.workflow_step_journal (workflow_run_id, step_id, event_type, occurred_at) VALUES
                    ('$run', '$job', 'FAILED', ${at(
                    2,
                )}), ('$run', '$job', 'EDITED', ${at(3)}), ('$run', '$job', 'RESET', ${at(4)})""",
            )

            ledger.rows(
                "SELECT id, step_key, event_type FROM runledger.workflow_step_events WHERE workflow_run_id = '$run' ORDER BY id",
            )
                .shouldContainExactly(
                    "1|crawl|CREATED",
                    "2|approve|CREATED",
                    "3|crawl|RELEASED",
                    "4|crawl|STARTED",
                    "5|crawl|FAILED",
                    "6|crawl|EDITED",
                    "7|crawl|RESET",
                    "8|crawl|SUCCEEDED",
                    "9|approve|OPENED",
                    "10|approve|CANCELED",
                )
            ledger.rows("SELECT payload FROM runledger.workflow_step_events WHERE event_type = 'CANCELED'") shouldContainExactly
                listOf("""{"reason": "too late"}""")
        }
    })
