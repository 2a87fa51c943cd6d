package io.runledger.exposed.await

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class TicksSpec :
    FunSpec({
        var now = 1_000L
        beforeTest { now = 1_000L }

        test("what takes time between two ticks does not move the next one") {
            val ticks = Ticks(100) { now }
            now += 130
            ticks.untilNext() shouldBe -30
            ticks.advance()
            ticks.untilNext() shouldBe 70
        }

        test("ticks that were missed are not made up for") {
            val ticks = Ticks(100) { now }
            now += 1_050
            ticks.advance()
            ticks.untilNext() shouldBe 50
        }

        test("the longest interval does not overflow") {
            val ticks = Ticks(Long.MAX_VALUE) { now }
            ticks.untilNext() shouldBe Long.MAX_VALUE
            ticks.advance()
            now += 5
            ticks.untilNext() shouldBe Long.MAX_VALUE - 5
        }
    })
