package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.leases
import io.runledger.exposed.refuse
import io.runledger.exposed.refuseNoMore
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.Lease
import io.runledger.model.lease.ReapedJob.Result
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import java.time.Duration
import java.util.UUID

/** One job whose ending the database refuses stops neither its batch nor the batches after it. */
class ReapRefusalSpec :
    FunSpec({
        val delay = Duration.ofSeconds(90)

        fun Bench.expired(count: Int): List<Lease> {
            enqueue(count)
            val leases = claim(count).map { it.lease() }
            leases.forEachIndexed { place, it ->
                set(it.jobId(), "lease_expires_at = now() - interval '${count - place} minutes'")
            }
            return leases
        }

        fun Bench.reap(limit: Int = 9): Map<UUID, Result> =
            client.leases.reap(limit, delay).associate { it.lease().jobId() to it.result() }

        test("the refused job is deferred and told, the others are reaped") {
            val bench = bench()
            val (first, bad, last) = bench.expired(3)
            bench.ledger.refuse("INSERT", "job_attempts", bad.jobId())

            val reaped = bench.client.leases.reap(9, delay)

            reaped.map { it.result() } shouldContainExactly
                listOf(Result.RETRY_SCHEDULED, Result.DEFERRED, Result.RETRY_SCHEDULED)
            reaped.map { it.lease() } shouldContainExactly listOf(first, bad, last)
            reaped[1].refusal()?.code() shouldBe ErrorCode.DB_RULE
            bench.row(bad.jobId(), "status, attempt, lease_expires_at > now() + interval '80 s', worker_id") shouldBe
                "LEASED|1|t|worker"
            bench.reap() shouldBe emptyMap()
        }

        test("a deferred lease is not revived: its worker can neither renew nor settle it") {
            val bench = bench()
            val bad = bench.expired(1).single()
            bench.ledger.refuse("INSERT", "job_attempts", bad.jobId())
            bench.reap() shouldBe mapOf(bad.jobId() to Result.DEFERRED)
            bench.ledger.refuseNoMore("job_attempts")

            bench.client.leases.renew(listOf(bad), delay).single().answer() shouldBe Renewal.Answer.LOST
            bench.succeed(bad) shouldBe SettledJob.Result.LOST
            bench.expire(bad.jobId())
            bench.reap() shouldBe mapOf(bad.jobId() to Result.RETRY_SCHEDULED)
            bench.attempts(bad.jobId(), "attempt, outcome") shouldContainExactly listOf("1|LEASE_EXPIRED")
        }

        test("the refused job does not hold up those behind it, however small the batches are") {
            val bench = bench()
            val (bad, second, third) = bench.expired(3)
            bench.ledger.refuse("INSERT", "job_attempts", bad.jobId())

            List(3) { bench.reap(1) } shouldContainExactly listOf(
                mapOf(bad.jobId() to Result.DEFERRED),
                mapOf(second.jobId() to Result.RETRY_SCHEDULED),
                mapOf(third.jobId() to Result.RETRY_SCHEDULED),
            )
        }

        test("a job that cannot even be deferred is left alone, and the call fails once nothing else is left") {
            val bench = bench()
            val (bad, good) = bench.expired(2)
            bench.ledger.refuse("UPDATE", "job_queue", bad.jobId())

            bench.reap() shouldBe mapOf(good.jobId() to Result.RETRY_SCHEDULED)
            shouldRefuse(ErrorCode.DB_RULE) { bench.reap() }
            bench.ledger.refuseNoMore("job_queue")
            bench.reap() shouldBe mapOf(bad.jobId() to Result.RETRY_SCHEDULED)
            bench.client.leases.reap(9, delay).shouldBeEmpty()
        }
    })
