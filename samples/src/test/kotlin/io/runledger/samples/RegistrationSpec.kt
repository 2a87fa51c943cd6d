package io.runledger.samples

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.job.JobQuery
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import org.jetbrains.exposed.v1.exceptions.ExposedSQLException
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.selectAll
import org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager
import org.jetbrains.exposed.v1.jdbc.transactions.transaction

class RegistrationSpec :
    FunSpec({
        suspend fun TestLedger.service(test: suspend (Registration, Database) -> Unit) {
            dataSource.connection.use {
                it.createStatement().execute(
                    "CREATE TABLE accounts (id uuid PRIMARY KEY, mail text UNIQUE NOT NULL, welcomed boolean NOT NULL DEFAULT false)",
                )
            }
            client.definitions.declare(welcome)
            val database = Database.connect(dataSource)
            try {
                test(Registration(database, client), database)
            } finally {
                TransactionManager.closeAndUnregister(database)
            }
        }

        test("an account is welcomed, and the mark and the success are one commit") {
            val ledger = freshLedger()
            ledger.service { registration, database ->
                val observer = SuccessObserver()

                val account = registration.register("ada@example.org")

                RunledgerWorker.builder(ledger.client).handlers(registration.welcoming()).observe(observer).start().use {
                    observer.succeeded()
                }
                transaction(database) {
                    Accounts.selectAll().map { it[Accounts.id] to it[Accounts.isWelcomed] }
                } shouldContainExactly
                    listOf(account to true)
            }
        }

        test("a registration that the database refuses leaves no job behind") {
            val ledger = freshLedger()
            ledger.service { registration, _ ->
                registration.register("ada@example.org")

                shouldThrow<ExposedSQLException> { registration.register("ada@example.org") }

                ledger.client.jobs.list(Scope.global(), JobQuery.all()).items().size shouldBe 1
            }
        }
    })
