package io.runledger.spring

import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.postgres.TestDatabase
import jakarta.persistence.Entity
import jakarta.persistence.EntityManager
import jakarta.persistence.Id
import org.springframework.beans.factory.annotation.Qualifier
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.jdbc.DataSourceBuilder
import org.springframework.boot.persistence.autoconfigure.EntityScan
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Primary
import org.springframework.core.env.Environment
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.jdbc.datasource.DataSourceTransactionManager
import org.springframework.orm.jpa.JpaTransactionManager
import org.springframework.stereotype.Component
import org.springframework.transaction.PlatformTransactionManager
import org.springframework.transaction.TransactionDefinition
import org.springframework.transaction.annotation.Isolation
import org.springframework.transaction.annotation.Propagation
import org.springframework.transaction.annotation.Transactional
import org.springframework.transaction.support.TransactionSynchronization
import org.springframework.transaction.support.TransactionSynchronizationManager
import org.springframework.transaction.support.TransactionTemplate
import javax.sql.DataSource

private val mail = JobType.of("mail", String::class.java)

/** Methods as an application writes them, with a job in each. */
@Component
open class Shop(private val client: RunledgerClient, private val jdbc: JdbcTemplate) {
    @Transactional
    open fun order(number: String, failure: RuntimeException? = null) {
        client.jobs.enqueue(mail, number)
        jdbc.update("INSERT INTO orders VALUES (?)", number)
        if (failure != null) throw failure
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    open fun audit(number: String) {
        client.jobs.enqueue(mail, number)
    }

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    open fun beside(number: String) {
        client.jobs.enqueue(mail, number)
    }

    @Transactional(readOnly = true)
    open fun look(number: String): String {
        client.definitions.get("mail").jobType() shouldBe "mail"
        val refused = shouldThrow<RunledgerException> { client.jobs.enqueue(mail, number) }
        client.definitions.get("mail").jobType() shouldBe "mail"
        return refused.code().wire()
    }

    @Transactional(isolation = Isolation.SERIALIZABLE)
    open fun once(number: String) {
        client.jobs.enqueue(JobRequest.builder(mail, number).idempotencyKey(number).build())
    }
}

@SpringBootConfiguration(proxyBeanMethods = false)
class ShopApplication {
    @Bean
    fun shop(client: RunledgerClient, jdbc: JdbcTemplate) = Shop(client, jdbc)
}

@Entity(name = "orders")
open class Order(@Id open var number: String = "")

@SpringBootConfiguration(proxyBeanMethods = false)
@EntityScan(basePackageClasses = [Order::class])
class JpaApplication

/** A second data source, which is not the ledger's, with its own transaction manager. */
@SpringBootConfiguration(proxyBeanMethods = false)
class TwoDatabases {
    @Bean
    @Primary
    fun dataSource(environment: Environment): DataSource = HikariDataSource().also {
        it.jdbcUrl = environment.getRequiredProperty("spring.datasource.url")
        it.isAutoCommit = environment.getRequiredProperty("spring.datasource.hikari.auto-commit", Boolean::class.java)
    }

    @Bean
    fun otherDataSource(environment: Environment): DataSource =
        DataSourceBuilder.create().url(environment.getRequiredProperty("other.url")).build()

    @Bean
    @Primary
    fun transactionManager(dataSource: DataSource): PlatformTransactionManager = DataSourceTransactionManager(dataSource)

