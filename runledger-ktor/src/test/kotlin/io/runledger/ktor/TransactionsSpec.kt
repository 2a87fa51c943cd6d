package io.runledger.ktor

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.TestScope
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.install
import io.ktor.server.response.respond
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.runledger.dsl.jobType
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager
import org.jetbrains.exposed.v1.jdbc.transactions.suspendTransaction
import org.jetbrains.exposed.v1.jdbc.transactions.transaction

private data class Mail(val to: String)

private val send = jobType<Mail>("send")

private class Rejected : RuntimeException("The order is rejected.")

class TransactionsSpec :
    FunSpec({
        /** Serves calls that enqueue a job in a transaction, and then either return or fail. */
        suspend fun TestScope.serving(
            enqueue: suspend ApplicationCall.(Database, end: () -> Unit) -> Unit,
            test: suspend (TestLedger, Visitor) -> Unit,
        ) {
            val ledger = freshLedger()
            val exposed = Database.connect(ledger.dataSource)
            try {
                Service {
                    install(Runledger) {
                        dataSource = ledger.dataSource
                        database = exposed
                        handlers { on(send) {} }
                        isWorkerEnabled = false
                    }
                    routing {
                        post("/commit") {
                            call.enqueue(exposed) {}
                            call.respond(HttpStatusCode.Accepted)
                        }
                        post("/rollback") { call.enqueue(exposed) { throw Rejected() } }
                    }
                }.use { visitor -> test(ledger, visitor) }
            } finally {
                TransactionManager.closeAndUnregister(exposed)
            }
        }

        fun ApplicationCall.enqueue() = runledger.jobs.enqueue(send, Mail("ada@example.org"))

        val ways: Map<String, suspend ApplicationCall.(Database, () -> Unit) -> Unit> = mapOf(
            "transaction { } on another dispatcher" to { database, end ->
                withContext(Dispatchers.IO) {
                    transaction(database) {
                        enqueue()
                        end()
                    }
                }
            },
            "suspendTransaction { }" to { database, end ->
                suspendTransaction(database) {
                    enqueue()
                    end()
                }
            },
            "suspendTransaction { } after it has changed its thread" to { database, end ->
                suspendTransaction(database) {
                    withContext(Dispatchers.Default) { yield() }
                    withContext(Dispatchers.IO) { enqueue() }
                    end()
                }
            },
            "a nested transaction { }" to { database, end ->
                suspendTransaction(database) {
                    transaction(database) { enqueue() }
                    end()
                }
            },
        )

        ways.forEach { (way, enqueue) ->
            test("a rolled back $way leaves no job, a committed one exactly one") {
                serving(enqueue) { ledger, visitor ->
                    visitor.post("/rollback").statusCode() shouldBe 500
                    ledger.jobs() shouldHaveSize 0

                    visitor.post("/commit").statusCode() shouldBe 202
                    ledger.jobs() shouldHaveSize 1
                }
            }
        }

        test("calls at the same time join each its own transaction") {
            serving({ database, end ->
                suspendTransaction(database) {
                    enqueue()
                    end()
                }
            }) { ledger, visitor ->
                coroutineScope {
                    List(40) { async { visitor.post(if (it % 2 == 0) "/commit" else "/rollback").statusCode() } }.awaitAll()
                }.groupingBy { it }.eachCount() shouldBe mapOf(202 to 20, 500 to 20)

                ledger.jobs() shouldHaveSize 20
                ledger.client.verify().isSound shouldBe true
            }
        }

        test("a job outside a transaction exists at once, and one in the transaction of another database is not part of it") {
            val other = freshLedger()
            val elsewhere = Database.connect(other.dataSource)
            try {
                serving({ _, end ->
                    transaction(elsewhere) { enqueue() }
                    end()
                }) { ledger, visitor ->
                    visitor.post("/rollback").statusCode() shouldBe 500

                    ledger.jobs() shouldHaveSize 1
                    other.jobs() shouldHaveSize 0
                }
            } finally {
                TransactionManager.closeAndUnregister(elsewhere)
            }
        }

        test("a read-only transaction reads, and refuses a job with a clear code") {
            serving({ database, _ ->
                // Exposed reads the defaults of the pool in its first transaction, and ignores its readOnly.
                transaction(database) { runledger.definitions.get("send") }
                transaction(database, readOnly = true) {
                    runledger.definitions.get("send").jobType() shouldBe "send"
                    shouldThrow<RunledgerException> { enqueue() }.code() shouldBe ErrorCode.DB_READ_ONLY
                    // The refusal leaves the transaction usable.
                    runledger.definitions.get("send").jobType() shouldBe "send"
                }
            }) { ledger, visitor ->
                visitor.post("/commit").statusCode() shouldBe 202

                ledger.jobs() shouldHaveSize 0
            }
        }

        test("a job in its own transaction survives the rollback of the caller's") {
            serving({ database, end ->
                suspendTransaction(database) {
                    runledger.inOwnTransactions().jobs.enqueue(send, Mail("audit@example.org"))
                    end()
                }
            }) { ledger, visitor ->
                visitor.post("/rollback").statusCode() shouldBe 500

                ledger.jobs() shouldHaveSize 1
            }
        }

        test("a handler that enqueues in a transaction joins it, and its own job ends in one of the worker's") {
            val ledger = freshLedger()
            val exposed = Database.connect(ledger.dataSource)
            val outcomes = Outcomes()
            val answer = jobType<Mail>("answer")
            try {
                val service = Service {
                    install(Runledger) {
                        dataSource = ledger.dataSource
                        database = exposed
                        handlers {
                            on(send) { job ->
                                suspendTransaction(exposed) { runledger.jobs.enqueue(answer, job.payload()) }
                                runCatching {
                                    suspendTransaction(exposed) {
                                        runledger.jobs.enqueue(answer, job.payload())
                                        throw Rejected()
                                    }
                                }
                            }
                        }
                        observe(outcomes)
                    }
                    runledger.definitions.declare(answer)
                }
                service.use {
                    val job = service.application.runledger.jobs.enqueue(send, Mail("ada@example.org")).id()

                    outcomes.success() shouldBe job
                    ledger.jobs().map { it.jobType() to it.status() } shouldBe
                        listOf("answer" to JobStatus.PENDING, "send" to JobStatus.SUCCEEDED)
                }
            } finally {
                TransactionManager.closeAndUnregister(exposed)
            }
        }

        test("a database that is not the one of the data source is refused") {
            val ledger = freshLedger()
            val other = freshLedger()
            val elsewhere = Database.connect(other.dataSource)
            try {
                val service = Service {
                    install(Runledger) {
                        dataSource = ledger.dataSource
                        database = elsewhere
                    }
                }

                shouldThrow<IllegalArgumentException> { service.start() }.message shouldContain "Database.connect(dataSource)"
                service.stop()
            } finally {
                TransactionManager.closeAndUnregister(elsewhere)
            }
        }
    })

private fun TestLedger.jobs(): List<JobSummary> = client.jobs.list(Scope.global(), JobQuery.all()).items().sortedBy {
    it.jobType()
}
