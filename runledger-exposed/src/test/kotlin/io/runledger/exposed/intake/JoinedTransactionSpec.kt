package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.json.Json
import org.springframework.jdbc.datasource.DataSourceTransactionManager
import org.springframework.jdbc.datasource.DataSourceUtils
import org.springframework.transaction.support.TransactionTemplate
import java.sql.Connection

class JoinedTransactionSpec :
    FunSpec({
        fun orders() = freshLedger().apply {
            define("mail")
            run("CREATE TABLE orders (number text PRIMARY KEY)")
        }

        fun request(key: String? = null, payload: Json = Json.NULL) = JobRequest.builder("mail", payload).apply {
            key?.let { idempotencyKey(it) }
        }.build()

        fun TestLedger.counts() =
            value("SELECT (SELECT count(*) FROM orders) || ' orders, ' || (SELECT count(*) FROM runledger.job_queue) || ' jobs'")

        fun <T> TestLedger.transaction(end: (Connection) -> Unit, work: (Connection) -> T): T =
            dataSource.connection.use { connection ->
                connection.autoCommit = false
                connection.createStatement().execute("INSERT INTO orders VALUES ('A-1')")
                work(connection).also { end(connection) }
            }

        test("the caller's commit publishes the job with the order") {
            val ledger = orders()

            ledger.transaction(Connection::commit) { ledger.client.within(it).jobs.enqueue(request()) }

            ledger.counts() shouldBe "1 orders, 1 jobs"
        }

        test("the caller's rollback takes the job with the order") {
            val ledger = orders()

            ledger.transaction(Connection::rollback) { ledger.client.within(it).jobs.enqueue(request()) }

            ledger.counts() shouldBe "0 orders, 0 jobs"
        }

        test("a joined call leaves auto-commit, isolation and the open transaction as they were") {
            val ledger = orders()

            ledger.transaction(Connection::commit) { connection ->
                ledger.client.within(connection).jobs.enqueue(request())

                connection.autoCommit shouldBe false
                connection.isClosed shouldBe false
                connection.transactionIsolation shouldBe Connection.TRANSACTION_READ_COMMITTED
                ledger.counts() shouldBe "0 orders, 0 jobs"
            }
        }

        test("a conflict inside a joined call leaves nothing of itself and the transaction usable") {
            val ledger = orders()
            ledger.client.jobs.enqueue(request("k"))

            ledger.transaction(Connection::commit) { connection ->
                val joined = ledger.client.within(connection)
                shouldRefuse(ErrorCode.JOB_IDEMPOTENCY_CONFLICT) {
                    joined.jobs.enqueueAll(listOf(request(), request("k", Json.of("1"))))
                }
                shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) {
                    joined.jobs.enqueueAll(listOf(request(), JobRequest.builder("unknown", Json.NULL).build()))
                }
                joined.jobs.enqueue(request("other"))
            }

            ledger.counts() shouldBe "1 orders, 2 jobs"
        }

        test("a statement the database refuses leaves the transaction usable too") {
            val ledger = orders()
            ledger.run("ALTER TABLE runledger.job_queue ADD CONSTRAINT host_rule CHECK (priority < 1000)")

            ledger.transaction(Connection::commit) { connection ->
                val joined = ledger.client.within(connection)
                shouldRefuse(ErrorCode.DB_RULE) {
                    joined.jobs.enqueue(JobRequest.builder("mail", Json.NULL).priority(1000).build())
                }
                joined.jobs.enqueue(request())
            }

            ledger.counts() shouldBe "1 orders, 1 jobs"
        }

        test("a connection in auto-commit mode has no transaction to join") {
            val ledger = orders()

            ledger.dataSource.connection.use { connection ->
                val refusal =
                    shouldRefuse(ErrorCode.INVALID_ARGUMENT) { ledger.client.within(connection).jobs.enqueue(request()) }
                refusal.message!! shouldContain "auto-commit"
            }
            ledger.counts() shouldBe "0 orders, 0 jobs"
        }

        test("a key needs READ COMMITTED; without a key any level will do") {
            val ledger = orders()

            listOf(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE).forEach { level ->
                ledger.dataSource.connection.use { connection ->
                    connection.transactionIsolation = level
                    connection.autoCommit = false
                    val joined = ledger.client.within(connection)
                    shouldRefuse(ErrorCode.JOB_IDEMPOTENCY_ISOLATION) { joined.jobs.enqueue(request("k")) }
                    joined.jobs.enqueue(request())
                    connection.commit()
                }
            }
            ledger.counts() shouldBe "0 orders, 2 jobs"
        }

        test("own transactions are READ COMMITTED whatever the database's default is") {
            val ledger = orders()
            ledger.run("ALTER DATABASE ${ledger.database.name} SET default_transaction_isolation = 'serializable'")

            repeat(2) { ledger.client.jobs.enqueue(request("k")) }

            ledger.counts() shouldBe "0 orders, 1 jobs"
        }

        test("an Exposed transaction is joined") {
            val ledger = orders()

            runCatching {
                ledger.exposed {
                    ledger.client.within(this).jobs.enqueue(request())
                    error("rolled back")
                }
            }
            ledger.counts() shouldBe "0 orders, 0 jobs"

            ledger.exposed { ledger.client.within(this).jobs.enqueue(request()) }
            ledger.counts() shouldBe "0 orders, 1 jobs"
        }

        test("a Spring transaction is joined") {
            val ledger = orders()
            val dataSource = ledger.dataSource
            val spring = TransactionTemplate(DataSourceTransactionManager(dataSource))

            spring.execute { status ->
                ledger.client.within(DataSourceUtils.getConnection(dataSource)).jobs.enqueue(request())
                status.setRollbackOnly()
            }
            ledger.counts() shouldBe "0 orders, 0 jobs"

            spring.execute { ledger.client.within(DataSourceUtils.getConnection(dataSource)).jobs.enqueue(request()) }
            ledger.counts() shouldBe "0 orders, 1 jobs"
        }
    })