    @Bean
    fun otherTransactions(@Qualifier("otherDataSource") other: DataSource) = DataSourceTransactionManager(other)
}

private val JPA = arrayOf("spring.autoconfigure.exclude=", "spring.jpa.hibernate.ddl-auto=none")

class TransactionsSpec :
    FunSpec({
        fun database() = freshDatabase().also { it.run("CREATE TABLE orders (number text PRIMARY KEY)") }

        fun TestDatabase.orders() = value("SELECT count(*) FROM orders").toInt()

        fun ConfigurableApplicationContext.transaction(name: String = "transactionManager") =
            TransactionTemplate(getBean(name, PlatformTransactionManager::class.java))

        fun ConfigurableApplicationContext.enqueue(number: String = "A") = client.jobs.enqueue(mail, number)

        fun started(app: ConfigurableApplicationContext) = app.also { it.client.definitions.declare(mail) }

        test("a committed @Transactional method leaves exactly one job, a rolled-back one none") {
            val database = database()

            started(application(database, beans = listOf(ShopApplication::class))).use { app ->
                val shop = app.bean<Shop>()
                shop.order("A-1")
                shouldThrow<IllegalStateException> { shop.order("A-2", IllegalStateException("no")) }
                shouldThrow<RuntimeException> { shop.order("A-1") }
            }

            database.orders() shouldBe 1
            database.rows("SELECT payload #>> '{}' FROM runledger.job_queue") shouldBe listOf("A-1")
        }

        test("REQUIRES_NEW and NOT_SUPPORTED stay when the outer transaction is rolled back") {
            val database = database()

            started(application(database, beans = listOf(ShopApplication::class))).use { app ->
                val shop = app.bean<Shop>()
                app.transaction().execute { outer ->
                    app.enqueue("lost")
                    shop.audit("new")
                    shop.beside("beside")
                    app.enqueue("lost too")
                    app.client.inOwnTransactions().jobs.enqueue(mail, "own")
                    outer.setRollbackOnly()
                }
            }

            database.rows("SELECT payload #>> '{}' FROM runledger.job_queue ORDER BY 1") shouldBe listOf("beside", "new", "own")
        }

        test("a nested transaction that is rolled back to its savepoint takes only its own job") {
            val database = database()

            started(application(database)).use { app ->
                val nested = app.transaction().apply { propagationBehavior = TransactionDefinition.PROPAGATION_NESTED }
                app.transaction().execute {
                    app.enqueue("outer")
                    nested.execute {
                        app.enqueue("inner")
                        it.setRollbackOnly()
                    }
                }
            }

            database.rows("SELECT payload #>> '{}' FROM runledger.job_queue") shouldBe listOf("outer")
        }

        test("a read-only transaction reads, and refuses a job with a clear code") {
            val database = database()

            started(application(database, beans = listOf(ShopApplication::class))).use { app ->
                app.bean<Shop>().look("A-1") shouldBe ErrorCode.DB_READ_ONLY.wire()
                shouldThrow<RunledgerException> { app.bean<Shop>().once("k") }.code() shouldBe ErrorCode.JOB_IDEMPOTENCY_ISOLATION
            }

            database.jobs() shouldBe 0
        }

        test("callbacks after the commit and after the completion have transactions of their own") {
            listOf("true", "false").forEach { autoCommit ->
                val database = database()

                started(application(database, "spring.datasource.hikari.auto-commit=$autoCommit")).use { app ->
                    fun onEnd(end: TransactionSynchronization) =
                        app.transaction().executeWithoutResult { TransactionSynchronizationManager.registerSynchronization(end) }
                    onEnd(
                        object : TransactionSynchronization {
                            override fun afterCommit() {
                                app.enqueue("after commit")
                            }
                        },
                    )
                    onEnd(
                        object : TransactionSynchronization {
                            override fun afterCompletion(status: Int) {
                                app.enqueue("after completion")
                            }
                        },
                    )
                    onEnd(
                        object : TransactionSynchronization {
                            override fun beforeCommit(readOnly: Boolean) {
                                app.enqueue("before commit")
                            }

                            override fun afterCommit() {
                                app.enqueue("last")
                            }
                        },
                    )
                }

                database.rows("SELECT payload #>> '{}' FROM runledger.job_queue ORDER BY 1") shouldBe
                    listOf("after commit", "after completion", "before commit", "last")
            }
        }

        test("a transaction of another data source is not joined, and does not take the job with it") {
            listOf("true", "false").forEach { autoCommit ->
                val database = database()
                val other = freshDatabase()

                started(
                    application(
                        database,
                        "other.url=${other.url}",
                        "spring.datasource.hikari.auto-commit=$autoCommit",
                        beans = listOf(TwoDatabases::class),
                    ),
                ).use { app ->
                    app.transaction("otherTransactions").execute {
                        // Binds a connection of the ledger's data source to the thread, without a transaction.
                        JdbcTemplate(app.bean<DataSource>()).queryForObject("SELECT count(*) FROM orders", Int::class.java)
                        app.enqueue("kept")
                        it.setRollbackOnly()
                    }
                    app.transaction().execute { ledger ->
                        app.transaction("otherTransactions").execute { app.enqueue("lost") }
                        ledger.setRollbackOnly()
                    }
                }

                database.rows("SELECT payload #>> '{}' FROM runledger.job_queue") shouldBe listOf("kept")
            }
        }

        test("transactions of JPA are joined") {
            val database = database()

            started(application(database, *JPA, beans = listOf(JpaApplication::class))).use { app ->
                app.bean<PlatformTransactionManager>()::class shouldBe JpaTransactionManager::class
                val entities = app.bean<EntityManager>()
                app.transaction().execute {
                    entities.persist(Order("A-1"))
                    app.enqueue("A-1")
                    database.jobs() shouldBe 0
                }
                app.transaction().execute {
                    entities.persist(Order("A-2"))
                    app.enqueue("A-2")
                    entities.flush()
                    it.setRollbackOnly()
                }
                val readOnly = app.transaction().apply { isReadOnly = true }
                val refused = shouldThrow<RunledgerException> { readOnly.execute { app.enqueue() } }
                refused.code() shouldBe ErrorCode.DB_READ_ONLY
            }

            database.orders() shouldBe 1
            database.rows("SELECT payload #>> '{}' FROM runledger.job_queue") shouldBe listOf("A-1")
        }

        test("without joining, a job stays when its transaction is rolled back") {
            val database = database()

            started(application(database, "runledger.join-transactions=false")).use { app ->
                app.transaction().execute {
                    app.enqueue("kept")
                    it.setRollbackOnly()
                }
            }

            database.jobs() shouldBe 1
        }
    })
