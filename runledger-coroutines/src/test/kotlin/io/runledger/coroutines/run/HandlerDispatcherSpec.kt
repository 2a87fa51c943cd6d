package io.runledger.coroutines.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

class HandlerDispatcherSpec :
    FunSpec({
        /** Keeps tasks until the test runs them, and counts its calls. */
        class HandRun : CoroutineDispatcher() {
            val tasks = ArrayBlockingQueue<Runnable>(1_000)
            var asked = 0

            override fun dispatch(context: CoroutineContext, block: Runnable) {
                asked++
                tasks += block
            }

            fun runAll() = generateSequence { tasks.poll() }.forEach { it.run() }
        }

        test("a thousand that start together wake few threads, and each of them runs once") {
            val threads = HandRun()
            val dispatcher = HandlerDispatcher(threads)
            val runs = IntArray(1_000)
            repeat(1_000) { n -> dispatcher.dispatch(EmptyCoroutineContext) { runs[n]++ } }
            threads.asked shouldBe 1
            threads.runAll()
            runs.count { it == 1 } shouldBe 1_000
            threads.asked shouldBeLessThan 50
        }

        test("a thread that has had its turn goes behind others who want one") {
            val threads = HandRun()
            val dispatcher = HandlerDispatcher(threads)
            val order = ArrayList<String>()
            repeat(1_000) { dispatcher.dispatch(EmptyCoroutineContext) { order += "handler" } }
            threads.dispatch(EmptyCoroutineContext) { order += "somebody else" }
            threads.runAll()
            order.indexOf("somebody else") shouldBeLessThan 200
            order.size shouldBe 1_001
        }

        test("handlers that block their threads hold up nobody as long as there is another thread") {
            val pool = Executors.newFixedThreadPool(4)
            try {
                val dispatcher = HandlerDispatcher(pool.asCoroutineDispatcher())
                val scope = CoroutineScope(dispatcher)
                // None of the three gets past it before all three are there, each on a thread of its own.
                val together = CountDownLatch(3)
                val done = AtomicInteger()
                val blocking = List(3) {
                    scope.launch {
                        together.countDown()
                        check(together.await(1, TimeUnit.MINUTES)) { "The others were not begun." }
                    }
                }
                (blocking + List(500) { scope.launch { done.incrementAndGet() } }).joinAll()
                done.get() shouldBe 500
            } finally {
                pool.shutdown()
            }
        }

        test("nothing is forgotten, however many come and yield at once") {
            val dispatcher = HandlerDispatcher()
            val done = AtomicInteger()
            coroutineScope {
                repeat(8) {
                    launch(dispatcher) {
                        repeat(500) {
                            launch {
                                yield()
                                done.incrementAndGet()
                            }
                        }
                    }
                }
            }
            done.get() shouldBe 4_000
        }

        test("one that throws does not take those behind it along") {
            val threads = HandRun()
            val dispatcher = HandlerDispatcher(threads)
            var ran = false
            dispatcher.dispatch(EmptyCoroutineContext) { error("thrown past every coroutine") }
            dispatcher.dispatch(EmptyCoroutineContext) { ran = true }
            repeat(3) { runCatching { threads.runAll() } }
            ran shouldBe true
        }

        test("a pool that is shut down cancels what it is asked to run") {
            val pool = Executors.newSingleThreadExecutor()
            val scope = CoroutineScope(
                SupervisorJob() + HandlerDispatcher(pool.asCoroutineDispatcher()) + CoroutineExceptionHandler { _, _ -> },
            )
            pool.shutdown()
            val late = scope.launch { }
            late.join()
            late.isCancelled shouldBe true
        }
    })
