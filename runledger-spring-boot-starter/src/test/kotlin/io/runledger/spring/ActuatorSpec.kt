package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.model.job.JobType
import io.runledger.spring.actuate.RunledgerEndpoint
import io.runledger.test.until
import org.springframework.boot.health.contributor.CompositeHealthContributor
import org.springframework.boot.health.contributor.HealthContributor
import org.springframework.boot.health.contributor.HealthIndicator
import org.springframework.boot.health.contributor.Status

private val mail = JobType.of("mail", String::class.java)

class ActuatorSpec :
    FunSpec({
        val exposed = "management.endpoints.jmx.exposure.include=*"

        test("health and endpoint show the ledger, its backlog and its workers") {
            val database = freshDatabase()

            application(database, exposed, "spring.jmx.enabled=true", "runledger.worker.enabled=true").use { app ->
                app.client.definitions.declare(mail)
                app.client.jobs.enqueue(mail, "waits")
                until("the worker is registered") { app.client.workers.list().size == 1 }

                val health = (app.getBean("runledgerHealthContributor") as HealthIndicator).health().shouldNotBeNull()
                health.status shouldBe Status.UP
                health.details shouldContain ("schema" to "runledger")
                health.details shouldContain ("concerns" to emptyList<String>())

                val ledger = app.bean<RunledgerEndpoint>().ledgers().getValue("runledgerClient")
                ledger["schema"] shouldBe "runledger"
                val type = (ledger["jobTypes"] as List<*>).single().shouldBeInstanceOf<Map<*, *>>()
                type["jobType"] shouldBe "mail"
                type["pending"] shouldBe 1L
                val worker = (ledger["workers"] as List<*>).single().shouldBeInstanceOf<Map<*, *>>()
                worker["slots"] shouldBe 32
                worker["isLost"] shouldBe false
            }
        }

        test("a ledger that cannot be read is down, and its health says why") {
            val database = freshDatabase()

            application(database).use { app ->
                database.run("DROP SCHEMA runledger CASCADE")
                val health = (app.getBean("runledgerHealthContributor") as HealthIndicator).health().shouldNotBeNull()
                health.status shouldBe Status.DOWN
            }
        }

        test("several ledgers have one indicator each") {
            application(freshDatabase(), beans = listOf(TwoLedgers::class)).use { app ->
                val health = app.getBean("runledgerHealthContributor", HealthContributor::class.java)
                health.shouldBeInstanceOf<CompositeHealthContributor>().map { it.name() } shouldContainExactlyInAnyOrder
                    listOf("runledgerClient", "auditClient")
            }
        }

        test("both can be turned off") {
            application(freshDatabase(), "management.health.runledger.enabled=false").use { app ->
                app.containsBean("runledgerHealthContributor") shouldBe false
                app.getBeansOfType(RunledgerEndpoint::class.java).size shouldBe 0
            }
        }
    })
