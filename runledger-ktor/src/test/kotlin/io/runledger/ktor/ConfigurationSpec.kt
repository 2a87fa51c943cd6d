package io.runledger.ktor

import com.typesafe.config.ConfigFactory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.ktor.server.application.install
import io.ktor.server.config.ApplicationConfig
import io.ktor.server.config.ApplicationConfigurationException
import io.ktor.server.config.HoconApplicationConfig
import io.ktor.server.config.MapApplicationConfig
import io.ktor.server.config.mergeWith
import io.runledger.coroutines.WorkerConfig
import io.runledger.dsl.jobType
import io.runledger.model.job.JobStatus
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.test.freshLedger
import io.runledger.test.until
import java.io.File
import java.lang.reflect.Modifier
import java.time.Duration

private fun hocon(text: String): ApplicationConfig = HoconApplicationConfig(ConfigFactory.parseString(text).resolve())

private fun settings(config: ApplicationConfig, section: String = "runledger"): WorkerConfig =
    WorkerConfig.builder().also { FileSettings.read(config, section).applyTo(it) }.build()

private class Refusal(val text: String, vararg val says: String)

class ConfigurationSpec :
    FunSpec({
        test("every setting of a worker has a property of its name, and no property is without a setting") {
            val builders = WorkerConfig.Builder::class.java.methods
                .filter { Modifier.isPublic(it.modifiers) && it.declaringClass == WorkerConfig.Builder::class.java }
                .map { it.name }
                .filterNot { it == "build" || it == "env" || '$' in it }
                .distinct()

            workerProperties.map { it.name } shouldContainExactlyInAnyOrder builders
        }

        test("a file sets the schema, the migration and each kind of setting of the worker") {
            val config = hocon(
                """
                runledger {
                  schema = billing
                  migrate = true
                  worker {
                    enabled = false
                    workerId = billing-1
                    labels = [eu, big]
                    queues = [imports, default]
                    maxConcurrency = 16
                    typeLimit { "mail.send" = 4, pay = 2 }
                    lease = 30s
                    pollInterval = 250ms
                    scheduler = false
                    keepEverything = true
                    retention { succeeded = 7d, deadLettered = 365d }
                    runRetention.completedWithErrors = 90d
                  }
                }
                """,
            )
            val file = FileSettings.read(config, "runledger")
            val worker = settings(config)

            listOf(file.schema, file.migrate, file.isWorkerEnabled) shouldBe listOf("billing", true, false)
            worker.workerId shouldBe "billing-1"
            worker.labels shouldBe setOf("eu", "big")
            worker.queues shouldBe setOf("imports", "default")
            worker.maxConcurrency shouldBe 16
            worker.typeLimits shouldContainExactly mapOf("mail.send" to 4, "pay" to 2)
            worker.lease shouldBe Duration.ofSeconds(30)
            worker.pollInterval shouldBe Duration.ofMillis(250)
            worker.scheduler shouldBe false
            worker.retention shouldContainExactly
                mapOf(JobStatus.SUCCEEDED to Duration.ofDays(7), JobStatus.DEAD_LETTERED to Duration.ofDays(365))
            worker.runRetention shouldContainExactly mapOf(WorkflowRunStatus.COMPLETED_WITH_ERRORS to Duration.ofDays(90))
            worker.fireRetention shouldBe null
        }

        test("the file on the page about Ktor is read") {
            val page = File(System.getProperty("runledger.root"), "docs/ktor.md").readText()
            val config = hocon(page.substringAfter("```hocon\n").substringBefore("```"))

            FileSettings.read(config, "runledger").let { it.schema to it.migrate } shouldBe ("shop_jobs" to true)
            settings(config).typeLimits shouldContainExactly mapOf("parcels.ship" to 4)
            settings(config).shutdownGrace shouldBe Duration.ofSeconds(20)
        }

        test("properties of a command line are added to those of a file, and win") {
            val file = hocon("runledger.worker { maxConcurrency = 16, lease = 30s }")
            val commandLine = MapApplicationConfig(
                "runledger.worker.maxConcurrency" to "4",
                "runledger.worker.labels" to "eu, big",
                "runledger.worker.typeLimit.mail.send" to "2",
            )

            val worker = settings(file.mergeWith(commandLine))

            worker.maxConcurrency shouldBe 4
            worker.lease shouldBe Duration.ofSeconds(30)
            worker.labels shouldBe setOf("eu", "big")
            worker.typeLimits shouldContainExactly mapOf("mail.send" to 2)
        }

        test("without properties, every setting has its default") {
            val worker = settings(MapApplicationConfig())

            worker.maxConcurrency shouldBe WorkerConfig.defaults().maxConcurrency
            worker.retention shouldBe WorkerConfig.defaults().retention
            FileSettings.read(MapApplicationConfig(), "runledger").let { it.schema to it.isWorkerEnabled } shouldBe
                ("runledger" to true)
        }

        test("each ledger reads its own section") {
            val config = hocon("runledger { schema = main, ledgers.audit { schema = audit, worker.maxConcurrency = 2 } }")

            FileSettings.read(config, "runledger").schema shouldBe "main"
            FileSettings.read(config, "runledger.ledgers.audit").schema shouldBe "audit"
            settings(config, "runledger.ledgers.audit").maxConcurrency shouldBe 2
        }

        listOf(
            Refusal("runledger.worker.maxConcurrency = many", "'runledger.worker.maxConcurrency'", "'many'", "whole number"),
            Refusal("runledger.worker.maxConcurrency = 0", "'runledger.worker.maxConcurrency'", "1 or more"),
            Refusal("runledger.worker.lease = soon", "'runledger.worker.lease'", "'soon'", "30s"),
            Refusal("runledger.worker.lease = 30", "'runledger.worker.lease'", "'30'", "with its unit"),
            Refusal("runledger.worker.lease = 10ms", "'runledger.worker.lease'", "second"),
            Refusal("runledger.worker.lease = Infinity", "'runledger.worker.lease'", "'Infinity'"),
            Refusal("runledger.worker.shutdownGrace = \"-1s\"", "'runledger.worker.shutdownGrace'", "zero or more"),
            Refusal("runledger.worker.beatInterval = 2d", "'runledger.worker.beatInterval'", "a millisecond to a day"),
            Refusal("runledger.worker.scheduler = perhaps", "'runledger.worker.scheduler'", "'perhaps'", "true nor false"),
            Refusal("runledger.worker.labels = [eu, \"\"]", "'runledger.worker.labels'"),
            Refusal("runledger.worker.maxConcurrency = [1, 2]", "'runledger.worker.maxConcurrency'", "single value"),
            Refusal("runledger.worker.typeLimit.pay = none", "'runledger.worker.typeLimit.pay'", "'none'"),
            Refusal(
                "runledger.worker.retention.done = 1d",
                "'runledger.worker.retention.done'",
                "succeeded, deadLettered, canceled",
            ),
            Refusal(
                "runledger.worker.runRetention.running = 1d",
                "'runledger.worker.runRetention.running'",
                "completedWithErrors",
            ),
            Refusal(
                "runledger.worker.maxConcurency = 3",
                "no property 'runledger.worker.maxConcurency'",
                "worker.maxConcurrency",
            ),
            Refusal("runledger.scheme = billing", "no property 'runledger.scheme'", "schema"),
            Refusal("runledger.schema = Not-Plain", "'runledger.schema'", "lower-case letters"),
            Refusal("runledger.migrate = 1", "'runledger.migrate'", "true nor false"),
        ).forEach { refusal ->
            test("'${refusal.text}' is refused with the name of the property and what is allowed") {
                val failure = shouldThrow<ApplicationConfigurationException> { settings(hocon(refusal.text)) }

                refusal.says.forEach { failure.message.orEmpty() shouldContain it }
            }
        }

        test("a wrong property stops the application from starting") {
            val ledger = freshLedger()
            val service = Service(hocon("runledger.worker.maxConcurrency = none")) {
                install(Runledger) { dataSource = ledger.dataSource }
            }

            shouldThrow<ApplicationConfigurationException> { service.start() }.message shouldContain
                "runledger.worker.maxConcurrency"
            service.stop()
        }

        test("a setting in code wins over one in the file") {
            val ledger = freshLedger("billing")
            val service = Service(hocon("runledger { schema = other, worker { workerId = from-file, maxConcurrency = 3 } }")) {
                install(Runledger) {
                    dataSource = ledger.dataSource
                    schema = "billing"
                    handlers { on(jobType<String>("pay")) {} }
                    worker { workerId("from-code") }
                }
            }

            service.use {
                until("the worker is on the list") { ledger.client.workers.list().isNotEmpty() }
                ledger.client.workers.list().single().let { it.workerId() to it.slots() } shouldBe ("from-code" to 3)
            }
        }

        test("system properties that a configuration contains do not count as misspelled") {
            val name = "runledger.unrelated"
            System.setProperty(name, "1")
            try {
                settings(hocon("$name = 1")).maxConcurrency shouldBe WorkerConfig.defaults().maxConcurrency
            } finally {
                System.clearProperty(name)
            }
        }

        test("an installation without a data source says so, with the name of the plugin") {
            listOf(
                Runledger to "install(Runledger)",
                Runledger("audit") to "install(Runledger(audit))",
            ).forEach { (plugin, text) ->
                val service = Service { install(plugin) }
                shouldThrow<IllegalArgumentException> { service.start() }.message shouldContain "$text has no data source"
                service.stop()
            }
        }

        test("a ledger's name that no section can have is refused") {
            shouldThrow<IllegalArgumentException> { Runledger("a.b") }.message shouldContain "'a.b'"
        }
    })
