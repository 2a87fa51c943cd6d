package io.runledger.benchmarks

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

class OptionsSpec :
    FunSpec({
        fun options(vararg arguments: String) =
            Options.of(arguments.toList(), listOf("drain", "cold"), listOf("runledger", "quartz"))

        test("no arguments are a quick run of everything that belongs to it") {
            options() shouldBe Options()
        }

        test("names choose scenarios, whatever stands between them") {
            options("drain", "--full", "cold").scenarios shouldBe setOf("drain", "cold")
        }

        test("rounds, jobs and contenders replace those of the sizes") {
            val options = options("--full", "--rounds=7", "--jobs=1000", "--only=runledger,quartz")

            options.sizes shouldBe Sizes.FULL.copy(rounds = 7, freshRounds = 7, jobs = 1_000)
            options.only shouldBe setOf("runledger", "quartz")
        }

        test("an unknown name is refused with the names there are") {
            shouldThrow<IllegalArgumentException> { options("drian") }.message shouldContain "drain, cold"
            shouldThrow<IllegalArgumentException> { options("--only=quarz") }.message shouldContain "runledger, quartz"
            shouldThrow<IllegalArgumentException> { options("--phases=drain") }.message shouldContain "--phases=drain"
            shouldThrow<IllegalArgumentException> { options("--rounds=0") }.message shouldContain "above 0"
        }
    })
