package io.runledger.coroutines.crash

import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.read.ListAppender
import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.Witness
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.until
import io.runledger.coroutines.watch.LedgerHealth
import io.runledger.coroutines.working
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.TestPostgres
import kotlinx.coroutines.CompletableDeferred
import org.slf4j.LoggerFactory
import java.time.Duration

private val greet = JobType.of("greet", String::class.java)

class OutageSpec :
    FunSpec({
        fun Witness.health() = told.map { it.what }.filter { it == "unavailable" || it == "available" }

        fun Witness.cause() = (told.single { it.what == "unavailable" }.detail as RunledgerException).code()

        test("a worker survives a server that is killed and comes back, and writes what ended meanwhile") {
            val server = autoClose(EmbeddedPostgres.builder().durable().start())
            val ledger = autoClose(TestLedger(TestPostgres.on(server).freshDatabase()))
            ledger.client.migrate()
            ledger.define(wait, greet)
            val running = ledger.enqueue(wait, "")
            // Without a pool, so that nothing but the worker itself slows its tries down.
            val door = CountedDoor(ledger.database.dataSource())
            val go = CompletableDeferred<Unit>()
            val handlers = handlers {
                on(wait) { go.await() }
                on(greet) { }
            }
            val logged = ListAppender<ILoggingEvent>().apply { start() }
            val logger = LoggerFactory.getLogger(LedgerHealth::class.java) as Logger
            logger.addAppender(logged)

            working(ledger.clientOn(door), handlers, quick { workerId("survivor").reaper(true).scheduler(true) }) { witness ->
                witness.await("started", running)
                server.kill()
                val before = door.count
                witness.await("unavailable")
                go.complete(Unit)
                door.await(more = 8)
                server.restart()
                witness.await("succeeded", running)
                witness.await("available")
                (door.count - before) shouldBeLessThan 80

                val late = ledger.enqueue(greet, "")
                witness.await("succeeded", late)
                witness.health() shouldContainExactly listOf("unavailable", "available")
                witness.cause() shouldBe ErrorCode.DB_UNREACHABLE
            }

            logger.detachAppender(logged)
            logged.list.filter { "survivor" in it.formattedMessage }.map { "${it.level}" } shouldContainExactly listOf("WARN")
            ledger.job(running).attempt() shouldBe 1
        }

        test("a drain stands when the server was killed and came back, and ends when it is lifted then") {
            val server = autoClose(EmbeddedPostgres.builder().durable().start())
            val ledger = autoClose(TestLedger(TestPostgres.on(server).freshDatabase()))
            ledger.client.migrate()
            ledger.define(greet)
            // Without a pool, so that the test meets no connection that is dead already.
            val client = ledger.clientOn(ledger.database.dataSource())
            val config = quick { workerId("survivor").beatInterval(Duration.ofMillis(100)) }

            working(client, handlers { on(greet) { } }, config) { witness ->
                val order = client.workers.drain(WorkerSelection.all(), "Move.").order()
                client.workers.awaitDrained(WorkerSelection.all(), Duration.ofMinutes(1)).join()
                server.kill()
                witness.await("unavailable")
                server.restart()
                witness.await("available")

                val job = client.jobs.enqueue(greet, "").id()
                val back = client.workers.list().single().lastBeatAt()
                until("it has looked again") { client.workers.list().single().lastBeatAt() > back }
                client.workers.standingOrders() shouldContainExactly listOf(order)
                client.workers.list().single().state() shouldBe WorkerState.DRAINED
                client.jobs.get(Scope.everything(), job).status() shouldBe JobStatus.PENDING
                client.workers.resume(order.id(), "Moved.")
                witness.await("succeeded", job)
            }
        }

        test("a worker whose connections are all cut again and again finishes every job") {
            val ledger = freshLedger()
            ledger.define(wait, greet)
            // Without a pool, so that the test itself is never cut off.
            val jobs = ledger.clientOn(ledger.database.dataSource()).jobs
            val running = jobs.enqueue(wait, "").id()
            val go = CompletableDeferred<Unit>()
            val handlers = handlers {
                on(wait) { go.await() }
                on(greet) { }
            }
            // A claim whose answer was cut off is handed on when its lease has run out.
            val config = quick {
                lease(Duration.ofSeconds(2)).reaper(true).reaperInterval(Duration.ofMillis(100))
                    .reaperRetryDelay(Duration.ofMillis(1))
            }

            val report = working(ledger.client, handlers, config) { witness ->
                witness.await("started", running)
                repeat(10) {
                    val cut = List(5) { jobs.enqueue(greet, "").id() }
                    ledger.run(
                        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity " +
                            "WHERE datname = current_database() AND pid <> pg_backend_pid()",
                    )
                    cut.forEach { witness.await("succeeded", it) }
                }
                go.complete(Unit)
                witness.await("succeeded", running)
            }

            jobs.get(Scope.everything(), running).attempt() shouldBe 1
            report.abandoned shouldBe emptyList()
        }

        test("a worker without connections for a while waits for them, and its running job does not notice") {
            val ledger = freshLedger()
            ledger.define(wait, greet)
            val running = ledger.enqueue(wait, "")
            val pool = autoClose(
                HikariDataSource(
                    HikariConfig().apply {
                        dataSource = ledger.database.dataSource()
                        maximumPoolSize = 2
                        connectionTimeout = 1_000
                    },
                ),
            )
            val door = CountedDoor(pool)
            val client = RunledgerClient.builder(door).notifications(false).build()
            val go = CompletableDeferred<Unit>()
            val handlers = handlers {
                on(wait) { go.await() }
                on(greet) { }
            }

            working(client, handlers) { witness ->
                witness.await("started", running)
                val held = List(2) { pool.connection }
                val before = door.count
                witness.await("unavailable")
                go.complete(Unit)
                door.await(more = 4)
                held.forEach { it.close() }
                witness.await("succeeded", running)
                witness.await("available")
                (door.count - before) shouldBeLessThan 40

                val late = ledger.enqueue(greet, "")
                witness.await("succeeded", late)
                witness.health() shouldContainExactly listOf("unavailable", "available")
                witness.cause() shouldBe ErrorCode.DB_POOL_EXHAUSTED
            }

            ledger.job(running).attempt() shouldBe 1
            ledger.job(running).status() shouldBe JobStatus.SUCCEEDED
        }
    })
