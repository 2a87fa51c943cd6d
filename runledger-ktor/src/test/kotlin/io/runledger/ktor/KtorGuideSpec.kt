package io.runledger.ktor

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.ktor.server.application.install
import io.ktor.server.application.plugin
import io.runledger.coroutines.WorkerObserver
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.test.freshLedger
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.SchemaUtils
import org.jetbrains.exposed.v1.jdbc.selectAll
import org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import java.util.concurrent.CopyOnWriteArrayList

/** What the page about Ktor shows, runs. */
class KtorGuideSpec :
    FunSpec({
        val guide = KtorGuide({ "parcel of ${it.order}" }, CopyOnWriteArrayList())

        test("the shop commits its order and the job together") {
            val ledger = freshLedger()
            val orders = Database.connect(ledger.dataSource)
            try {
                transaction(orders) { SchemaUtils.create(Orders) }
                var isClosed = false
                val service = Service {
                    with(guide) {
                        closing { isClosed = true }
                        shop(ledger.dataSource, orders)
                    }
                }

                service.use { visitor ->
                    visitor.post("/orders/A-1001").statusCode() shouldBe 202
                    until("the parcel is shipped") {
                        ledger.client.jobs.list(Scope.global(), JobQuery.all()).items().map { it.status() } ==
                            listOf(JobStatus.SUCCEEDED)
                    }
                    transaction(orders) { Orders.selectAll().map { it[Orders.number] } } shouldContainExactly listOf("A-1001")
                }

                isClosed shouldBe true
            } finally {
                TransactionManager.closeAndUnregister(orders)
            }
        }

        test("an equipped worker has its settings, its trigger and its health route") {
            val ledger = freshLedger()
            val service = Service {
                with(guide) { equipped(ledger.dataSource, ledger.database.dataSource(), object : WorkerObserver {}) }
            }

            service.use { visitor ->
                visitor.get("/health").statusCode() shouldBe 200
                val client = service.application.runledger
                client.schema shouldBe "shop_jobs"
                until("the worker is on the list") { client.workers.list().isNotEmpty() }
                client.workers.list().single().let { it.slots() to it.labels() } shouldBe (16 to setOf("eu"))
                until("the trigger is stored") { client.schedules.find(Scope.global(), "inbox") != null }
            }
        }

        test("the second ledger has its own client and health route") {
            val main = freshLedger()
            val audit = freshLedger()
            audit.client.definitions.declare(shipParcel)
            val service = Service { with(guide) { twoLedgers(main.dataSource, audit.dataSource) } }

            service.use { visitor ->
                visitor.post("/parcels/A-1").statusCode() shouldBe 200
                visitor.get("/health/audit").statusCode() shouldBe 200
                audit.client.jobs.list(Scope.global(), JobQuery.all()).items().size shouldBe 1
                main.client.jobs.list(Scope.global(), JobQuery.all()).items().size shouldBe 0
            }
        }

        test("an installed ledger is found by its plugin") {
            val ledger = freshLedger()
            val service = Service { install(Runledger) { dataSource = ledger.dataSource } }

            service.use {
                service.application.plugin(Runledger).client.isSameLedger(ledger.client) shouldBe true
            }
        }
    })
