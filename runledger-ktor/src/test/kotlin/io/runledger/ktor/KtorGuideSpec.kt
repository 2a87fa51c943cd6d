package io.runledger.ktor

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.ktor.server.application.install
import io.ktor.server.application.plugin
import io.ktor.server.response.respondText
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.micrometer.core.instrument.simple.SimpleMeterRegistry
import io.opentelemetry.api.trace.Span
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator
import io.opentelemetry.context.propagation.ContextPropagators
import io.opentelemetry.sdk.OpenTelemetrySdk
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter
import io.opentelemetry.sdk.trace.SdkTracerProvider
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor
import io.runledger.coroutines.WorkerObserver
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.test.freshLedger
import io.runledger.test.until
import kotlinx.coroutines.CompletableDeferred
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.SchemaUtils
import org.jetbrains.exposed.v1.jdbc.selectAll
import org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import java.util.concurrent.CopyOnWriteArrayList

/** What the page about Ktor shows, runs. */
class KtorGuideSpec :
    FunSpec({
        val guide = KtorGuide({ "parcel of ${it.order}" }, CopyOnWriteArrayList())

        test("the shop commits its order and the job together") {
            val ledger = freshLedger()
            val orders = Database.connect(ledger.dataSource)
            try {
                transaction(orders) { SchemaUtils.create(Orders) }
                var isClosed = false
                val service = Service {
                    with(guide) {
                        closing { isClosed = true }
                        shop(ledger.dataSource, orders)
                    }
                }

                service.use { visitor ->
                    visitor.post("/orders/A-1001").statusCode() shouldBe 202
                    until("the parcel is shipped") {
                        ledger.client.jobs.list(Scope.global(), JobQuery.all()).items().map { it.status() } ==
                            listOf(JobStatus.SUCCEEDED)
                    }
                    transaction(orders) { Orders.selectAll().map { it[Orders.number] } } shouldContainExactly listOf("A-1001")
                }

                isClosed shouldBe true
            } finally {
                TransactionManager.closeAndUnregister(orders)
            }
        }

        test("an equipped worker has its settings, its trigger and its health route") {
            val ledger = freshLedger()
            val service = Service {
                with(guide) { equipped(ledger.dataSource, ledger.database.dataSource(), object : WorkerObserver {}) }
            }

            service.use { visitor ->
                visitor.get("/health").statusCode() shouldBe 200
                val client = service.application.runledger
                client.schema shouldBe "shop_jobs"
                until("the worker is on the list") { client.workers.list().isNotEmpty() }
                client.workers.list().single().let { it.slots() to it.labels() } shouldBe (16 to setOf("eu"))
                until("the trigger is stored") { client.schedules.find(Scope.global(), "inbox") != null }
            }
        }

        test("a measured worker counts its attempts, and a trace goes from the call to the handler") {
            val ledger = freshLedger()
            val registry = SimpleMeterRegistry()
            val spans = InMemorySpanExporter.create()
            val openTelemetry = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build())
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build()
            val tracer = openTelemetry.getTracer("test")
            val seen = CompletableDeferred<String>()
            val traced = KtorGuide({ Span.current().spanContext.traceId.also(seen::complete) }, CopyOnWriteArrayList())
            val service = Service {
                with(traced) { measured(ledger.dataSource, registry, openTelemetry) }
                routing {
                    post("/parcels/{order}") {
                        val span = tracer.spanBuilder("POST /parcels").startSpan()
                        span.makeCurrent().use {
                            call.runledger.jobs.enqueue(shipParcel, Parcel(call.parameters["order"]!!))
                        }
                        span.end()
                        call.respondText(span.spanContext.traceId)
                    }
                }
            }

            service.use { visitor ->
                val trace = visitor.post("/parcels/A-1").body()

                seen.await() shouldBe trace
                until("the attempt is counted") {
                    registry.find("runledger.job.attempts").tags("type", "parcels.ship", "result", "succeeded").counter()
                        ?.count() == 1.0
                }
                until("all spans have ended") { spans.finishedSpanItems.size == 3 }
                spans.finishedSpanItems.map { it.name to it.traceId } shouldContainExactlyInAnyOrder
                    listOf("POST /parcels", "enqueue parcels.ship", "process parcels.ship").map { it to trace }
                until("the fleet's gauges show the worker") {
                    registry.find("runledger.fleet.workers").tags("state", "working").gauge()?.value() == 1.0
                }
            }
        }

        test("the console is open to an operator and closed to others") {
            val ledger = freshLedger()
            var name: String? = null
            val service = Service { with(guide) { operated(ledger.dataSource) { name } } }

            service.use { visitor ->
                visitor.get("/runledger").statusCode() shouldBe 401
                name = "Ada"
                visitor.get("/runledger").statusCode() shouldBe 200
            }
        }

        test("the second ledger has its own client and health route") {
            val main = freshLedger()
            val audit = freshLedger()
            audit.client.definitions.declare(shipParcel)
            val service = Service { with(guide) { twoLedgers(main.dataSource, audit.dataSource) } }

            service.use { visitor ->
                visitor.post("/parcels/A-1").statusCode() shouldBe 200
                visitor.get("/health/audit").statusCode() shouldBe 200
                audit.client.jobs.list(Scope.global(), JobQuery.all()).items().size shouldBe 1
                main.client.jobs.list(Scope.global(), JobQuery.all()).items().size shouldBe 0
            }
        }

        test("an installed ledger is found by its plugin") {
            val ledger = freshLedger()
            val service = Service { install(Runledger) { dataSource = ledger.dataSource } }

            service.use {
                service.application.plugin(Runledger).client.isSameLedger(ledger.client) shouldBe true
            }
        }
    })
