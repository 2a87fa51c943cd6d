package io.runledger.ktor

import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.application.plugin
import io.ktor.server.routing.routing
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.json.JacksonCodec
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.json.Json
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.test.freshLedger
import io.runledger.test.until
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import java.net.http.HttpResponse
import java.sql.Connection
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource
import kotlin.time.Duration.Companion.milliseconds

private val wait = jobType<String>("wait")

private fun HttpResponse<String>.json(): Map<*, *> = JacksonCodec().decode(Json(body()), Map::class.java) as Map<*, *>

class HealthSpec :
    FunSpec({
        fun Application.probed(source: DataSource, configure: RunledgerConfig.() -> Unit = {}) {
            install(Runledger) {
                dataSource = source
                handlers { on(wait) {} }
                configure()
            }
            routing { runledgerHealth() }
        }

        test("a running worker and a ledger that answers are ready") {
            val ledger = freshLedger()

            Service { probed(ledger.dataSource) }.use { visitor ->
                listOf("/health", "/health/ready").forEach { path ->
                    val answer = visitor.get(path)
                    answer.statusCode() shouldBe 200
                    answer.headers().firstValue("Content-Type").get() shouldContain "application/json"
                    answer.headers().firstValue("Cache-Control").get() shouldBe "no-store"
                    answer.json() shouldBe mapOf(
                        "status" to "ready",
                        "worker" to "running",
                        "ledger" to mapOf("schema" to "runledger", "status" to "available", "concerns" to emptyList<String>()),
                    )
                }
                visitor.get("/health/live").json() shouldBe mapOf("status" to "alive", "worker" to "running")
            }
        }

        test("an application that only enqueues is ready without a worker") {
            val ledger = freshLedger()

            Service { probed(ledger.dataSource) { isWorkerEnabled = false } }.use { visitor ->
                val answer = visitor.get("/health")

                answer.statusCode() shouldBe 200
                answer.json()["worker"] shouldBe "none"
            }
        }

        test("it is not ready before it has started, and not while its worker ends its last job") {
            val ledger = freshLedger()
            val begun = CompletableDeferred<Unit>()
            val mayEnd = CompletableDeferred<Unit>()
            val loading = CompletableDeferred<HealthReport>()
            val service = Service {
                val installed = install(Runledger) {
                    dataSource = ledger.dataSource
                    handlers {
                        on(wait) {
                            begun.complete(Unit)
                            mayEnd.await()
                        }
                    }
                }
                routing { runledgerHealth() }
                loading.complete(installed.health())
            }.start()
            val installed = service.application.plugin(Runledger)
            service.application.runledger.jobs.enqueue(wait, "a while")
            begun.await()

            coroutineScope {
                val stop = async { service.stop() }
                until("the worker stops") { installed.workerPhase == WorkerPhase.STOPPING }
                val stopping = installed.health()
                mayEnd.complete(Unit)
                stop.await()

                loading.await().let { it.isReady to it.facts["worker"] } shouldBe (false to "starting")
                stopping.let { it.isReady to it.facts["worker"] } shouldBe (false to "stopping")
                installed.workerPhase shouldBe WorkerPhase.STOPPED
            }
        }

        test("a worker that an operator has stopped is not ready, and no reason for a restart") {
            val ledger = freshLedger()
            val outcomes = Outcomes()

            Service { probed(ledger.dataSource) { observe(outcomes) } }.use { visitor ->
                // The order is for the workers that are registered when it is given.
                until("the worker is registered") { ledger.client.workers.list().isNotEmpty() }
                ledger.client.workers.stop(WorkerSelection.all(), "maintenance")
                outcomes.end()
                until("the worker has ended") { visitor.get("/health").json()["worker"] == "stopped" }

                visitor.get("/health/ready").statusCode() shouldBe 503
                visitor.get("/health/live").statusCode() shouldBe 200
            }
        }

        test("while the database is away it is alive but not ready, and ready again once the database is back") {
            EmbeddedPostgres.builder().durable().start().use { server ->
                val source = server.database("postgres").dataSource()
                RunledgerClient.create(source).migrate()
                HikariDataSource().use { pool ->
                    pool.dataSource = source
                    pool.connectionTimeout = 250
                    val outcomes = Outcomes()
                    Service { probed(pool) { observe(outcomes) } }.use { visitor ->
                        visitor.get("/health").statusCode() shouldBe 200

                        server.kill()
                        outcomes.unavailability()
                        val away = visitor.get("/health")
                        away.statusCode() shouldBe 503
                        away.json()["status"] shouldBe "not ready"
                        away.json()["worker"] shouldBe "running"
                        // Until the pool has failed to connect, it only knows that it has no connection.
                        until("the pool knows why") {
                            visitor.get("/health").json()["ledger"] ==
                                mapOf("schema" to "runledger", "status" to "unavailable", "code" to "db.unreachable")
                        }
                        visitor.get("/health/live").statusCode() shouldBe 200

                        server.restart()
                        until("the database is back") { visitor.get("/health").statusCode() == 200 }
                    }
                }
            }
        }

        test("probes of a database that does not answer share one call, and return when their patience ends") {
            val ledger = freshLedger()
            val answers = CountDownLatch(1)
            val calls = AtomicInteger()
            val silent = object : DataSource by ledger.dataSource {
                override fun getConnection(): Connection {
                    calls.incrementAndGet()
                    answers.await()
                    return ledger.dataSource.connection
                }
            }
            LedgerProbe(RunledgerClient.create(silent), patience = 50.milliseconds).use { probe ->
                val early = coroutineScope { List(20) { async { probe.read() } }.awaitAll() }
                answers.countDown()

                early.map { it.code?.wire() }.distinct() shouldBe listOf("db.unreachable")
                calls.get() shouldBe 1
                until("the database answers") { probe.read().health != null }
            }
        }

        test("the route of a ledger that is not installed is refused with the name of the plugin") {
            val ledger = freshLedger()
            val service = Service {
                install(Runledger) { dataSource = ledger.dataSource }
                routing { runledgerHealth("/health/audit", Runledger("audit")) }
            }

            shouldThrow<IllegalStateException> { service.start() }.message shouldContain
                "Runledger(audit)"
            service.stop()
        }
    })
