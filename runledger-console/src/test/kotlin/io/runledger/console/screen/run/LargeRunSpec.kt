package io.runledger.console.screen.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import java.time.Duration

class LargeRunSpec :
    FunSpec({
        fun bench() = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })

        test("a run of 600 steps is one box at first, and each step when it is opened") {
            val bench = bench()
            val run = bench.start(order(picks = 597))
            val ada = bench.viewer("ada")

            val closed = ada.get("/runs/$run").body()
            val opened = ada.get("/runs/$run?open=pick-0").body()

            closed shouldContain "Show all 597 of "
            closed.length shouldBeLessThan 60_000
            Regex("/steps/pick-\\d+\"").findAll(opened).map { it.value }.toSet().size shouldBe 597
            listOf("timeline", "story", "steps", "data").forEach { ada.get("/runs/$run?view=$it").statusCode() shouldBe 200 }
        }

        test("the graph, the timeline and the story of a run with more steps refer to the table") {
            val bench = bench()
            val run = bench.start(order(picks = 2_001))
            val ada = bench.viewer("ada")

            listOf("graph", "timeline", "story").forEach { view ->
                val page = ada.get("/runs/$run?view=$view").body()
                page shouldContain "too many for a picture"
                page shouldNotContain "<svg"
            }
            ada.get("/runs/$run?view=steps").body() shouldContain "/steps/pick-1\""
            ada.get("/runs/$run/steps/pick-1").statusCode() shouldBe 200
        }
    })
