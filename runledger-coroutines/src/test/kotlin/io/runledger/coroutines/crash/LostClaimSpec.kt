package io.runledger.coroutines.crash

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.working
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import kotlinx.coroutines.CompletableDeferred
import java.time.Duration
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean

/** A claim whose answer is lost spends no attempt. */
class LostClaimSpec :
    FunSpec({
        fun TestLedger.attempts(id: UUID) = client.jobs.story(Scope.everything(), id).attempts()
            .map { "${it.attempt()} ${it.outcome()} ${it.workerId()}" }

        /** Loses the answer at the first such moment, and none after it. */
        fun TestLedger.losing(moment: LosingDataSource.Moment): RunledgerClient {
            val isNext = AtomicBoolean(true)
            return clientOn(LosingDataSource(pool) { it == moment && isNext.getAndSet(false) }.dataSource)
        }

        val patient = quick { workerId("w1").lease(Duration.ofMinutes(10)) }

        test("jobs whose claim was committed and not answered are given back and run on their only attempt") {
            val ledger = freshLedger()
            ledger.define(wait)
            val ids = List(5) { ledger.enqueue(wait, "") { maxAttempts(1) } }
            val losing = ledger.losing(LosingDataSource.Moment.COMMITTED)

            working(losing, handlers { on(wait) { } }, patient) { witness ->
                ids.forEach { witness.await("succeeded", it) }
            }

            ids.forEach { ledger.attempts(it) shouldContainExactly listOf("1 INTERRUPTED w1", "2 SUCCEEDED w1") }
        }

        test("a claim whose answer was lost before its commit has leased nothing") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "") { maxAttempts(1) }
            val losing = ledger.losing(LosingDataSource.Moment.CLAIMED)

            working(losing, handlers { on(wait) { } }, patient) { it.await("succeeded", id) }

            ledger.attempts(id) shouldContainExactly listOf("1 SUCCEEDED w1")
        }

        test("what another worker of the same name runs is not given back") {
            val ledger = freshLedger()
            ledger.define(wait)
            val go = CompletableDeferred<Unit>()
            val first = ledger.enqueue(wait, "") { maxAttempts(1) }
            working(ledger.client, handlers { on(wait) { go.await() } }, quick { workerId("w1").maxConcurrency(1) }) { elder ->
                elder.await("started", first)
                val second = ledger.enqueue(wait, "") { maxAttempts(1) }
                val losing = ledger.losing(LosingDataSource.Moment.COMMITTED)

                working(losing, handlers { on(wait) { } }, patient) { it.await("succeeded", second) }

                ledger.attempts(second) shouldContainExactly listOf("1 INTERRUPTED w1", "2 SUCCEEDED w1")
                go.complete(Unit)
                elder.await("succeeded", first)
            }
            ledger.attempts(first) shouldContainExactly listOf("1 SUCCEEDED w1")
        }

        test("a process that is killed when the server has run its claim costs the job nothing") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "") { maxAttempts(1) }
            DoomedJvm.start(ClaimingProgram::class, ledger.database).use { it.awaitEnd() }

            working(
                ledger.client,
                handlers { on(wait) { } },
                quick { workerId("heir").reaper(true).reaperInterval(Duration.ofMillis(50)) },
            ) { it.await("succeeded", id) }

            ledger.job(id).status() shouldBe JobStatus.SUCCEEDED
            ledger.attempts(id) shouldContainExactly listOf("1 SUCCEEDED heir")
        }
    })
