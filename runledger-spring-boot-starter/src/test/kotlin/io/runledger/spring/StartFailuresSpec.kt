package io.runledger.spring

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.Handlers
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.postgres.TestDatabase
import io.runledger.test.until
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.diagnostics.FailureAnalysis
import org.springframework.boot.diagnostics.FailureAnalyzer
import org.springframework.boot.jdbc.DataSourceBuilder
import org.springframework.context.annotation.Bean
import org.springframework.core.env.Environment
import org.springframework.core.env.MapPropertySource
import org.springframework.core.env.StandardEnvironment
import org.springframework.core.io.support.SpringFactoriesLoader
import java.time.Duration
import javax.sql.DataSource
import kotlin.reflect.KClass

private val mail = JobType.of("mail", String::class.java)

private fun handling(type: JobType<String>) = Handlers.builder().blocking(type) { JobOutcome.succeeded() }.build()

@SpringBootConfiguration(proxyBeanMethods = false)
class TwoHandlersOfOneType {
    @Bean
    fun first() = handling(mail)

    @Bean
    fun second() = handling(mail)
}

@SpringBootConfiguration(proxyBeanMethods = false)
class TwoDataSources {
    @Bean
    fun orders(environment: Environment): DataSource = url(environment)

    @Bean
    fun stock(environment: Environment): DataSource = url(environment)

    private fun url(environment: Environment) =
        DataSourceBuilder.create().url(environment.getRequiredProperty("spring.datasource.url")).build()
}

