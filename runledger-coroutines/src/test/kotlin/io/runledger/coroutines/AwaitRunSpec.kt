package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.NotFoundException
import io.runledger.model.error.UnavailableException
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.postgres.TestPostgres
import java.time.Duration
import java.util.UUID
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch

class AwaitRunSpec :
    FunSpec({
        val database = autoClose(TestPostgres.shared().freshDatabase())
        val workflows = RunledgerClient.create(database.dataSource()).apply { migrate() }.workflows
        val global = Scope.global()

        fun sql(text: String) = database.connect().use { connection -> connection.createStatement().use { it.execute(text) } }

        fun startRun() = UUID.randomUUID().also {
            sql(
                "WITH run AS (INSERT INTO runledger.workflow_runs (id, workflow_type, result_step_key) VALUES ('$it', 'w', 'a')) " +
                    "INSERT INTO runledger.workflow_step_rows (workflow_run_id, ordinal, step_key, execution_kind, status) " +
                    "VALUES ('$it', 0, 'a', 'EXTERNAL', 'WAITING_FOR_EXTERNAL')",
            )
        }

        fun end(run: UUID) = sql(
            "UPDATE runledger.workflow_runs SET status = 'SUCCEEDED', finished_at = now(), result = '[{\"value\": 1}]' " +
                "WHERE id = '$run'",
        )

        test("a coroutine waits for a run and for its result") {
            val run = startRun()
            val status = async(start = CoroutineStart.UNDISPATCHED) { workflows.awaitRun(global, run).status() }
            val result = async(start = CoroutineStart.UNDISPATCHED) { workflows.awaitRunResult<List<Answer>>(global, run) }
            end(run)
            status.await() shouldBe WorkflowRunStatus.SUCCEEDED
            result.await() shouldBe listOf(Answer(1))
        }

        test("refusals come as they are") {
            shouldThrow<NotFoundException> { workflows.awaitRun(global, UUID.randomUUID()) }.code() shouldBe ErrorCode.RUN_NOT_FOUND
            shouldThrow<UnavailableException> { workflows.awaitRun(global, startRun(), Duration.ZERO) }
                .code() shouldBe ErrorCode.RESULT_TIMEOUT
        }

        test("a cancelled coroutine waits no more, and the run goes on") {
            val run = startRun()
            launch(start = CoroutineStart.UNDISPATCHED) { workflows.awaitRun(global, run, timeout = null) }.cancelAndJoin()
            end(run)
            workflows.awaitRun(global, run).id() shouldBe run
        }
    })

private data class Answer(val value: Int)
