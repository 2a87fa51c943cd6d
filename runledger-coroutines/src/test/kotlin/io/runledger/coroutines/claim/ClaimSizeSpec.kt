package io.runledger.coroutines.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe

class ClaimSizeSpec :
    FunSpec({
        test("claims that find enough double up to the batch size") {
            val size = ClaimSize(1_000)

            val asked = List(6) { size.next.also { size.claimed(it, it) } }

            asked shouldContainExactly listOf(128, 256, 512, 1_000, 1_000, 1_000)
        }

        test("after a claim that found less, the next one is small again") {
            val size = ClaimSize(1_000)
            repeat(4) { size.claimed(size.next, size.next) }

            size.claimed(999, 1_000)

            size.next shouldBe 128
        }

        test("a claim that was limited by the free slots counts as full") {
            val size = ClaimSize(1_000)

            size.claimed(20, 20)

            size.next shouldBe 256
        }

        test("a small batch size is the limit from the beginning") {
            val size = ClaimSize(5)

            size.next shouldBe 5
            size.claimed(5, 5)
            size.next shouldBe 5
        }
    })
