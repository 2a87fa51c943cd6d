package io.runledger.dsl

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.StepRef
import io.runledger.model.workflow.Upstream
import java.util.UUID
import kotlin.time.Duration

/** Problems point at the line of the block that declared the step. */
class DeclaredAtSpec :
    FunSpec({
        val lines = Lines()

        fun StepsScope.pick(item: String, start: StepRef): JobRef = job(lines.at("pick-$item")) {
            runs("pick", item)
            after(start)
        }

        test("jobs, gates, loops and fragments have their lines") {
            val order = workflow("orders.fulfil") {
                val paid = job(lines.at("pay"))
                job(lines.at("notify")) { after(paid) }
                externalGate(lines.at("approval"))
                externalGate(lines.at("stock")) { after(paid) }
                listOf("a", "b").forEach { item ->
                    job(lines.at("wrap-$item"))
                }
                listOf("a", "b").map { pick(it, paid) }
            }

            order.steps().map { it.declaredAt().toString() } shouldContainExactly order.steps().map { lines.of(it.key()) }
            lines.of("wrap-a") shouldBe lines.of("wrap-b")
            lines.of("pick-a") shouldNotBe lines.of("pay")
        }

        test("problems name the step and its line") {
            val message = shouldThrow<InvalidWorkflowException> {
                workflow("orders.fulfil") {
                    job(lines.at("charge")) { maxAttempts(0) }
                    job(lines.at("ship")) { after(Upstream.named("aproval")) }
                    externalGate(lines.at("approval")) { expiresAfter(Duration.ZERO) }
                }
            }.message!!

            message shouldContain "steps[0] 'charge' (${lines.of("charge")}): maxAttempts is 0"
            message shouldContain "steps[1] 'ship' (${lines.of("ship")}): The step waits for 'aproval'"
            message shouldContain "steps[2] 'approval' (${lines.of("approval")}): expiresAfter"
        }

        test("an append has lines as well, also when it is compared with the run") {
            val grown = append(UUID.randomUUID(), "batch-1", window = "plan") {
                job(lines.at("merge")) { after(Upstream.named("plam")) }
            }

            val bad = shouldThrow<InvalidWorkflowException> { grown.requireFits(setOf("plan")) }

            bad.problems().single().declaredAt().toString() shouldBe lines.of("merge")
        }
    })

private class Lines {
    private val numbers = HashMap<String, Int>()

    /** Records the line of the call, which is the line that declares the step. */
    fun at(key: String): String {
        numbers[key] = Throwable().stackTrace[1].lineNumber
        return key
    }

    fun of(key: String) = "DeclaredAtSpec.kt:${numbers.getValue(key)}"
}
