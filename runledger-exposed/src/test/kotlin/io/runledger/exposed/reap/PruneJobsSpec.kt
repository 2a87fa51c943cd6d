package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStatus
import io.runledger.model.job.ReplayOutcome
import io.runledger.model.job.ReplayRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneReport
import io.runledger.model.retention.PruneRequest
import java.time.Duration
import java.util.UUID

class PruneJobsSpec :
    FunSpec({
        val ended = setOf(JobStatus.SUCCEEDED, JobStatus.DEAD_LETTERED, JobStatus.CANCELED)
        val all = PruneRequest.of(Duration.ZERO, ended, 100)

        fun Bench.replayOf(source: UUID): UUID = client.jobs.replay(Scope.everything(), ReplayRequest(source, 1, "k", "again"))
            .shouldBeInstanceOf<ReplayOutcome.Replayed>().replay().replayJobId()

        fun Bench.jobs() = ledger.rows("SELECT id FROM runledger.job_queue ORDER BY id")

        test("ended jobs go with everything that belongs to them, live ones stay") {
            val bench = bench()
            bench.succeeded()
            val dead = bench.dead()
            bench.ledger.run("INSERT INTO runledger.job_logs (job_id, level, message) VALUES ('$dead', 'INFO', 'x')")
            bench.client.jobs.cancel(Scope.everything(), bench.enqueue())
            val running = bench.leased().jobId()
            val waiting = bench.enqueue()

            bench.client.retention.prune(all) shouldBe PruneReport(3, 2, 1, 1, 1, emptyList(), null)

            bench.jobs() shouldBe listOf(running, waiting).map { it.toString() }
            bench.ledger.value("SELECT count(*) FROM runledger.job_attempts") shouldBe "0"
        }

        test("only the endings asked for go, and only what ended long enough ago") {
            val bench = bench()
            bench.succeeded()
            val dead = bench.dead()

            bench.client.retention.prune(PruneRequest.of(Duration.ofDays(1), ended, 9)).jobs() shouldBe 0
            bench.client.retention.prune(PruneRequest.of(Duration.ofDays(999_999), ended, 9)).jobs() shouldBe 0
            bench.client.retention.prune(PruneRequest.of(Duration.ZERO, setOf(JobStatus.SUCCEEDED), 9)).jobs() shouldBe 1

            bench.jobs() shouldBe listOf("$dead")
        }

        test("what succeeded long enough ago goes without a request") {
            val bench = bench()
            bench.succeeded()
            bench.succeeded()
            val dead = bench.dead()

            bench.client.retention.pruneSucceeded(Duration.ofDays(1)).jobs() shouldBe 0
            bench.client.retention.pruneSucceeded(Duration.ZERO, limit = 1).jobs() shouldBe 1
            bench.client.retention.pruneSucceeded(Duration.ZERO).jobs() shouldBe 1
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.retention.pruneSucceeded(Duration.ZERO, limit = 10_001) }

            bench.jobs() shouldBe listOf("$dead")
        }

        test("a job from long ago is found by its age") {
            val bench = bench()
            // An id of the year 2000, as a job of that time would have.
            val old = "00dc6acf-ac00-7000-8000-000000000001"
            bench.ledger.run(
                "INSERT INTO runledger.job_queue (id, job_type, max_attempts, status, created_at, finished_at) " +
                    "VALUES ('$old', '${Bench.TYPE}', 1, 'SUCCEEDED', '2000-01-01', '2000-01-02')",
            )

            bench.client.retention.prune(PruneRequest.of(Duration.ofDays(3_650), ended, 9)).jobs() shouldBe 1
        }

        test("a pass goes in bounded bites from where the one before left off") {
            val bench = bench()
            repeat(5) { bench.succeeded() }

            val request = PruneRequest.of(Duration.ZERO, ended, 2)
            val first = bench.client.retention.prune(request)
            val second = bench.client.retention.prune(request.after(first.next().shouldNotBeNull()))
            val third = bench.client.retention.prune(request.after(second.next().shouldNotBeNull()))

            listOf(first, second, third).map { it.jobs() } shouldBe listOf(2, 2, 1)
            third.next() shouldBe null
        }

        test("a job and its replays go together or not at all") {
            val bench = bench()
            val source = bench.succeeded()
            val replay = bench.replayOf(source)

            bench.client.retention.prune(all).jobs() shouldBe 0
            bench.succeed(bench.claimOne())
            val again = bench.replayOf(replay)
            bench.client.retention.prune(all).jobs() shouldBe 0
            bench.succeed(bench.claimOne())
            bench.row(again, "status") shouldBe "SUCCEEDED"

            bench.client.retention.prune(PruneRequest.of(Duration.ZERO, ended, 1)).jobs() shouldBe 3
            bench.ledger.value("SELECT count(*) FROM runledger.job_replays") shouldBe "0"
        }

        test("a replay alone cannot be deleted from under its source") {
            val bench = bench()
            val replay = bench.replayOf(bench.succeeded())

            val refusal = runCatching {
                bench.ledger.run("DELETE FROM runledger.job_queue WHERE id = '$replay'")
            }.exceptionOrNull()

            refusal.shouldNotBeNull().message.orEmpty().contains("fk_job_replays_replay_job") shouldBe true
        }

        test("a workflow step's job stays, and a schedule's last job lets go") {
            val bench = bench()
            val step = bench.succeeded().also(bench::ofWorkflow)
            val fired = bench.succeeded()
            bench.ledger.run(
                "INSERT INTO runledger.job_schedules (name, job_type, interval_seconds, next_fire_at, last_job_id) " +
                    "VALUES ('s', '${Bench.TYPE}', 60, now(), '$fired')",
            )

            bench.client.retention.prune(all).jobs() shouldBe 1

            bench.jobs() shouldBe listOf("$step")
            bench.ledger.value("SELECT last_job_id FROM runledger.job_schedules") shouldBe ""
        }

        test("a row that somebody holds is skipped, with its family") {
            val bench = bench()
            val source = bench.succeeded()
            val replay = bench.replayOf(source)
            bench.succeed(bench.claimOne())
            bench.succeeded()

            bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                connection.createStatement().use {
                    it.execute("SELECT FROM runledger.job_queue WHERE id = '$replay' FOR KEY SHARE")
                }
                bench.client.retention.prune(all).jobs() shouldBe 1
                connection.rollback()
            }
            bench.client.retention.prune(all).jobs() shouldBe 2
        }

        test("a live status, no status and a foolish limit are refused") {
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { PruneRequest.of(Duration.ZERO, setOf(JobStatus.PENDING), 1) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { PruneRequest.of(Duration.ZERO, emptySet(), 1) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { PruneRequest.of(Duration.ZERO, ended, 0) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { PruneRequest.of(Duration.ofSeconds(-1), ended, 1) }
        }
    })
