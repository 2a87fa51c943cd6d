package io.runledger.model.workflow

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.error.WorkflowProblem

private val receipt = Input.of("receipt", String::class.java)
private val parcels = Input.of("parcels", Int::class.javaObjectType)

private fun problems(build: WorkflowRequest.Builder.() -> Unit): List<WorkflowProblem> =
    shouldThrow<InvalidWorkflowException> { WorkflowRequest.builder("orders").apply(build).build() }.problems()

class InputSpec :
    FunSpec({
        test("a step that uses another one waits for its success, under the input's name") {
            val order = WorkflowRequest.builder("orders")
            val charged = order.job("charge")
            val picked = listOf("a", "b").map { order.job("pick-$it") }
            val approved = order.externalGate("approval")
            order.job("ship") { it.after(approved).uses(charged, receipt).uses(picked, parcels) }

            order.build().steps().last().dependencies() shouldContainExactly listOf(
                Dependency("approval", ReleaseMode.ON_SUCCESS),
                Dependency("charge", ReleaseMode.ON_SUCCESS, "receipt"),
                Dependency("pick-a", ReleaseMode.ON_SUCCESS, "parcels"),
                Dependency("pick-b", ReleaseMode.ON_SUCCESS, "parcels"),
            )
        }

        test("a fan-in over nothing binds nothing") {
            val order = WorkflowRequest.builder("orders")
            order.job("ship") { it.uses(emptyList<JobRef>(), parcels) }

            order.build().steps().single().dependencies() shouldBe emptyList()
        }

        test("one step gives one input, and uses waits by itself") {
            val twice = problems {
                val charged = job("charge")
                job("ship") { it.uses(charged, receipt).uses(charged, parcels) }
            }.single()
            val besides = problems {
                val charged = job("charge")
                job("ship") { it.uses(charged, receipt).after(charged) }
            }.single()

            listOf(twice, besides).map { it.code() }.toSet() shouldBe setOf(ErrorCode.DAG_DUPLICATE_DEPENDENCY)
            twice.message() shouldContain "The step uses 'charge' as 'receipt' and as 'parcels': keep one of the two inputs"
            besides.message() shouldContain "remove it from after"
        }

        test("only the success of a step gives an input, and only to a job") {
            val late = problems {
                val charged = job("charge")
                job("ship") { it.uses(charged.onTerminal(), receipt) }
            }.single()
            val gate = problems {
                job("charge")
                add(GateStep.builder("approval").after(Dependency("charge", ReleaseMode.ON_SUCCESS, "receipt")).build())
            }.single()

            listOf(late, gate).map { it.code() }.toSet() shouldBe setOf(ErrorCode.DAG_INPUT)
            late.where() shouldBe "steps[1] 'ship'"
            late.message() shouldContain "pass the step without a mode"
            gate.message() shouldContain "A gate has no handler"
        }

        test("a name is checked where it is declared, and again with the workflow") {
            shouldThrow<InvalidRequestException> { Input.json(" ") }.code() shouldBe ErrorCode.DAG_INPUT
            val problem = problems {
                job("charge")
                add(JobStep.builder("ship").after(Dependency("charge", ReleaseMode.ON_SUCCESS, "a\tb")).build())
            }.single()

            problem.code() shouldBe ErrorCode.DAG_INPUT
            problem.where() shouldBe "steps[1] 'ship'"
        }

        test("an unknown step that is used is unknown as any other") {
            problems { job("ship") { it.uses(Upstream.named("charge"), receipt) } }.single().code() shouldBe
                ErrorCode.DAG_MISSING_DEPENDENCY
        }
    })
