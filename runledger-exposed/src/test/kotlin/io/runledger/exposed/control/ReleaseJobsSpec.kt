package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.isReleased
import io.runledger.exposed.leases
import io.runledger.exposed.refuse
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.Lease
import io.runledger.model.lease.SettledJob.Result
import java.time.Duration
import java.util.UUID

class ReleaseJobsSpec :
    FunSpec({
        test("a job is given back without spending its attempt, any number of times") {
            val bench = bench()
            val id = bench.enqueue { maxAttempts(1) }

            repeat(3) {
                bench.client.leases.release(listOf(bench.claimOne()), "WORKER_SHUTDOWN").single().isReleased shouldBe true
            }

            bench.row(id, "status, attempt, interruptions, lease_id, lease_expires_at, status_reason") shouldBe
                "PENDING|3|3|||WORKER_SHUTDOWN"
            bench.attempts(id, "attempt, outcome, error_code") shouldContainExactly
                (1..3).map { "$it|INTERRUPTED|WORKER_SHUTDOWN" }
            bench.story(id) shouldContainExactly listOf("ENQUEUED") + List(3) { listOf("LEASED", "REQUEUED") }.flatten()
        }

        test("a given-back job is due after the delay") {
            val bench = bench()
            val id = bench.leased().let { lease ->
                bench.client.leases.release(listOf(lease), "BUSY", Duration.ofHours(1))
                lease.jobId()
            }

            bench.row(id, "next_run_at > now() + interval '59 minutes'") shouldBe "t"
            bench.attempts(
                id,
                "effective_next_run_at = (SELECT next_run_at FROM runledger.job_queue WHERE id = job_id)",
            ) shouldContainExactly listOf("t")
            bench.claim().shouldBeEmpty()
        }

        test("what is lost changes nothing and does not disturb the others") {
            val bench = bench()
            val done = bench.leased().also(bench::succeed)
            val held = bench.leased()
            val stale = Lease(held.jobId(), 1, 1, "worker", UUID.randomUUID())

            val answers = bench.client.leases.release(listOf(done, stale, held), "WORKER_SHUTDOWN")

            answers.map { it.isReleased } shouldContainExactly listOf(false, false, true)
            bench.row(done.jobId(), "status") shouldBe "SUCCEEDED"
        }

        test("a job whose row is held is busy, and the others are given back") {
            val bench = bench()
            val (free, held) = listOf(bench.leased(), bench.leased())

            bench.ledger.database.connect().use { holder ->
                holder.autoCommit = false
                holder.createStatement().use {
                    it.execute("SELECT FROM runledger.job_queue WHERE id = '${held.jobId()}' FOR NO KEY UPDATE")
                }
                bench.client.leases.release(listOf(free, held), "WORKER_SHUTDOWN").map { it.result() } shouldContainExactly
                    listOf(Result.RELEASED, Result.BUSY)
                holder.rollback()
            }

            bench.client.leases.release(listOf(free, held), "WORKER_SHUTDOWN").map { it.result() } shouldContainExactly
                listOf(Result.LOST, Result.RELEASED)
        }

        test("a job that the database refuses to give back is refused alone") {
            val bench = bench()
            val leases = List(5) { bench.leased() }
            bench.ledger.refuse("INSERT", "job_attempts", leases[3].jobId())

            val answers = bench.client.leases.release(leases, "WORKER_SHUTDOWN")

            answers.map { it.isReleased } shouldContainExactly listOf(true, true, true, false, true)
            answers[3].result() shouldBe Result.REFUSED
            answers[3].refusal()?.code() shouldBe ErrorCode.DB_RULE
        }

        test("a lease that ran out can be given back until it is reaped") {
            val bench = bench()
            val lease = bench.leased()
            bench.expire(lease.jobId())

            bench.client.leases.release(listOf(lease), "LATE").single().isReleased shouldBe true
            bench.client.leases.reap(9, Duration.ofSeconds(1)).shouldBeEmpty()
        }

        test("a reason is needed and the delay must make sense") {
            val bench = bench()

            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.leases.release(emptyList(), " ") }
            shouldRefuse(ErrorCode.INVALID_DELAY) { bench.client.leases.release(emptyList(), "x", Duration.ofSeconds(-1)) }
        }
    })
