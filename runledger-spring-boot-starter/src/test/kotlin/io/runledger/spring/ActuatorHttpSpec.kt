package io.runledger.spring

import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.coroutines.Handlers
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.test.until
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.context.annotation.Bean
import tools.jackson.databind.JsonNode
import tools.jackson.databind.json.JsonMapper
import java.net.http.HttpResponse
import java.util.concurrent.ConcurrentLinkedQueue
import javax.sql.DataSource

private val parcel = JobType.of("parcel", String::class.java)

class Carried {
    val parcels = ConcurrentLinkedQueue<String>()
}

@SpringBootConfiguration(proxyBeanMethods = false)
class ParcelApplication {
    @Bean
    fun carried() = Carried()

    @Bean
    fun parcels(carried: Carried): Handlers = Handlers.builder().blocking(parcel) { job ->
        carried.parcels += job.payload()
        JobOutcome.succeeded()
    }.build()
}

/** What an operator and a platform see of an application over HTTP. */
class ActuatorHttpSpec :
    FunSpec({
        fun HttpResponse<String>.json(): JsonNode = JsonMapper().readTree(body())

        test("the endpoint answers over HTTP with the jobs and the workers of each ledger") {
            application(
                freshDatabase(),
                "server.port=0",
                "management.endpoints.web.exposure.include=runledger",
                beans = listOf(ParcelApplication::class, TwoLedgers::class),
                web = WebApplicationType.SERVLET,
            ).use { app ->
                app.client.jobs.enqueue(parcel, "A-1")
                until("the parcel is carried") { app.bean<Carried>().parcels.isNotEmpty() }
                until("both workers are registered") {
                    listOf("runledgerClient", "auditClient").all {
                        app.get("/actuator/runledger").json()[it]["workers"].size() ==
                            1
                    }
                }

                val answer = app.get("/actuator/runledger")
                answer.statusCode() shouldBe 200
                answer.headers().firstValue("Content-Type").get() shouldContain "json"
                val ledgers = answer.json()
                ledgers.propertyNames().toList() shouldContainExactlyInAnyOrder listOf("runledgerClient", "auditClient")
                ledgers["runledgerClient"]["schema"].asString() shouldBe "runledger"
                ledgers["auditClient"]["schema"].asString() shouldBe "audit"
                ledgers["runledgerClient"]["workers"].single()["jobTypes"].toList().map {
                    it.asString()
                } shouldContainExactlyInAnyOrder
                    listOf("count", "parcel")
                ledgers["runledgerClient"]["jobTypes"].single { it["jobType"].asString() == "parcel" }["window"].asString()
                    .isNotEmpty() shouldBe true
                // Payloads may be confidential; the endpoint shows numbers and names only.
                answer.body() shouldNotContain "A-1"
            }
        }

        test("the endpoint is not served unless the application exposes it") {
            application(freshDatabase(), "server.port=0", web = WebApplicationType.SERVLET).use { app ->
                app.get("/actuator/runledger").statusCode() shouldBe 404
                app.get("/actuator/health").statusCode() shouldBe 200
            }
        }

        test(
            "while the database is away the application is alive and refuses traffic, and accepts it once the database is back",
        ) {
            EmbeddedPostgres.builder().durable().start().use { server ->
                application(
                    null,
                    "spring.datasource.url=${server.database("postgres").url}",
                    "spring.datasource.hikari.connection-timeout=250",
                    "server.port=0",
                    "management.endpoint.health.probes.enabled=true",
                    "management.endpoint.health.show-details=always",
                    "runledger.worker.max-poll-interval=200ms",
                    beans = listOf(ParcelApplication::class),
                    web = WebApplicationType.SERVLET,
                ).use { app ->
                    fun status(path: String) = app.get(path).statusCode()
                    status("/actuator/health/readiness") shouldBe 200
                    app.client.jobs.enqueue(parcel, "before")
                    until("a job has run") { app.bean<Carried>().parcels.toList() == listOf("before") }

                    server.kill()
                    until("traffic is refused") { status("/actuator/health/readiness") == 503 }
                    status("/actuator/health/liveness") shouldBe 200
                    app.bean<RunledgerWorkerLifecycle>().isRunning shouldBe true
                    val health = app.get("/actuator/health")
                    health.statusCode() shouldBe 503
                    health.json()["components"]["runledger"]["status"].asString() shouldBe "DOWN"
                    (app.bean<DataSource>() as HikariDataSource).isClosed shouldBe false

                    server.restart()
                    until("traffic is accepted") { status("/actuator/health/readiness") == 200 }
                    until("the ledger is healthy") { status("/actuator/health") == 200 }
                    app.client.jobs.enqueue(parcel, "after")
                    until("the next job has run") { app.bean<Carried>().parcels.toList() == listOf("before", "after") }
                }
            }
        }
    })
