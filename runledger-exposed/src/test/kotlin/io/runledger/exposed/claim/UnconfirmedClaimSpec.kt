package io.runledger.exposed.claim

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.isReleased
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.until
import io.runledger.model.error.UnavailableException
import io.runledger.model.job.Lease
import io.runledger.model.lease.ClaimRequest
import java.time.Duration
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread

/** A claim leases nothing before its worker has read the jobs. A commit without an answer is reported. */
class UnconfirmedClaimSpec :
    FunSpec({
        val request = ClaimRequest.of(listOf("mail"), "w1", lease, 10)

        test("a claim whose answer is lost leases nothing") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue().id()
            val breaking = BreakingDataSource(ledger.dataSource) { it == Moment.CLAIMED }
            val told = mutableListOf<Lease>()

            shouldThrow<UnavailableException> { RunledgerClient.create(breaking.dataSource).leases.claim(request, told::addAll) }

            told.shouldBeEmpty()
            until("the server has noticed") { ledger.claim().map { it.lease().jobId() } == listOf(id) }
            ledger.value("SELECT attempt FROM runledger.job_queue") shouldBe "1"
        }

        test("a commit whose answer is lost is told, and what it leased is given back unspent") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue { maxAttempts(1) }.id()
            val breaking = BreakingDataSource(ledger.dataSource) { it == Moment.COMMITTED }
            val told = mutableListOf<Lease>()

            shouldThrow<UnavailableException> { RunledgerClient.create(breaking.dataSource).leases.claim(request, told::addAll) }

            told.map { it.jobId() } shouldContainExactly listOf(id)
            ledger.client.leases.release(told, "CLAIM_NOT_CONFIRMED").map { it.isReleased } shouldContainExactly listOf(true)
            ledger.value("SELECT status, attempt, interruptions FROM runledger.job_queue") shouldBe "PENDING|1|1"
        }

        test("a process that freezes between its claim and the commit holds the jobs no longer than a lease") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue().id()
            val frozen = CountDownLatch(1)
            val breaking = BreakingDataSource(ledger.dataSource) {
                if (it == Moment.CLAIMED) frozen.await()
                false
            }
            val client = RunledgerClient.create(breaking.dataSource)
            val sleeper = thread {
                runCatching { client.leases.claim(ClaimRequest.of(listOf("mail"), "frozen", Duration.ofSeconds(1), 10)) }
            }
            val isHeld = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
            until("it is frozen") { ledger.value(isHeld) == "1" }

            until("another client gets the job") { ledger.claim(worker = "w2").map { it.lease().jobId() } == listOf(id) }

            frozen.countDown()
            sleeper.join()
            ledger.value("SELECT status, worker_id, attempt FROM runledger.job_queue") shouldBe "LEASED|w2|1"
        }
    })
