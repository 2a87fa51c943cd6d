package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import java.sql.Connection

private val order = JobType.of("order", String::class.java)
private val mail = JobType.of("mail", String::class.java)

class CurrentTransactionSpec :
    FunSpec({
        test("a handler's calls of the client join its transaction; what it reports through its context does not") {
            val ledger = freshLedger().apply { define(order, mail) }
            val current = ThreadLocal<Connection>()
            val client = RunledgerClient.builder(ledger.pool).joinCurrentTransaction(current::get).build()
            val handlers = handlers {
                blocking(order) { job ->
                    ledger.pool.connection.use { connection ->
                        connection.autoCommit = false
                        current.set(connection)
                        client.jobs.enqueue(mail, "lost")
                        job.log(LogLevel.INFO, "kept")
                        job.saveCheckpoint("half")
                        connection.rollback()
                        client.jobs.enqueue(mail, "kept")
                        connection.commit()
                        current.remove()
                    }
                    JobOutcome.succeeded()
                }
            }
            val id = client.jobs.enqueue(order, "A-1").id()

            working(client, handlers) { it.await("succeeded", id) }

            ledger.job(id).status() shouldBe JobStatus.SUCCEEDED
            ledger.rows("SELECT payload #>> '{}' FROM runledger.job_queue WHERE job_type = 'mail'") shouldBe listOf("kept")
            ledger.rows("SELECT message FROM runledger.job_logs") shouldBe listOf("kept")
            ledger.value("SELECT checkpoint #>> '{}' FROM runledger.job_queue WHERE job_type = 'order'") shouldBe "half"
        }

        test("the loops of a worker use transactions of their own, whatever is current on their threads") {
            val ledger = freshLedger().apply { define(order) }
            ledger.database.connect().use { connection ->
                connection.autoCommit = false
                val client = RunledgerClient.builder(ledger.pool).joinCurrentTransaction { connection }.build()
                val id = ledger.enqueue(order, "A-1")

                working(client, handlers { blocking(order) { JobOutcome.succeeded() } }) { it.await("succeeded", id) }
                connection.rollback()

                ledger.job(id).status() shouldBe JobStatus.SUCCEEDED
            }
        }
    })
