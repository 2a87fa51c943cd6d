package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe

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
        }

        test("every item is picked in parallel and shipping waits for all of them") {
            val steps = orderFulfilment("A-1", 100, listOf("lamp", "shade", "bulb")).steps().associateBy { it.key() }

            steps.getValue("ship").dependencies().map { it.step() } shouldContainExactly
                listOf("pick-lamp", "pick-shade", "pick-bulb")
            steps.getValue("pick-lamp").dependencies().map { it.step() } shouldContainExactly listOf("approval")
        }
    })
