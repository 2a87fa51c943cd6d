package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStatus
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.util.UUID

class ReplayJobsSpec :
    FunSpec({
        val everything = Scope.everything()

        fun request(source: UUID, key: String = "k", reason: String = "lost mail", run: Int = 1) =
            ReplayRequest(source, run, key, reason)

        fun Bench.replay(request: ReplayRequest, scope: Scope = everything) =
            client.jobs.replay(scope, request).shouldBeInstanceOf<ReplayOutcome.Replayed>()

        test("a succeeded job is done again by a new one with its settings, and stays as it was") {
            val bench = bench()
            val tenant = UUID.randomUUID()
            val source = bench.succeeded(mapOf("n" to 5)) {
                organization(tenant).priority(7).maxAttempts(9).idempotencyKey("once")
            }
            val before = bench.row(source, "row_to_json(job_queue)")

            val replay = bench.replay(request(source), Scope.organization(tenant))

            replay.disposition() shouldBe Disposition.INSERTED
            val columns = "organization_id, priority, max_attempts, timeout_seconds, payload, job_type"
            bench.row(replay.replay().replayJobId(), columns) shouldBe bench.row(source, columns)
            val own = "status, run_number, attempt, idempotency_key, enqueue_request, output"
            bench.row(replay.replay().replayJobId(), own) shouldBe "PENDING|1|0|||"
            bench.row(source, "row_to_json(job_queue)") shouldBe before
            bench.ledger.value(
                "SELECT payload->>'replayed_from_job_id', payload->>'replay_request_key', payload->>'reason' " +
                    "FROM runledger.job_events WHERE job_id = '${replay.replay().replayJobId()}'",
            ) shouldBe "$source|k|lost mail"
        }

        test("repeating the request gives the same job; another reason under the key is refused, another key makes another") {
            val bench = bench()
            val source = bench.succeeded()
            val first = bench.replay(request(source))

            bench.replay(request(source)) shouldBe ReplayOutcome.Replayed(first.replay(), Disposition.EXISTING)
            shouldRefuse(ErrorCode.REPLAY_CONFLICT) { bench.client.jobs.replay(everything, request(source, reason = "other")) }
            bench.replay(request(source, key = "l")).disposition() shouldBe Disposition.INSERTED
            bench.ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "3"
        }

        test("what did not succeed, or is not there, is not replayed") {
            val bench = bench()
            val dead = bench.dead()
            val done = bench.succeeded()

            bench.client.jobs.replay(everything, request(dead)) shouldBe
                ReplayOutcome.ExpectationMismatch(dead, JobStatus.DEAD_LETTERED, 1)
            bench.client.jobs.replay(everything, request(done, run = 2)) shouldBe
                ReplayOutcome.ExpectationMismatch(done, JobStatus.SUCCEEDED, 1)
            val elsewhere = Scope.organization(UUID.randomUUID())
            bench.client.jobs.replay(elsewhere, request(done)) shouldBe ReplayOutcome.NotFound(done)
        }

        test("a workflow step's job, a disabled type and a foreign isolation are refused") {
            val bench = bench()
            val step = bench.succeeded()
            val done = bench.succeeded()
            bench.ofWorkflow(step)

            shouldRefuse(ErrorCode.WORKFLOW_JOB_REQUEUE) { bench.client.jobs.replay(everything, request(step)) }
            bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                connection.transactionIsolation = Connection.TRANSACTION_SERIALIZABLE
                shouldRefuse(ErrorCode.REPLAY_ISOLATION) {
                    bench.client.within(connection).jobs.replay(everything, request(done))
                }
                connection.rollback()
            }
            bench.ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")
            shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) { bench.client.jobs.replay(everything, request(done)) }
        }

        test("a request is checked where it is made") {
            val id = UUID.randomUUID()

            listOf(
                shouldRefuse(ErrorCode.REPLAY_KEY_BLANK) { request(id, key = " ") },
                shouldRefuse(ErrorCode.REPLAY_KEY_TOO_LONG) { request(id, key = "é".repeat(257)) },
                shouldRefuse(ErrorCode.REPLAY_REASON_BLANK) { request(id, reason = "") },
            ).map { it.code().wire() } shouldContainExactly
                listOf("job.replay_request_key_blank", "job.replay_request_key_too_long", "job.replay_reason_blank")
        }
    })
