package io.runledger.coroutines.port

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.coroutines.freshLedger
import io.runledger.model.job.JobType
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

private val greet = JobType.of("greet", String::class.java)

class LanesSpec :
    FunSpec({
        test("claims and housekeeping that hang hold up neither the keeping of leases nor the writing of endings") {
            val ledger = freshLedger()
            ledger.define(greet)
            ledger.enqueue(greet, "")
            val ports = Ports.of(ledger.client)
            val claim = ClaimRequest.of(listOf("greet"), "w", Duration.ofMinutes(1), 1)
            val lease = ports.claims.claim(claim).single().lease()
            val blocker = autoClose(ledger.database.connect())
            blocker.autoCommit = false
            blocker.createStatement().use { it.execute("LOCK TABLE runledger.job_definitions, runledger.job_schedules") }

            val hung = List(4) {
                listOf(
                    async(start = CoroutineStart.UNDISPATCHED) { ports.housekeeping.untilNextFire() },
                    async(start = CoroutineStart.UNDISPATCHED) { ports.claims.claim(claim) },
                )
            }.flatten()
            val (renewed, settled) = withTimeout(30.seconds) {
                val renewed = ports.leases.renew(listOf(lease), Duration.ofMinutes(1)).single().answer()
                renewed to ports.settlements.settle(mapOf(lease to Verdict.Succeed(null))).single().result()
            }
            blocker.rollback()

            renewed shouldBe Renewal.Answer.RENEWED
            settled shouldBe SettledJob.Result.SUCCEEDED
            hung.awaitAll()
        }

        test("housekeeping that hangs does not hold up reaping, nor do all lanes together the keeping of leases") {
            val ledger = freshLedger()
            ledger.define(greet)
            repeat(3) { ledger.enqueue(greet, "") }
            val ports = Ports.of(ledger.client)
            val claim = ClaimRequest.of(listOf("greet"), "w", Duration.ofMinutes(1), 1)
            val (expired, second, held) = List(3) { ports.claims.claim(claim).single().lease() }
            fun expire(lease: Lease) =
                ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() WHERE id = '${lease.jobId()}'")
            expire(expired)
            val blocker = autoClose(ledger.database.connect())
            blocker.autoCommit = false
            blocker.createStatement().use { it.execute("LOCK TABLE runledger.job_schedules, runledger.workers") }

            val hung = List(4) { async(start = CoroutineStart.UNDISPATCHED) { ports.housekeeping.untilNextFire() } }
            val reaped = withTimeout(30.seconds) { ports.housekeeping.reap(10, Duration.ofMinutes(1)) }
            blocker.createStatement().use { it.execute("LOCK TABLE runledger.job_definitions, runledger.job_attempts") }
            expire(second)
            val others = List(2) {
                listOf(
                    async(start = CoroutineStart.UNDISPATCHED) { ports.claims.claim(claim) },
                    async(start = CoroutineStart.UNDISPATCHED) { ports.fleet.leaveFleet(UUID.randomUUID()) },
                    async(start = CoroutineStart.UNDISPATCHED) { ports.housekeeping.reap(10, Duration.ofMinutes(1)) },
                )
            }.flatten()
            val renewed = withTimeout(30.seconds) { ports.leases.renew(listOf(held), Duration.ofMinutes(1)).single().answer() }
            blocker.rollback()

            reaped.map { it.lease() } shouldBe listOf(expired)
            renewed shouldBe Renewal.Answer.RENEWED
            (hung + others).awaitAll()
        }

        test("a claim from the lane of claims runs on the thread of its caller, one from elsewhere on another") {
            val lanes = Lanes()
            val here = withContext(lanes.claims) { Thread.currentThread() to lanes.claimingHere { Thread.currentThread() } }
            val elsewhere = lanes.claimingHere { Thread.currentThread() }

            here.second shouldBe here.first
            elsewhere shouldNotBe Thread.currentThread()
        }
    })
