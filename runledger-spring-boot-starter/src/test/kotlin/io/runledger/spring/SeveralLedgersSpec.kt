package io.runledger.spring

import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.micrometer.core.instrument.MeterRegistry
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.micrometer.LedgerMetrics
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.postgres.TestDatabase
import io.runledger.test.blockUntil
import io.runledger.test.until
import org.springframework.beans.factory.annotation.Qualifier
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.jdbc.DataSourceBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Primary
import org.springframework.core.env.Environment
import org.springframework.jdbc.datasource.DataSourceTransactionManager
import org.springframework.transaction.PlatformTransactionManager
import org.springframework.transaction.support.TransactionTemplate
import javax.sql.DataSource

private val order = JobType.of("order", String::class.java)

/** A ledger on each of two servers, with a worker and a transaction manager each. */
@SpringBootConfiguration(proxyBeanMethods = false)
class TwoServers {
    @Bean
    @Primary
    fun shopSource(environment: Environment): DataSource = source(environment, "shop.url")

    @Bean
    fun auditSource(environment: Environment): DataSource = source(environment, "audit.url")

    @Bean
    @Primary
    fun shopTransactions(shopSource: DataSource): PlatformTransactionManager = DataSourceTransactionManager(shopSource)

    @Bean
    fun auditTransactions(@Qualifier("auditSource") source: DataSource) = DataSourceTransactionManager(source)

    @Bean
    fun shopHandlers(): Handlers = Handlers.builder().blocking(order) { JobOutcome.succeeded("shop") }.build()

    @Bean(defaultCandidate = false)
    @Qualifier("audit")
    fun auditClient(@Qualifier("auditSource") source: DataSource): RunledgerClient =
        RunledgerClient.builder(source).schema("audit").joinCurrentTransaction(SpringTransaction(source)).build()
            .also { it.migrate() }

    @Bean
    fun auditWorker(@Qualifier("audit") client: RunledgerClient) = RunledgerWorkerLifecycle {
        val handlers = Handlers.builder().blocking(order) { JobOutcome.succeeded("audit") }.build()
        client.definitions.sync(handlers.jobTypes)
        RunledgerWorker.builder(client).handlers(handlers)
    }

    @Bean
    fun shopMetrics(client: RunledgerClient) = LedgerMetrics(client)

    @Bean
    fun auditMetrics(@Qualifier("audit") client: RunledgerClient) = LedgerMetrics(client)

    private fun source(environment: Environment, property: String) =
        DataSourceBuilder.create().type(HikariDataSource::class.java).url(environment.getRequiredProperty(property)).build()
}

class SeveralLedgersSpec :
    FunSpec({
        fun servers(test: (ConfigurableApplicationContext, RunledgerClient, TestDatabase, TestDatabase) -> Unit) {
            val shop = freshDatabase()
            val audit = freshDatabase()
            application(null, "shop.url=${shop.url}", "audit.url=${audit.url}", beans = listOf(TwoServers::class)).use { app ->
                test(app, app.getBean("auditClient", RunledgerClient::class.java), shop, audit)
            }
        }

        fun ConfigurableApplicationContext.transaction(name: String) =
            TransactionTemplate(getBean(name, PlatformTransactionManager::class.java))

        fun TestDatabase.payloads(schema: String) = rows("SELECT payload #>> '{}' FROM $schema.job_queue ORDER BY 1")

        test("each ledger joins the transactions of its own data source, and neither the other's") {
            servers { app, auditClient, shop, audit ->
                app.transaction("shopTransactions").execute { outer ->
                    app.client.jobs.enqueue(order, "lost")
                    app.transaction("auditTransactions").execute { auditClient.jobs.enqueue(order, "kept") }
                    auditClient.jobs.enqueue(order, "kept too")
                    outer.setRollbackOnly()
                }
                app.transaction("shopTransactions").execute {
                    app.client.jobs.enqueue(order, "kept")
                    app.transaction("auditTransactions").execute {
                        auditClient.jobs.enqueue(order, "lost")
                        it.setRollbackOnly()
                    }
                }

                shop.payloads("runledger") shouldBe listOf("kept")
                audit.payloads("audit") shouldBe listOf("kept", "kept too")
            }
        }

        test("each worker runs the jobs of its ledger, and each ledger has its gauges and its health") {
            servers { app, auditClient, shop, audit ->
                app.client.jobs.enqueue(order, "A-1")
                auditClient.jobs.enqueue(order, "A-1")
                val registry = app.bean<MeterRegistry>()

                blockUntil("both have run") {
                    shop.rows("SELECT output #>> '{}' FROM runledger.job_queue WHERE status = 'SUCCEEDED'") == listOf("shop") &&
                        audit.rows("SELECT output #>> '{}' FROM audit.job_queue WHERE status = 'SUCCEEDED'") == listOf("audit")
                }
                listOf("runledger", "audit").forEach { ledger ->
                    blockUntil("the worker of $ledger is seen") {
                        registry.find("runledger.fleet.workers").tags("state", "working", "ledger", ledger).gauge()?.value() ==
                            1.0
                    }
                }
            }
        }

        test("the listener connection is of the data source that is named for it") {
            val database = freshDatabase()

            application(
                database,
                "runledger.data-source=stock",
                "runledger.listen-data-source=orders",
                "runledger.worker.enabled=true",
                beans = listOf(TwoDataSources::class),
            ).use { app ->
                val listening = app.getBean("orders", HikariDataSource::class.java)
                until("the listener has its connection") { listening.hikariPoolMXBean?.activeConnections == 1 }
            }
        }
    })