class StartFailuresSpec :
    FunSpec({
        /** What Spring Boot prints when an application cannot start. */
        fun failure(database: TestDatabase?, vararg properties: String, beans: List<KClass<*>> = emptyList()): FailureAnalysis {
            val failure = shouldThrow<Exception> { application(database, *properties, beans = beans) }
            val environment = StandardEnvironment().apply {
                propertySources.addFirst(
                    MapPropertySource("test", properties.associate { it.substringBefore('=') to it.substringAfter('=') }),
                )
            }
            val analyzers = SpringFactoriesLoader.forDefaultResourceLocation().load(
                FailureAnalyzer::class.java,
                SpringFactoriesLoader.ArgumentResolver.of(Environment::class.java, environment),
                SpringFactoriesLoader.FailureHandler { _, _, _ -> },
            )
            return withClue(failure.stackTraceToString()) {
                analyzers.firstNotNullOfOrNull { it.analyze(failure) }.shouldNotBeNull()
            }
        }

        test("a wrong value is refused with the name of its property and what is allowed") {
            val database = freshDatabase()
            mapOf(
                "runledger.schema" to "no schema",
                "runledger.limits.payload" to "3GB",
                "runledger.limits.log-lines" to "0",
                "runledger.worker.lease" to "100ms",
                "runledger.worker.max-concurrency" to "0",
                "runledger.worker.claim-batch-size" to "1001",
                "runledger.worker.type-limits.mail" to "-1",
                "runledger.worker.retention.pending" to "1d",
                "runledger.worker.beat-interval" to "2d",
            ).forEach { (name, value) ->
                val analysis = failure(database, "$name=$value")

                withClue(analysis.description) {
                    analysis.description shouldContain name
                    analysis.description shouldContain Regex("give|Give|allowed|must|plain|terminal|letters")
                }
            }
        }

        test("a value of the wrong kind is refused with the name of its property and what is allowed") {
            val database = freshDatabase()
            mapOf(
                "runledger.worker.lease=long" to "a duration with its unit",
                "runledger.worker.max-concurrency=many" to "a whole number",
                "runledger.worker.scheduler=perhaps" to "true or false",
                "runledger.enabled=perhaps" to "true or false",
                "runledger.migrate=perhaps" to "one of on, check, off",
                "runledger.limits.payload=big" to "a size with its unit",
                "runledger.worker.type-limits.mail=few" to "a whole number",
                "runledger.worker.retention.succeeded=long" to "a duration with its unit",
                "runledger.worker.retention.done=1d" to "one of succeeded, dead-lettered, canceled",
                "runledger.worker.run-retention.running=long" to "a duration",
            ).forEach { (property, allowed) ->
                val (name, value) = property.split('=')
                val analysis = failure(database, property)

                withClue("${analysis.description} ${analysis.action}") {
                    analysis.description shouldContain "'$name'"
                    if ("done" !in property) analysis.description shouldContain "'$value'"
                    analysis.action shouldContain "Give $allowed"
                }
            }
        }

        test("a property that does not exist is refused with its name, the one that is probably meant, and those that exist") {
            val database = freshDatabase()

            failure(database, "runledger.worker.max-concurency=3", "runledger.shema=x").run {
                description shouldBe "There is no property 'runledger.shema' (\"runledger.shema\" from property source " +
                    "\"defaultProperties\").\n" +
                    "There is no property 'runledger.worker.max-concurency' (\"runledger.worker.max-concurency\" from property " +
                    "source \"defaultProperties\")."
                action shouldContain "Did you mean 'runledger.schema'? The properties of 'runledger' are enabled, schema, "
                action shouldContain
                    "Did you mean 'runledger.worker.max-concurrency'? The properties of 'runledger.worker' are enabled, "
            }
            failure(database, "runledger.limits.everything=3").run {
                action shouldBe "The properties of 'runledger.limits' are payload, output, checkpoint, context, facts, log-lines."
            }
        }

        test("the data source of the listener that does not exist is refused with the name of its property") {
            failure(freshDatabase(), "runledger.listen-data-source=stok").run {
                description shouldContain "runledger.listen-data-source"
                action shouldBe "Give one of: dataSource."
            }
        }

        test("two beans that handle one type are both named") {
            val analysis = failure(freshDatabase(), beans = listOf(TwoHandlersOfOneType::class))

            analysis.description shouldBe "Two beans handle jobs of type 'mail': 'first' and 'second'."
            analysis.action shouldContain "Remove one of them"
        }

        test("a missing data source, and one of several that is not chosen, are reported") {
            val exclude = "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
            failure(null, exclude).run {
                description shouldBe "The ledger needs a data source, and the application has none."
                action shouldContain "runledger.enabled=false"
            }
            failure(freshDatabase(), beans = listOf(TwoDataSources::class)).run {
                description shouldBe "The ledger needs one data source, and the application has 2: orders, stock."
                action shouldContain "runledger.data-source"
            }
            failure(freshDatabase(), "runledger.data-source=stok", beans = listOf(TwoDataSources::class)).run {
                description shouldContain "runledger.data-source"
                action shouldBe "Give one of: orders, stock."
            }
            val database = freshDatabase()
            application(database, "runledger.data-source=stock", beans = listOf(TwoDataSources::class)).use { app ->
                app.client.definitions.declare(mail)
            }
            database.value("SELECT count(*) FROM runledger.job_definitions") shouldBe "1"
        }

        test("the schema is migrated, checked or left alone") {
            val database = freshDatabase()

            failure(database, "runledger.migrate=check").run {
                description shouldContain "[schema.missing]"
                action shouldContain "runledger.migrate"
            }
            application(database, "runledger.migrate=off").close()
            database.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'runledger'") shouldBe "0"
            application(database, "runledger.migrate=true").close()
            database.jobs() shouldBe 0
            application(database, "runledger.migrate=check").close()
        }

        test("a database that cannot be reached is reported with the next step") {
            val analysis =
                failure(
                    null,
                    "spring.datasource.url=jdbc:postgresql://localhost:1/none",
                    "spring.datasource.hikari.initialization-fail-timeout=-1",
                    "spring.datasource.hikari.connection-timeout=250",
                )

            analysis.description shouldContain "The ledger cannot be used"
            analysis.action shouldContain "spring.datasource.url"
        }

        test("every setting of a client and a worker can be set") {
            val database = freshDatabase()
            val properties = arrayOf(
                "runledger.schema=jobs", "runledger.limits.payload=10KB", "runledger.notifications=false",
                "runledger.worker.enabled=true", "runledger.worker.worker-id=w1", "runledger.worker.labels=eu,big",
                "runledger.worker.queues=imports,default",
                "runledger.worker.lease=2m", "runledger.worker.type-limits.mail=3", "runledger.worker.keep-everything=true",
                "runledger.worker.retention.dead-lettered=10d", "runledger.worker.run-retention.succeeded=5d",
            )

            application(database, *properties).use { app ->
                app.client.schema shouldBe "jobs"
                val config = app.bean<RunledgerProperties>().worker().config()
                config.workerId shouldBe "w1"
                config.labels shouldBe setOf("eu", "big")
                config.queues shouldBe setOf("imports", "default")
                config.lease shouldBe Duration.ofMinutes(2)
                config.typeLimits shouldBe mapOf("mail" to 3)
                config.retention shouldBe mapOf(JobStatus.DEAD_LETTERED to Duration.ofDays(10))
                until("the worker is registered") { app.client.workers.list().map { it.workerId() } == listOf("w1") }
            }
        }
    })
