package io.runledger.coroutines.settle

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.attempt.Attempt
import io.runledger.coroutines.loop.ScriptedStore
import io.runledger.coroutines.loop.attempt
import io.runledger.coroutines.loop.away
import io.runledger.coroutines.loop.claimedJob
import io.runledger.coroutines.loop.done
import io.runledger.coroutines.loop.ticker
import io.runledger.model.error.ConflictException
import io.runledger.model.error.ErrorCategory
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.LeaseLostException
import io.runledger.model.error.NotFoundException
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.SchemaException
import io.runledger.model.error.UnavailableException
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class SettlerSpec :
    FunSpec({
        val success = Verdict.Succeed(null)

        val release = Verdict.Release("WORKER_SHUTDOWN")

        suspend fun Settler.result(attempt: Attempt, verdict: Verdict?): Result {
            val settled = CompletableDeferred<SettledJob>()
            write(attempt, verdict, settled::complete)
            return settled.await().result()
        }

        fun TestScope.settler(store: ScriptedStore): Settler =
            Settler(store, ticker(), help = ticker(), testScheduler.timeSource).also { backgroundScope.launch { it.run() } }

        test("a lone ending is written at once") {
            runTest {
                val store = ScriptedStore()

                settler(store).result(attempt(), success) shouldBe Result.SUCCEEDED

                currentTime shouldBe 0
            }
        }

        test("what comes while a write is under way goes together into the next one") {
            runTest {
                val store = ScriptedStore()
                val first = CompletableDeferred<Unit>()
                store.onSettle = { all ->
                    if (store.settled.isEmpty()) first.await()
                    all.map { it.done() }
                }
                val settler = settler(store)
                val endings = mutableListOf(async { settler.result(attempt(), success) })
                runCurrent()
                repeat(300) { endings += async { settler.result(attempt(), success) } }
                runCurrent()

                first.complete(Unit)
                endings.awaitAll()

                store.settled.map { it.size } shouldContainExactly listOf(1, 300)
            }
        }

        test("steps that have ended are told of once per write, jobs of their own and what was not written are not") {
            runTest {
                var told = 0
                val store = ScriptedStore()
                val settler = Settler(store, ticker(), help = ticker()) { told++ }
                backgroundScope.launch { settler.run() }
                fun step() = attempt(claimedJob(step = ClaimedJob.ClaimedStep(UUID.randomUUID(), UUID.randomUUID(), "a")))

                settler.result(attempt(), success)
                told shouldBe 0
                List(3) { async { settler.result(step(), success) } }.awaitAll()
                told shouldBe 1
                store.onSettle = { all -> if (store.asked.count { it == "settle" } == 3) away() else all.map { it.done() } }
                settler.result(step(), deadLetter())
                told shouldBe 2
            }
        }

        test("a write that fails is tried again while the lease is held") {
            runTest {
                val store = ScriptedStore()
                var failures = 3
                store.onSettle = { all -> if (failures-- > 0) away() else all.map { it.done() } }

                settler(store).result(attempt(), deadLetter()) shouldBe
                    Result.DEAD_LETTERED

                store.asked.count { it == "settle" } shouldBe 4
            }
        }

        test("a write that fails until the lease runs out is given up") {
            runTest {
                val store = ScriptedStore()
                store.onSettle = { away() }

                settler(store).result(attempt(held = 20.seconds), success) shouldBe Result.LOST
            }
        }

        test("a success whose answer got lost is not written twice and not reported as lost") {
            runTest {
                val store = ScriptedStore()
                val attempt = attempt()
                store.onSettle = {
                    store.succeeded += attempt.lease.jobId()
                    away()
                }

                settler(store).result(attempt, success) shouldBe Result.SUCCEEDED

                store.asked.count { it == "settle" } shouldBe 1
            }
        }

        test("when much waits, a second batch is written while the first is under way") {
            runTest {
                val store = ScriptedStore()
                val first = CompletableDeferred<Unit>()
                store.onSettle = { all ->
                    if (store.asked.count { it == "settle" } == 1) first.await()
                    all.map { it.done() }
                }
                val settler = settler(store).also { backgroundScope.launch { it.runHelp() } }
                // Both have looked once and found nothing.
                runCurrent()
                val slow = async { settler.result(attempt(), success) }
                runCurrent()
                val many = MutableList(999) { async { settler.result(attempt(), success) } }
                runCurrent()
                store.settled.shouldBeEmpty()

                many += async { settler.result(attempt(), success) }
                many.awaitAll()

                slow.isCompleted shouldBe false
                store.settled.map { it.size } shouldContainExactly listOf(1_000)
                first.complete(Unit)
                slow.await() shouldBe Result.SUCCEEDED
            }
        }

        test("a few that wait do not get a batch of their own") {
            runTest {
                val store = ScriptedStore()
                val first = CompletableDeferred<Unit>()
                store.onSettle = { all ->
                    if (store.settled.isEmpty()) first.await()
                    all.map { it.done() }
                }
                val settler = settler(store).also { backgroundScope.launch { it.runHelp() } }
                runCurrent()
                val endings = mutableListOf(async { settler.result(attempt(), success) })
                runCurrent()
                repeat(499) { endings += async { settler.result(attempt(), success) } }
                runCurrent()

                store.asked.count { it == "settle" } shouldBe 1
                first.complete(Unit)
                endings.awaitAll()
                store.settled.map { it.size } shouldContainExactly listOf(1, 499)
            }
        }

        test("a row the database refuses is given up, and its neighbours are written") {
            runTest {
                val store = ScriptedStore()
                val poison = attempt()
                val refusal = InvalidRequestException(ErrorCode.DB_RULE, "No.")
                store.onSettle = { all ->
                    all.map {
                        if (it.key == poison.lease) SettledJob(it.key, Result.REFUSED, null, refusal) else it.done()
                    }
                }
                val settler = Settler(store, ticker(), help = ticker())
                val endings = listOf(attempt(), poison, attempt()).map { async { settler.result(it, success) } }
                runCurrent()

                settler.runOnce()

                endings.awaitAll() shouldContainExactly listOf(
                    Result.SUCCEEDED,
                    Result.REFUSED,
                    Result.SUCCEEDED,
                )
            }
        }

        ErrorCode.entries.distinctBy { it.category() to it.isTransient }.forEach { code ->
            test("a write that fails with ${code.wire()} is tried again: only what is said of a row gives it up") {
                runTest {
                    val store = ScriptedStore()
                    var failures = 2
                    store.onSettle = { all -> if (failures-- > 0) throw code.thrown() else all.map { it.done() } }

                    settler(store).result(attempt(), deadLetter()) shouldBe
                        Result.DEAD_LETTERED
                }
            }
        }

        test("an ending with which every write fails is tried until its lease is over, and keeps no other from being written") {
            runTest {
                val store = ScriptedStore()
                val poison = attempt(held = 60.seconds)
                store.onSettle = { all -> if (all.any { it.key == poison.lease }) away() else all.map { it.done() } }
                val settler = settler(store)
                val bad = async { settler.result(poison, success) }
                val good = List(999) { async { settler.result(attempt(), success) } }

                good.awaitAll().distinct() shouldBe listOf(Result.SUCCEEDED)
                bad.isCompleted shouldBe false
                bad.await() shouldBe Result.LOST
            }
        }

        test("an ending that is held is tried again after growing pauses of its own, and not with each that comes meanwhile") {
            runTest {
                val store = ScriptedStore()
                val held = attempt(held = 30.seconds)
                store.onSettle = { all ->
                    all.map { if (it.key == held.lease) SettledJob(it.key, Result.BUSY, null) else it.done() }
                }
                val settler = settler(store)
                val busy = async { settler.result(held, success) }
                runCurrent()

                repeat(1_000) { settler.result(attempt(), success) shouldBe Result.SUCCEEDED }
                store.settled.count { held.lease in it } shouldBe 1

                busy.await() shouldBe Result.LOST
                // After 10 ms, 20, 40 and so on up to a second, for half a minute.
                store.settled.count { held.lease in it } shouldBeInRange 30..40
                store.asked.count { it == "succeeded" } shouldBe 0
            }
        }

        test("a success whose write was answered too late to be seen at once is not reported as lost") {
            runTest {
                val store = ScriptedStore()
                val attempt = attempt()
                store.onSettle = { all ->
                    if (store.asked.count { it == "settle" } == 1) away()
                    store.succeeded += attempt.lease.jobId()
                    all.map { SettledJob(it.key, Result.LOST, null) }
                }

                settler(store).result(attempt, success) shouldBe Result.SUCCEEDED
            }
        }

        test("what could not be given back yet is given back later, what is refused is given up") {
            runTest {
                val store = ScriptedStore()
                val refused = attempt()
                var busy = 2
                store.onRelease = { lease ->
                    when {
                        lease == refused.lease -> SettledJob.Result.REFUSED
                        busy-- > 0 -> SettledJob.Result.BUSY
                        else -> SettledJob.Result.RELEASED
                    }
                }
                val settler = settler(store)
                val bad = async { settler.result(refused, release) }

                settler.result(attempt(), release) shouldBe Result.RELEASED
                bad.await() shouldBe Result.REFUSED
            }
        }

        test("a write that fails after others were postponed brings none of them twice") {
            runTest {
                val store = ScriptedStore()
                var releases = 0
                store.onRelease = { if (releases++ == 0) away() else SettledJob.Result.RELEASED }
                var settlements = 0
                store.onSettle =
                    { all -> all.map { if (settlements++ == 0) SettledJob(it.key, Result.BUSY, null) else it.done() } }
                val settler = settler(store)
                val both = listOf(success, release).map { async { settler.result(attempt(), it) } }

                both.awaitAll() shouldContainExactly listOf(Result.SUCCEEDED, Result.RELEASED)
                settlements shouldBe 2
            }
        }

        test("a run that somebody holds is asked for again") {
            runTest {
                val store = ScriptedStore()
                var busy = 2
                store.onSettle = { all ->
                    if (busy-- > 0) all.map { SettledJob(it.key, Result.BUSY, null) } else all.map { it.done() }
                }

                settler(store).result(attempt(), deadLetter()) shouldBe
                    Result.DEAD_LETTERED
            }
        }

        test("jobs are given back together") {
            runTest {
                val store = ScriptedStore()
                val settler = Settler(store, ticker(), help = ticker())
                val endings = List(5) { async { settler.result(attempt(), release) } }
                runCurrent()

                settler.runOnce()

                endings.awaitAll().distinct() shouldBe listOf(Result.RELEASED)
                store.asked shouldHaveSize 1
            }
        }

        test("what a handler's transaction committed is only confirmed, what it did not commit is written") {
            runTest {
                val store = ScriptedStore()
                val committed = attempt().also { it.isSettledByHandler = true }.also { store.succeeded += it.lease.jobId() }
                val rolledBack = attempt().also { it.isSettledByHandler = true }
                val settler = settler(store)

                settler.result(committed, deadLetter()) shouldBe
                    Result.SUCCEEDED
                settler.result(rolledBack, deadLetter()) shouldBe
                    Result.DEAD_LETTERED

                store.settled.flatMap { it.keys } shouldContainExactly listOf(rolledBack.lease)
            }
        }
    })

private fun ErrorCode.thrown(): RunledgerException = when (category()) {
    ErrorCategory.VALIDATION -> InvalidRequestException(this, message())
    ErrorCategory.CONFLICT -> ConflictException(this, message())
    ErrorCategory.NOT_FOUND -> NotFoundException(this, message())
    ErrorCategory.LEASE_LOST -> LeaseLostException(this, message())
    ErrorCategory.SCHEMA -> SchemaException(this, message())
    ErrorCategory.UNAVAILABLE -> UnavailableException(this, message())
    ErrorCategory.INTERNAL -> InternalException(this, message())
}

private fun deadLetter() = Verdict.DeadLetter(
    JobFailure.terminal("no", "no"),
    DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
)
