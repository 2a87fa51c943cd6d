package io.runledger.samples

import io.kotest.assertions.nondeterministic.eventually
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.awaitRun
import io.runledger.coroutines.awaitRunResult
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.render.WorkflowGraph
import io.runledger.test.freshLedger
import kotlin.time.Duration.Companion.seconds

class OrderFulfilmentSpec :
    FunSpec({
        test("the Kotlin and the Java sample declare the same workflow") {
            val items = listOf("lamp", "shade")

            orderFulfilment("A-1", 100, items) shouldBe OrderFulfilmentInJava.orderFulfilment("A-1", 100, items)
            listOf(OrderJobs.charge, OrderJobs.pick, OrderJobs.ship, OrderJobs.refund) shouldBe
                listOf(
                    OrderFulfilmentInJava.CHARGE,
                    OrderFulfilmentInJava.PICK,
                    OrderFulfilmentInJava.SHIP,
                    OrderFulfilmentInJava.REFUND,
                )
            listOf(OrderJobs.receipt, OrderJobs.parcel) shouldBe
                listOf(OrderFulfilmentInJava.RECEIPT, OrderFulfilmentInJava.PARCEL)
        }

        mapOf("Kotlin" to orderHandlers, "Java" to OrderFulfilmentInJava.handlers()).forEach { (language, handlers) ->
            test("receipt and parcels arrive where they are used, in $language") {
                val client = freshLedger().client
                client.definitions.sync(handlers.jobTypes)
                val desk = OrderDesk(client)
                val shipped = desk.start("A-1", 4_990, listOf("lamp", "shade"))
                val refused = desk.start("A-2", 100, listOf("lamp"))

                RunledgerWorker.builder(client).handlers(handlers).start().use {
                    eventually(30.seconds) { desk.inbox().size shouldBe 2 }
                    desk.approve(shipped, "Ada")
                    desk.refuse(refused, "No stock.")

                    client.workflows.awaitRunResult<Shipment>(Scope.global(), shipped) shouldBe
                        Shipment("A-1", 4_990, listOf(Parcel("lamp"), Parcel("shade")))
                    client.workflows.awaitRun(Scope.global(), refused)
                    client.workflows.getStep(Scope.global(), refused, "refund").output() shouldBe Json.of("\"refunded 100\"")
                }
            }
        }

        test("the picture says which step gives what") {
            WorkflowGraph.of(orderFulfilment("A-1", 100, listOf("lamp"))).tree() shouldContain "(receipt)"
        }

        test("every item is picked in parallel and shipping waits for all of them") {
            val steps = orderFulfilment("A-1", 100, listOf("lamp", "shade", "bulb")).steps().associateBy { it.key() }

            steps.getValue("ship").dependencies().map { it.step() } shouldContainExactly
                listOf("charge", "pick-lamp", "pick-shade", "pick-bulb")
            steps.getValue("pick-lamp").dependencies().map { it.step() } shouldContainExactly listOf("approval")
        }
    })
