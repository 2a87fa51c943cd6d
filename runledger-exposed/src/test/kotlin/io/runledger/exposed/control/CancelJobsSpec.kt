package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.CanceledJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class CancelJobsSpec :
    FunSpec({
        val everything = Scope.everything()

        test("a job that waits is canceled without a trace of a lease") {
            val bench = bench()
            val id = bench.enqueue()

            val job = bench.client.jobs.cancel(everything, id, "not wanted")

            job.status() shouldBe JobStatus.CANCELED
            job.statusReason() shouldBe "not wanted"
            job.quietAt().shouldBeNull()
            bench.journal(id, "event_type, run_number, attempt, payload") shouldContainExactly
                listOf("""CANCELED|1||{"reason": "not wanted"}""")
            bench.attempts(id).shouldBeEmpty()
        }

        test("a running job is canceled, its attempt is written, and the end of its lease stays as the mark") {
            val bench = bench()
            val lease = bench.leased()
            val expiry = bench.row(lease.jobId(), "lease_expires_at")

            bench.client.jobs.cancel(everything, lease.jobId())

            bench.row(lease.jobId(), "status, status_reason, lease_expires_at, lease_id, worker_id, last_heartbeat_at") shouldBe
                "CANCELED|CANCELED|$expiry|||"
            bench.attempts(lease.jobId()) shouldContainExactly listOf("1|1|CANCELED")
            bench.journal(
                lease.jobId(),
                "attempt, (payload->>'lease_quiesces_at')::timestamptz = '$expiry'",
            ) shouldContainExactly listOf("1|t")
            bench.client.leases.renew(listOf(lease), Duration.ofSeconds(9)).single().answer() shouldBe Renewal.Answer.CANCELED
            bench.succeed(lease) shouldBe SettledJob.Result.LOST
            bench.story(lease.jobId()) shouldContainExactly listOf("ENQUEUED", "LEASED", "CANCELED")
        }

        test("an ended job is not canceled again, and a job out of scope is not there") {
            val bench = bench()
            val done = bench.succeeded()
            val tenant = UUID.randomUUID()
            val theirs = bench.enqueue { organization(tenant) }

            shouldRefuse(ErrorCode.JOB_STATE) { bench.client.jobs.cancel(everything, done) }
            shouldRefuse(ErrorCode.JOB_NOT_FOUND) { bench.client.jobs.cancel(Scope.global(), theirs) }
            shouldRefuse(ErrorCode.JOB_NOT_FOUND) { bench.client.jobs.cancel(Scope.organization(UUID.randomUUID()), theirs) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.jobs.cancel(everything, theirs, " ") }
            bench.client.jobs.cancel(Scope.organization(tenant), theirs).status() shouldBe JobStatus.CANCELED
        }

        test("many are canceled at once, and each gets its own answer in the order asked") {
            val bench = bench()
            val done = bench.succeeded()
            val running = bench.leased().jobId()
            val waiting = bench.enqueue()
            val nobody = UUID.randomUUID()

            val answers = bench.client.jobs.cancelAll(everything, listOf(waiting, nobody, done, running, waiting), "stop")

            answers.map { it.result() } shouldContainExactly listOf(
                CanceledJob.Result.CANCELED,
                CanceledJob.Result.NOT_FOUND,
                CanceledJob.Result.ALREADY_ENDED,
                CanceledJob.Result.CANCELED,
                CanceledJob.Result.CANCELED,
            )
            answers.map { it.quietAt() != null } shouldContainExactly listOf(false, false, false, true, false)
            bench.journal(waiting).size shouldBe 1
        }

        test("a selection is canceled in bites") {
            val bench = bench()
            val old = bench.enqueue(3)
            old.forEach { bench.set(it, "created_at = now() - interval '1 day'") }
            val running = bench.claimOne().jobId()
            val young = bench.enqueue()
            val selection = JobSelection.ofType(Bench.TYPE).inStatus(JobStatus.PENDING).olderThan(Duration.ofHours(1))

            val rest = old - running
            bench.client.jobs.cancelWhere(everything, selection, "late", 1).map { it.jobId() } shouldContainExactly rest.take(1)
            bench.client.jobs.cancelWhere(everything, selection, "late", 9).map { it.jobId() } shouldContainExactly rest.drop(1)
            bench.client.jobs.cancelWhere(everything, selection, "late", 9).shouldBeEmpty()
            bench.row(young, "status") shouldBe "PENDING"
            bench.row(running, "status") shouldBe "LEASED"
            bench.client.jobs.cancelWhere(Scope.organization(UUID.randomUUID()), JobSelection.any(), null, 9).shouldBeEmpty()
            bench.client.jobs.cancelWhere(Scope.global(), JobSelection.any(), null, 9).size shouldBe 2
        }

        test("everything a selection means is canceled in one call, of every type, priority and status, paused or not") {
            val bench = bench()
            bench.ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('a.first'), ('z.last'), ('z.none')")
            val ids = List(1_203) { n ->
                JobRequest.builder(listOf(Bench.TYPE, "a.first", "z.last")[n % 3], n).priority(n % 7).build()
            }.let { bench.client.jobs.enqueueAll(it) }.map { it.id() }
            bench.ledger.run(
                "UPDATE runledger.job_queue SET is_paused = true WHERE priority = 3",
                "UPDATE runledger.job_queue SET next_run_at = 'infinity' WHERE priority = 2",
                "UPDATE runledger.job_queue SET next_run_at = '-infinity' WHERE priority = 1",
                "UPDATE runledger.job_queue SET organization_id = gen_random_uuid() WHERE priority = 0",
            )
            bench.claim(100).size shouldBe 100
            bench.succeed(bench.claimOne())

            bench.client.jobs.cancelAllWhere(Scope.global(), JobSelection.any().failedWith("other")) shouldBe 0
            val global = bench.client.jobs.cancelAllWhere(Scope.global(), JobSelection.any(), "not wanted")
            val all = bench.client.jobs.cancelAllWhere(everything, JobSelection.any())

            global + all shouldBe ids.size - 1
            bench.ledger.rows("SELECT DISTINCT status_reason FROM runledger.job_queue WHERE status = 'CANCELED' ORDER BY 1")
                .shouldContainExactly("CANCELED", "not wanted")
            bench.ledger.rows("SELECT status, count(*) FROM runledger.job_queue GROUP BY status ORDER BY 2") shouldContainExactly
                listOf("SUCCEEDED|1", "CANCELED|${ids.size - 1}")
        }

        test("what is canceled by a selection in the caller's transaction comes back when the caller rolls back") {
            val bench = bench()
            bench.enqueue(700)

            bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                bench.client.within(connection).jobs.cancelAllWhere(everything, JobSelection.any()) shouldBe 700
                connection.rollback()
            }

            bench.client.jobs.cancelAllWhere(everything, JobSelection.any()) shouldBe 700
        }

        test("a selection of ended jobs cannot be canceled") {
            val bench = bench()

            shouldRefuse(ErrorCode.INVALID_ARGUMENT) {
                bench.client.jobs.cancelWhere(everything, JobSelection.any().inStatus(JobStatus.SUCCEEDED), null, 1)
            }
        }

        test("what is canceled in the caller's transaction comes back when the caller rolls back") {
            val bench = bench()
            val lease = bench.leased()

            bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                bench.client.within(connection).jobs.cancel(everything, lease.jobId())
                connection.rollback()
            }

            bench.succeed(lease) shouldBe SettledJob.Result.SUCCEEDED
        }
    })
