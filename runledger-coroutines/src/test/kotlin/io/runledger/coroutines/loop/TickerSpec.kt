package io.runledger.coroutines.loop

import ch.qos.logback.classic.Level
import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.read.ListAppender
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.watch.Observers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runTest
import org.slf4j.LoggerFactory
import kotlin.time.Duration
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

        fun TestScope.health() = LedgerHealth("silent worker", Observers(emptyList(), backgroundScope), patience = 20.seconds)

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
    })
