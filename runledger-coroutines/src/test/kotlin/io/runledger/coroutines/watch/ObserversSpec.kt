package io.runledger.coroutines.watch

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.Witness
import io.runledger.coroutines.WorkerObserver
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.UnavailableException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ObserversSpec :
    FunSpec({
        fun scope() = CoroutineScope(SupervisorJob() + Dispatchers.Default)

        test("a throwing observer keeps neither itself nor others from hearing what follows") {
            val heard = AtomicInteger()
            val throwing = object : WorkerObserver {
                override fun available() {
                    heard.incrementAndGet()
                    error("broken")
                }
            }
            val witness = Witness()
            val observers = Observers(listOf(throwing, witness), scope())

            repeat(3) { observers.publish { available() } }
            observers.drain(10.seconds)

            heard.get() shouldBe 3
            witness.told.map { it.what } shouldContainExactly List(3) { "available" }
        }

        test("an observer that hangs holds nobody up; what it cannot take is dropped, and the end does not wait for it") {
            val go = CountDownLatch(1)
            val calls = AtomicInteger()
            val hanging = object : WorkerObserver {
                override fun available() {
                    calls.incrementAndGet()
                    go.await()
                }
            }
            val witness = Witness()
            val observers = Observers(listOf(hanging, witness), scope())

            repeat(900) { observers.publish { available() } }
            witness.awaitAll("available", count = 900)
            repeat(900) { observers.publish { available() } }
            witness.awaitAll("available", count = 1_800)
            observers.drain(50.milliseconds)

            calls.get() shouldBeGreaterThanOrEqual 1
            calls.get() shouldBeLessThan 1_800
        }

        test("losing the ledger is told once, and once when it is back, however many loops fail") {
            val witness = Witness()
            val observers = Observers(listOf(witness), scope())
            val health = LedgerHealth("w1", observers)
            val away = UnavailableException(ErrorCode.DB_UNREACHABLE, "away")

            repeat(5) { health.failed("claim loop", away) }
            health.failed("reaper", away)
            health.worked("claim loop")
            health.worked("reaper")
            health.worked("settler")
            observers.drain(10.seconds)

            witness.told.map { it.what } shouldContainExactly listOf("unavailable", "available")
        }
    })
