package io.runledger.ktor

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.ApplicationStopped
import io.ktor.server.application.install
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.micrometer.core.instrument.MeterRegistry
import io.opentelemetry.api.OpenTelemetry
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.coroutines.WorkerObserver
import io.runledger.dsl.jobType
import io.runledger.micrometer.LedgerMetrics
import io.runledger.micrometer.WorkerMetrics
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.PollResult
import io.runledger.opentelemetry.RunledgerTelemetry
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.insert
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import java.time.Duration
import javax.sql.DataSource
import kotlin.time.Duration.Companion.minutes

internal data class Parcel(val order: String)

internal val shipParcel = jobType<Parcel>("parcels.ship")

internal object Orders : Table("orders") {
    val number = text("number")
    val isPaid = bool("paid").default(false)
}

/** The code on the page docs/ktor.md. */
internal class KtorGuide(private val carrier: (Parcel) -> String, private val alerts: MutableList<String>) {
    fun Application.shop(pool: DataSource, orders: Database) {
        install(Runledger) {
            dataSource = pool
            database = orders
            handlers {
                on(shipParcel) { job -> carrier(job.payload()) }
            }
        }
        routing {
            post("/orders/{number}") {
                val number = call.parameters["number"]!!
                withContext(Dispatchers.IO) {
                    transaction(orders) {
                        Orders.insert { it[Orders.number] = number }
                        call.runledger.jobs.enqueue(shipParcel, Parcel(number))
                    }
                }
                call.respond(HttpStatusCode.Accepted)
            }
        }
    }

    fun Application.closing(pool: AutoCloseable) {
        monitor.subscribe(ApplicationStopped) { pool.close() }
    }

    fun Application.equipped(pool: DataSource, owner: DataSource, metrics: WorkerObserver) {
        install(Runledger) {
            dataSource = pool
            schema = "shop_jobs"
            migrate(owner)
            handlers {
                on(shipParcel) { job -> carrier(job.payload()) }
            }
            worker { maxConcurrency(16).labels("eu").shutdownGrace(Duration.ofSeconds(20)) }
            observe(metrics)
            equip {
                onDeadLetter("alert") { letter -> alerts += letter.jobType() }
                trigger("inbox", every = 5.minutes) { PollResult.skip() }
            }
            client { maxPayloadBytes(64 * 1024) }
        }
        routing { runledgerHealth("/health") }
    }

    fun Application.measured(pool: DataSource, registry: MeterRegistry, openTelemetry: OpenTelemetry) {
        val telemetry = RunledgerTelemetry.create(openTelemetry)
        val ledger = install(Runledger) {
            dataSource = pool
            handlers {
                on(shipParcel) { job -> carrier(job.payload()) }
            }
            client { telemetry.trace(this) }
            equip {
                telemetry.trace(this)
                meter(WorkerMetrics(registry))
            }
        }
        LedgerMetrics(ledger.client).bindTo(registry)
    }

    fun Application.operated(pool: DataSource, operatorOf: (ApplicationCall) -> String?) {
        install(Runledger) { dataSource = pool }
        routing {
            runledgerConsole("/runledger") { call ->
                operatorOf(call)?.let { name -> ConsoleUser(name, ConsoleRole.OPERATOR, Scope.everything()) }
            }
        }
    }

    fun Application.twoLedgers(pool: DataSource, auditPool: DataSource) {
        install(Runledger) { dataSource = pool }
        install(Runledger("audit")) { dataSource = auditPool }
        routing {
            post("/parcels/{order}") {
                val job = call.runledger("audit").jobs.enqueue(shipParcel, Parcel(call.parameters["order"]!!))
                call.respondText("${job.id()}")
            }
            runledgerHealth("/health/audit", Runledger("audit"))
        }
    }
}
