package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.util.UUID

private val mail = JobType.builder("mail", String::class.java).maxAttempts(1).build()

class DefaultRetentionSpec :
    FunSpec({
        fun often(settings: WorkerConfig.Builder.() -> Unit = {}) = quick { janitorInterval(Duration.ofMillis(20)).settings() }

        fun handlers() = handlers { on(mail) { check(it.payload() != "fail") { "no" } } }

        fun TestLedger.start(payload: String): UUID {
            val workflow = WorkflowRequest.builder("flow")
            workflow.job("only") { it.runs(mail, payload) }
            return client.workflows.enqueue(workflow.build()).runId()
        }

        val waiting = WorkflowRequest.builder("flow").also { flow -> flow.externalGate("gate") { } }.build()

        /** All jobs and runs are this many days older, with the ids of that time; the keys between them are moved along. */
        fun TestLedger.letPass(days: Int) {
            fun older(column: String) = "(lpad(to_hex(('x' || lpad(left(replace($column::text, '-', ''), 12), 16, '0'))" +
                "::bit(64)::bigint - $days::bigint * 86400000), 12, '0') || substr(replace($column::text, '-', ''), 13))::uuid"
            val columns = rows(
                """SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables t
                    USING (table_schema, table_name) WHERE c.table_schema = 'runledger' AND t.table_type = 'BASE TABLE'
                    AND (c.column_name IN ('job_id', 'workflow_run_id')
                        OR c.column_name = 'id' AND c.table_name IN ('job_queue', 'workflow_runs'))""",
            ).map { it.substringBefore('|') to it.substringAfter('|') }
            val moves = columns.map { (table, column) -> "UPDATE runledger.$table SET $column = ${older(column)}" }
            val endings = listOf("job_queue", "workflow_runs")
                .map { "UPDATE runledger.$it SET finished_at = finished_at - interval '$days days'" }
            run((listOf("SET session_replication_role = replica") + moves + endings).joinToString(";"))
        }

        /** One job and one run of each ending. */
        suspend fun TestLedger.live() {
            define(mail)
            client.jobs.cancel(Scope.everything(), enqueue(mail, "x") { delay(Duration.ofDays(1)) })
            client.workflows.cancel(Scope.everything(), client.workflows.enqueue(waiting).runId())
            listOf("x", "fail").forEach {
                enqueue(mail, it)
                start(it)
            }
            working(client, handlers()) { witness ->
                witness.awaitAll("succeeded", count = 2)
                witness.awaitAll("dead-lettered", count = 2)
            }
        }

        fun TestLedger.jobs() = rows("SELECT status FROM runledger.job_queue WHERE NOT is_step")

        fun TestLedger.runs() = rows("SELECT status FROM runledger.workflow_runs")

        test("a worker that is told nothing forgets after a month what went well or was canceled, and keeps what went wrong") {
            val ledger = freshLedger()
            ledger.live()
            ledger.letPass(29)
            working(ledger.client, handlers(), often()) { it.await("succeeded", ledger.enqueue(mail, "x")) }
            ledger.jobs() shouldContainExactlyInAnyOrder listOf("SUCCEEDED", "CANCELED", "DEAD_LETTERED", "SUCCEEDED")
            ledger.runs() shouldContainExactlyInAnyOrder listOf("SUCCEEDED", "CANCELED", "COMPLETED_WITH_ERRORS")

            ledger.letPass(2)
            working(ledger.client, handlers(), often()) {
                until("what is old is forgotten") { ledger.jobs().size == 2 && ledger.runs().size == 1 }
            }
            ledger.jobs() shouldContainExactlyInAnyOrder listOf("DEAD_LETTERED", "SUCCEEDED")
            ledger.runs() shouldContainExactly listOf("COMPLETED_WITH_ERRORS")
            ledger.client.jobs.openDeadLetters(Scope.everything(), 10).items() shouldHaveSize 2
        }

        test("a worker that is told to keep everything does") {
            val ledger = freshLedger()
            ledger.live()
            ledger.letPass(4_000)
            working(ledger.client, handlers(), often { keepEverything().retention(JobStatus.CANCELED, Duration.ofDays(1)) }) {
                until("what it was told to forget after that is forgotten") { "CANCELED" !in ledger.jobs() }
            }
            ledger.jobs() shouldContainExactlyInAnyOrder listOf("SUCCEEDED", "DEAD_LETTERED")
            ledger.runs() shouldHaveSize 3
        }

        test("the defaults, and what changes them") {
            val month = Duration.ofDays(30)
            WorkerConfig.defaults().let {
                it.retention shouldBe mapOf(JobStatus.SUCCEEDED to month, JobStatus.CANCELED to month)
                it.runRetention shouldBe mapOf(WorkflowRunStatus.SUCCEEDED to month, WorkflowRunStatus.CANCELED to month)
                it.fireRetention shouldBe Duration.ofDays(90)
                it.pollRetention.shouldBeNull()
            }
            WorkerConfig.builder().keepEverything().build().let {
                it.retention shouldBe emptyMap()
                it.runRetention shouldBe emptyMap()
                it.fireRetention.shouldBeNull()
                it.pollRetention.shouldBeNull()
            }
            val days = mapOf("JOBS_KEEP_EVERYTHING" to "TRUE", "JOBS_RETENTION_DAYS" to "7", "JOBS_FIRE_RETENTION_DAYS" to "8")
            WorkerConfig.fromEnv(days).let {
                it.retention.values.toSet() shouldBe setOf(Duration.ofDays(7))
                it.retention.keys shouldBe setOf(JobStatus.SUCCEEDED, JobStatus.CANCELED)
                it.fireRetention shouldBe Duration.ofDays(8)
                it.runRetention shouldBe emptyMap()
            }
            WorkerConfig.fromEnv(mapOf("JOBS_KEEP_EVERYTHING" to "false")).retention.size shouldBe 2
        }

        test("the log says at the start what is forgotten, and what is not") {
            val ledger = freshLedger()
            ledger.define(mail)
            val overheard = Overheard.during {
                working(ledger.client, handlers(), quick { pollRetention(Duration.ofHours(30)) }) { }
            }
            val line = overheard.lines.single { " deletes jobs " in it }
            line shouldContain "jobs that ended as SUCCEEDED after 30 days"
            line shouldContain "the history of schedules after 90 days; the history of triggers after PT30H; lost workers"
            line shouldContain "workers after a day. Everything else is kept."
        }
    })
