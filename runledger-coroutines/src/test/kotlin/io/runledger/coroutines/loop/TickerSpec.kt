package io.runledger.coroutines.loop

import ch.qos.logback.classic.Level
import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.read.ListAppender
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.watch.Observers
import io.runledger.model.error.RunledgerException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runTest
import org.slf4j.LoggerFactory
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class TickerSpec :
    FunSpec({
        val logger = LoggerFactory.getLogger(LedgerHealth::class.java) as Logger
        val logged = ListAppender<ILoggingEvent>()

        beforeTest {
            logged.list.clear()
            logged.start()
            logger.level = Level.INFO
            logger.addAppender(logged)
        }

        afterTest {
            logger.detachAppender(logged)
            logger.level = null
        }

        fun TestScope.health() =
            LedgerHealth("silent worker", Observers(emptyList(), backgroundScope), 20.seconds, testScheduler.timeSource)

        fun said() = logged.list.filter { "silent worker" in it.formattedMessage }.map { "${it.level}" }

        test("a pass that gets no answer is reported once while it waits, and once more when the answer comes") {
            runTest {
                val ticker = Ticker("loop", health())
                backgroundScope.launch {
                    ticker.run {
                        delay(5.minutes)
                        Duration.INFINITE
                    }
                }

                advanceTimeBy(19.seconds)
                said().shouldBeEmpty()

                advanceTimeBy(4.minutes)
                said() shouldContainExactly listOf("WARN")
                logged.list.single().throwableProxy.message shouldContain "socketTimeout"

                advanceTimeBy(1.minutes)
                said() shouldContainExactly listOf("WARN", "INFO")
            }
        }

        test("a pass that asks nothing does not say that the ledger can be used again, one that asks does") {
            runTest {
                val health = health()
                val ticker = Ticker("keeper", health)
                var passes = 0
                backgroundScope.launch {
                    ticker.run {
                        passes++
                        if (passes == 1) away()
                        ticker.idle()
                        1.seconds
                    }
                }

                advanceTimeBy(1.minutes)
                said() shouldContainExactly listOf("WARN")

                backgroundScope.launch { Ticker("claims", health).run { Duration.INFINITE } }
                advanceTimeBy(1.seconds)
                said() shouldContainExactly listOf("WARN", "INFO")
            }
        }

        test("a pass that blocks its thread is reported while it blocks") {
            val reported = CountDownLatch(1)
            val observer = object : WorkerObserver {
                override fun unavailable(failure: RunledgerException) = reported.countDown()
            }
            coroutineScope {
                val observers = Observers(listOf(observer), CoroutineScope(coroutineContext + Dispatchers.IO + Job()))
                val ticker = Ticker("loop", LedgerHealth("silent worker", observers, patience = 1.milliseconds))
                val passed = CompletableDeferred<Unit>()
                val loop = launch(Dispatchers.Default) {
                    ticker.runIn(Dispatchers.IO.limitedParallelism(1)) {
                        reported.await()
                        passed.complete(Unit)
                        Duration.INFINITE
                    }
                }
                passed.await()
                loop.cancel()
            }
        }

        listOf(1, 8).forEach { wakers ->
            test("a wake during a pass causes a further pass, however the two meet, with $wakers at a time") {
                coroutineScope {
                    val observers = Observers(emptyList(), CoroutineScope(Job()))
                    val ticker = Ticker("loop", LedgerHealth("silent worker", observers))
                    val queue = ConcurrentLinkedQueue<CompletableDeferred<Unit>>()
                    val loop = launch(Dispatchers.Default) {
                        ticker.runIn(Dispatchers.IO.limitedParallelism(1)) {
                            generateSequence(queue::poll).forEach { it.complete(Unit) }
                            Duration.INFINITE
                        }
                    }
                    List(wakers) {
                        launch(Dispatchers.Default) {
                            repeat(5_000) {
                                val item = CompletableDeferred<Unit>()
                                queue += item
                                ticker.wake()
                                item.await()
                            }
                        }
                    }.joinAll()
                    loop.cancel()
                }
            }
        }
    })
