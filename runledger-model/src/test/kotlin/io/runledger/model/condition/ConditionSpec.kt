package io.runledger.model.condition

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.workflow.Upstream
import java.math.BigDecimal
import java.math.BigInteger

private val charge = Upstream.named("charge")
private val score = Upstream.named("score")

private val everyPart = Condition.allOf(
    charge.succeeded(),
    Condition.anyOf(charge.failed(), charge.skipped()),
    Condition.noneOf(
        Condition.context("country").equalTo("DE"),
        Condition.context("tries", "0").notEqualTo(null),
        score.output("risk").greaterThan(70),
        score.output("risk").atLeast(0.5),
        score.output("day").lessThan("2026-08-01"),
        score.output("day").atMost("2026-08-31"),
        score.output("tags").contains(true),
        score.output().exists(),
    ),
)

class ConditionSpec :
    FunSpec({
        test("every part survives being stored") {
            Condition.fromMap(everyPart.toMap()) shouldBe everyPart
        }

        test("a part is stored under plain names") {
            charge.failed().toMap() shouldContainExactly mapOf("step" to "charge", "ended" to "FAILED")
            score.output("risk").greaterThan(70).toMap() shouldContainExactly
                mapOf("step" to "score", "path" to listOf("risk"), "is" to "GREATER_THAN", "operand" to 70L)
            Condition.context("a").exists().toMap() shouldContainExactly mapOf("path" to listOf("a"), "is" to "EXISTS")
            Condition.noneOf(charge.skipped()).toMap() shouldContainExactly
                mapOf("none" to listOf(mapOf("step" to "charge", "ended" to "SKIPPED")))
        }

        test("it reads as people would say it") {
            everyPart.toString() shouldBe "all of (charge succeeded, any of (charge failed, charge skipped), " +
                "none of (context.country = 'DE', context.tries.0 != null, score.output.risk > 70, score.output.risk >= 0.5, " +
                "score.output.day < '2026-08-01', score.output.day <= '2026-08-31', score.output.tags contains true, " +
                "score.output exists))"
        }

        test("numbers that are worth the same are the same operand, and an enum constant is its name") {
            val seventy = Condition.context("n").equalTo(70L)

            listOf(70, 70.toShort(), 70.0, 70.0f, BigDecimal("70.00"), BigInteger.valueOf(70)).forEach {
                withClue(it::class) { Condition.context("n").equalTo(it) shouldBe seventy }
            }
            Condition.context("n").equalTo(StepEnding.FAILED) shouldBe Condition.context("n").equalTo("FAILED")
            val large = BigInteger.TWO.pow(80)
            Condition.context("n").equalTo(large) shouldBe Condition.context("n").equalTo(BigDecimal(large))
        }

        test("which comparison takes which operand") {
            val orders = listOf(Comparison.GREATER_THAN, Comparison.AT_LEAST, Comparison.LESS_THAN, Comparison.AT_MOST)
            val scalars: List<Any?> = listOf("x", 1, 1.5, BigDecimal.TEN, true, null)
            val others: List<Any?> = listOf(listOf(1), mapOf("a" to 1), Double.NaN, Any(), "\u0000", BigDecimal("1e100000"))

            fun fits(comparison: Comparison, operand: Any?) = comparison.problemWith(operand).isEmpty

            orders.forEach { order -> scalars.map { fits(order, it) } shouldBe listOf(true, true, true, true, false, false) }
            listOf(Comparison.EQUALS, Comparison.NOT_EQUALS, Comparison.CONTAINS).forEach { comparison ->
                scalars.all { fits(comparison, it) } shouldBe true
            }
            (Comparison.entries - Comparison.EXISTS).forEach { comparison ->
                others.filter { fits(comparison, it) } shouldBe emptyList()
            }
            fits(Comparison.EXISTS, null) shouldBe true
            fits(Comparison.EXISTS, 1) shouldBe false
        }

        test("what is no condition is refused when it is read") {
            listOf(
                emptyMap(),
                mapOf("step" to "charge"),
                mapOf("step" to "charge", "ended" to "RUNNING"),
                mapOf("path" to listOf("a"), "is" to "LIKE", "operand" to "x"),
                mapOf("path" to "a", "is" to "EXISTS"),
                mapOf("all" to listOf("charge")),
                mapOf("all" to "charge"),
            ).forEach { form ->
                withClue(form) {
                    shouldThrow<InvalidRequestException> { Condition.fromMap(form) }.code() shouldBe ErrorCode.INVALID_ARGUMENT
                }
            }
        }
    })
