package io.runledger.coroutines.crash

import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.read.ListAppender
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.Witness
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.working
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.future.asCompletableFuture
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withTimeout
import org.slf4j.LoggerFactory
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration.Companion.seconds

/** A network that drops all packets without an error. */
class BlackHoleSpec :
    FunSpec({
        val everyLoop = quick {
            workerId("cut off").lease(Duration.ofSeconds(2)).scheduler(true)
                .reaper(true).reaperInterval(Duration.ofMillis(100)).reaperRetryDelay(Duration.ofMillis(1))
        }

        fun Witness.causes() = told.filter { it.what == "unavailable" }.map { (it.detail as RunledgerException).code() }

        /** Each cause is reported once, and its end once. */
        fun Witness.shouldHaveToldChangesOnly() {
            val open = mutableSetOf<ErrorCode>()
            told.forEach {
                if (it.what == "unavailable") open.add((it.detail as RunledgerException).code()) shouldBe true
                if (it.what == "available") open.isEmpty() shouldBe false
                if (it.what == "available") open.clear()
            }
        }

        fun logged(): List<ILoggingEvent> {
            val appender = ListAppender<ILoggingEvent>().apply { start() }
            val logger = LoggerFactory.getLogger(LedgerHealth::class.java) as Logger
            logger.addAppender(appender)
            autoClose(AutoCloseable { logger.detachAppender(appender) })
            return appender.list
        }

        test("a silence longer than the lease costs the running job its lease, and work goes on by itself over new connections") {
            val ledger = freshLedger()
            ledger.define(wait)
            val running = ledger.enqueue(wait, "")
            val line = autoClose(Line(ledger.database))
            val door = CountedDoor(line.dataSource { socketTimeout = 1 })
            val go = CompletableDeferred<Unit>()
            val reasons = ConcurrentLinkedQueue<Cancellation.Reason>()
            val handlers = handlers {
                on(wait) { job ->
                    job.cancellation().onRequest { reasons += it }
                    go.await()
                }
            }
            val log = logged()
            lateinit var told: Witness

            working(ledger.clientOn(door), handlers, everyLoop) { witness ->
                told = witness
                witness.await("started", running)
                line.silence()
                val before = door.count
                witness.await("unavailable")
                witness.await("lost", running)
                door.await(more = 8)
                (door.count - before) shouldBeLessThan 80
                line.forget()
                witness.await("available")
                witness.awaitAll("started", running, count = 2)
                go.complete(Unit)
                witness.await("succeeded", running)
            }

            told.causes() shouldContain ErrorCode.DB_UNREACHABLE
            told.shouldHaveToldChangesOnly()
            log.count { "cut off" in it.formattedMessage && "WARN" == "${it.level}" } shouldBe told.causes().size
            reasons.first() shouldBe Cancellation.Reason.LEASE_LOST
            ledger.job(running).status() shouldBe JobStatus.SUCCEEDED
        }

        test("calls without a time limit are reported while they hang, and go on when the network does") {
            val ledger = freshLedger()
            ledger.define(wait)
            val line = autoClose(Line(ledger.database))
            val handlers = handlers { on(wait) { } }

            working(ledger.clientOn(line.dataSource()), handlers, everyLoop) { witness ->
                witness.await("succeeded", ledger.enqueue(wait, ""))
                line.silence()
                val cause = witness.awaitUnavailable(ErrorCode.DB_UNREACHABLE)
                line.restore()
                witness.await("available")
                witness.await("succeeded", ledger.enqueue(wait, ""))

                cause.message.orEmpty() shouldContain "socketTimeout"
                witness.shouldHaveToldChangesOnly()
            }
        }

        test("a worker ends by its deadline although every call hangs, its handlers' calls too") {
            val ledger = freshLedger()
            ledger.define(wait, charge)
            val suspended = ledger.enqueue(wait, "")
            val calling = ledger.enqueue(charge, 1)
            val line = autoClose(Line(ledger.database))
            val hung = CompletableDeferred<Unit>()
            val go = CompletableDeferred<Unit>()
            val handlers = handlers {
                on(wait) { CompletableDeferred<Unit>().await() }
                blocking(charge) { job ->
                    go.asCompletableFuture().join()
                    hung.complete(Unit)
                    job.progress(1, 2)
                    JobOutcome.succeeded()
                }
            }
            val witness = Witness()
            val worker = RunledgerWorker.builder(ledger.clientOn(line.dataSource())).handlers(handlers).observe(witness)
                .config(quick { stopGrace(Duration.ofMillis(200)) })
                .start()
            witness.await("started", suspended)
            witness.await("started", calling)
            line.silence()
            go.complete(Unit)
            hung.await()

            val report = withTimeout(30.seconds) { worker.stop().await() }

            report.abandoned.toSet() shouldBe setOf(suspended, calling)
            report.finished shouldBe 0
        }
    })
