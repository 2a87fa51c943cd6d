package io.runledger.ktor

import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationStopped
import io.ktor.server.application.ApplicationStopping
import io.ktor.server.application.DuplicatePluginException
import io.ktor.server.application.MissingApplicationPluginException
import io.ktor.server.application.install
import io.ktor.server.application.plugin
import io.ktor.server.response.respondText
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import io.runledger.test.until
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import java.io.IOException
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue

private data class Order(val number: Int)

private val ship = jobType<Order>("ship")

class LifecycleSpec :
    FunSpec({
        test("the plugin migrates, declares the types, and runs the jobs that the application enqueues") {
            val ledger = freshLedger()
            val outcomes = Outcomes()
            val service = Service {
                install(Runledger) {
                    dataSource = ledger.dataSource
                    schema = "fresh"
                    migrate()
                    handlers { on(ship) { job -> "shipped ${job.payload().number}" } }
                    observe(outcomes)
                }
                routing { post("/orders") { call.respondText("${call.runledger.jobs.enqueue(ship, Order(7)).id()}") } }
            }

            service.use { visitor ->
                val job = UUID.fromString(visitor.post("/orders").body())

                outcomes.success() shouldBe job
                service.application.runledger.schema shouldBe "fresh"
                service.application.runledger.jobs.get(Scope.global(), job).status() shouldBe JobStatus.SUCCEEDED
            }
        }

        test("the owner of the schema migrates it, and the application uses its own role") {
            val ledger = freshLedger()
            val service = Service {
                install(Runledger) {
                    dataSource = ledger.dataSource
                    schema = "owned"
                    migrate(owner = ledger.database.dataSource())
                }
            }

            service.use { service.application.runledger.requireCompatibleSchema() }
        }

        test("without a migration, the plugin refuses a schema that holds no ledger") {
            val ledger = freshLedger()
            val service = Service {
                install(Runledger) {
                    dataSource = ledger.dataSource
                    schema = "nothing_here"
                }
            }

            shouldThrow<RunledgerException> { service.start() }.code().wire() shouldBe "schema.missing"
            service.stop()
        }

        listOf(
            // CIO raises ApplicationStopPreparing only if it has a grace. What closes in ApplicationStopped needs none.
            Triple("ApplicationStopping", ApplicationStopping, Duration.ofMinutes(1)),
            Triple("ApplicationStopped", ApplicationStopped, Duration.ZERO),
        ).forEach { (name, closing, grace) ->
            test("a running job ends before the application closes its pool in $name, and the worker claims no other") {
                val ledger = freshLedger()
                val pool = ledger.pool()
                val begun = CompletableDeferred<UUID>()
                val mayEnd = CompletableDeferred<Unit>()
                val outcomes = Outcomes()
                val service = Service {
                    // Before the plugin, so that it is also called before the plugin.
                    monitor.subscribe(closing) { pool.close() }
                    install(Runledger) {
                        dataSource = pool
                        handlers {
                            on(ship) { job ->
                                begun.complete(job.jobId())
                                mayEnd.await()
                                job.writeLog(LogLevel.INFO, "The order has left.")
                            }
                        }
                        worker { maxConcurrency(1) }
                        observe(outcomes)
                    }
                }.start()
                val running = ledger.client.jobs.enqueue(ship, Order(1)).id()
                begun.await() shouldBe running
                val installed = service.application.plugin(Runledger)
                val waiting = ledger.client.jobs.enqueue(ship, Order(2)).id()

                coroutineScope {
                    val stop = async { service.stop(grace) }
                    until("the worker stops") { installed.workerPhase == WorkerPhase.STOPPING }
                    pool.isClosed shouldBe false
                    mayEnd.complete(Unit)
                    stop.await()
                }

                pool.isClosed shouldBe true
                installed.workerPhase shouldBe WorkerPhase.STOPPED
                ledger.statusOf(running) shouldBe JobStatus.SUCCEEDED
                ledger.statusOf(waiting) shouldBe JobStatus.PENDING
                outcomes.end().abandoned.shouldBeEmpty()
            }
        }

        test("a job that exceeds the grace is released, and keeps its attempt") {
            val ledger = freshLedger()
            val begun = CompletableDeferred<UUID>()
            val outcomes = Outcomes()
            val service = Service {
                install(Runledger) {
                    dataSource = ledger.dataSource
                    handlers {
                        on(ship) { job ->
                            begun.complete(job.jobId())
                            awaitCancellation()
                        }
                    }
                    worker { shutdownGrace(Duration.ZERO) }
                    observe(outcomes)
                }
            }.start()
            val job = ledger.client.jobs.enqueue(ship, Order(1)).id()
            begun.await()

            service.stop()

            outcomes.end().released shouldBe 1
            ledger.statusOf(job) shouldBe JobStatus.PENDING
            ledger.client.jobs.story(Scope.global(), job).attempts().map { it.outcome() } shouldContainExactly
                listOf(AttemptOutcome.INTERRUPTED)
        }

        test("started and stopped again and again under load, the service loses no order and runs none twice") {
            val ledger = freshLedger()
            val accepted = ConcurrentLinkedQueue<UUID>()
            val runs = ConcurrentHashMap<UUID, Int>()

            repeat(SERVICES) {
                val enough = CompletableDeferred<Unit>()
                val pool = ledger.pool()
                val service = Service {
                    monitor.subscribe(ApplicationStopped) { pool.close() }
                    install(Runledger) {
                        dataSource = pool
                        handlers {
                            on(ship) { job ->
                                runs.merge(job.jobId(), 1, Int::plus)
                                if (runs.size >= (it + 1) * ORDERS) enough.complete(Unit)
                            }
                        }
                    }
                    routing { post("/orders") { call.respondText("${call.runledger.jobs.enqueue(ship, Order(1)).id()}") } }
                }.start()
                coroutineScope {
                    val callers = List(4) { launch(Dispatchers.IO) { callUntilGone(service.visitor, accepted) } }
                    enough.await()
                    service.stop()
                    callers.joinAll()
                }
            }

            ledger.work(handlers { on(ship) { job -> runs.merge(job.jobId(), 1, Int::plus) } })
            accepted.size shouldBeGreaterThan SERVICES * ORDERS / 2
            runs.keys shouldContainAll accepted
            runs.values.filter { it != 1 }.shouldBeEmpty()
            ledger.client.jobs.list(Scope.global(), unfinished).items().shouldBeEmpty()
            ledger.client.verify().isSound shouldBe true
        }

        test("a reload ends the worker of the old application before the new one starts its own") {
            val ledger = freshLedger()
            val installed = ArrayList<InstalledLedger>()
            val outcomes = ArrayList<Outcomes>()
            val service = Service {
                val observer = Outcomes().also { outcomes += it }
                installed += install(Runledger) {
                    dataSource = ledger.dataSource
                    handlers { on(ship) {} }
                    observe(observer)
                }
            }

            service.use {
                repeat(2) { service.server.reload() }

                installed.map { it.workerPhase } shouldContainExactly
                    listOf(WorkerPhase.STOPPED, WorkerPhase.STOPPED, WorkerPhase.RUNNING)
                outcomes.dropLast(1).forEach { it.end() }
                ledger.client.jobs.enqueue(ship, Order(1)).id() shouldBe outcomes.last().success()
            }

            installed.last().workerPhase shouldBe WorkerPhase.STOPPED
        }

        test("a reload that fails leaves no worker, and the next one starts one") {
            val ledger = freshLedger()
            val installed = ArrayList<InstalledLedger>()
            val service = Service {
                installed += install(Runledger) {
                    dataSource = ledger.dataSource
                    handlers { on(ship) {} }
                }
                check(installed.size != 2) { "the module fails" }
            }

            service.use {
                shouldThrow<IllegalStateException> { service.server.reload() }.message shouldBe "the module fails"
                installed.map { it.workerPhase } shouldContainExactly listOf(WorkerPhase.STOPPED, WorkerPhase.STOPPED)

                service.server.reload()

                installed.last().workerPhase shouldBe WorkerPhase.RUNNING
            }
        }

        test("the worker starts when the application has started, with the handlers of all blocks") {
            val ledger = freshLedger()
            val whileLoading = CompletableDeferred<WorkerPhase>()
            val service = Service {
                val installed = install(Runledger) {
                    dataSource = ledger.dataSource
                    handlers { on(ship) {} }
                    handlers { on(jobType<Order>("bill")) {} }
                }
                whileLoading.complete(installed.workerPhase)
            }

            service.use {
                whileLoading.await() shouldBe WorkerPhase.STARTING
                service.application.plugin(Runledger).workerPhase shouldBe WorkerPhase.RUNNING
                ledger.client.definitions.get("bill").jobType() shouldBe "bill"
            }
        }

        test("an application without handlers, or with its worker disabled, only enqueues") {
            val ledger = freshLedger()
            suspend fun phase(configure: RunledgerConfig.() -> Unit): WorkerPhase {
                val service = Service {
                    install(Runledger) {
                        dataSource = ledger.dataSource
                        configure()
                    }
                }
                var phase: WorkerPhase? = null
                service.use {
                    service.application.runledger.jobs.enqueue(ship, Order(1))
                    phase = service.application.plugin(Runledger).workerPhase
                }
                return checkNotNull(phase)
            }
            ledger.client.definitions.declare(ship)

            phase {} shouldBe WorkerPhase.NONE
            phase {
                isWorkerEnabled = false
                handlers { on(ship) {} }
            } shouldBe WorkerPhase.NONE
            ledger.client.workers.list().shouldBeEmpty()
        }

        test("an application has several ledgers, each with its name") {
            val main = freshLedger()
            val audit = freshLedger("audit")
            val outcomes = Outcomes()
            val service = Service {
                install(Runledger) { dataSource = main.dataSource }
                install(Runledger("audit")) {
                    dataSource = audit.dataSource
                    schema = "audit"
                    handlers { on(ship) {} }
                    observe(outcomes)
                }
                routing { post("/orders") { call.respondText("${call.runledger("audit").jobs.enqueue(ship, Order(1)).id()}") } }
            }

            service.use { visitor ->
                "${visitor.post("/orders").body()}" shouldBe "${outcomes.success()}"
                service.application.runledger.schema shouldBe "runledger"
                shouldThrow<MissingApplicationPluginException> { service.application.runledger("other") }
                    .message shouldContain "Runledger(other)"
            }
        }

        test("a second installation of one ledger is refused") {
            val ledger = freshLedger()
            fun Application.twice(plugin: LedgerPlugin) = repeat(2) { install(plugin) { dataSource = ledger.dataSource } }

            listOf(Runledger, Runledger("audit")).forEach { plugin ->
                val service = Service { twice(plugin) }
                shouldThrow<DuplicatePluginException> { service.start() }
                service.stop()
            }
        }
    })

private val unfinished: JobQuery =
    JobQuery.builder().statuses(*JobStatus.entries.filterNot { it == JobStatus.SUCCEEDED }.toTypedArray()).build()

private const val SERVICES = 4
private const val ORDERS = 60

private fun TestLedger.pool() = HikariDataSource().also {
    it.dataSource = database.dataSource()
    it.maximumPoolSize = 10
}

private fun TestLedger.statusOf(job: UUID): JobStatus = client.jobs.get(Scope.global(), job).status()

/** Orders without a pause, and keeps what was accepted, until the service no longer answers. */
private suspend fun callUntilGone(visitor: Visitor, accepted: MutableCollection<UUID>) {
    while (true) {
        val answer = try {
            visitor.post("/orders")
        } catch (_: IOException) {
            return
        }
        if (answer.statusCode() != 200) return
        accepted += UUID.fromString(answer.body())
    }
}
