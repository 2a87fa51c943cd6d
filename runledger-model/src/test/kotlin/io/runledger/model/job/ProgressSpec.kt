package io.runledger.model.job

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import java.math.BigDecimal

class ProgressSpec :
    FunSpec({
        test("either count may be unknown") {
            Progress(null, null) shouldBe Progress.NONE
            Progress(7, null).done() shouldBe 7
            Progress(null, 7).total() shouldBe 7
        }

        test("counts that make no sense are refused") {
            listOf<Pair<Long?, Long?>>(
                -1L to null,
                -1L to 5L,
                null to -1L,
                0L to -1L,
                6L to 5L,
                Long.MAX_VALUE to 0L,
            ).forEach { (done, total) ->
                shouldThrow<InvalidRequestException> { Progress(done, total) }.code() shouldBe ErrorCode.INVALID_PROGRESS
            }
            shouldThrow<InvalidRequestException> { Progress.of(6, 5) }.message shouldContain "(6)"
        }

        test("percent has two decimals, rounded half up, and is unknown without both counts") {
            Progress.of(0, 3).percent() shouldBe BigDecimal("0.00")
            Progress.of(1, 3).percent() shouldBe BigDecimal("33.33")
            Progress.of(2, 3).percent() shouldBe BigDecimal("66.67")
            Progress.of(1, 16).percent() shouldBe BigDecimal("6.25")
            Progress.of(1, 800).percent() shouldBe BigDecimal("0.13")
            Progress.of(Long.MAX_VALUE, Long.MAX_VALUE).percent() shouldBe BigDecimal("100.00")
            listOf(Progress.NONE, Progress(1, null), Progress(null, 1), Progress.of(0, 0)).map { it.percent() } shouldBe
                List(4) { null }
        }
    })
