package io.runledger.model.workflow

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.condition.Condition
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.error.WorkflowProblem
import java.util.UUID

private fun problems(build: WorkflowRequest.Builder.() -> Unit): List<WorkflowProblem> =
    shouldThrow<InvalidWorkflowException> { WorkflowRequest.builder("orders").apply(build).build() }.problems()

/** The problems of a step that waits for the end of `a` and has [condition]. */
private fun problemsOf(condition: (JobRef) -> Condition) = problems {
    val a = job("a")
    job("b") { it.after(a.onTerminal()).onlyIf(condition(a)) }
}

class ConditionCheckSpec :
    FunSpec({
        test("conditions are kept with the step, and two of them must both be true") {
            val workflow = WorkflowRequest.builder("orders")
            val a = workflow.job("a")
            workflow.job("b") { it.after(a.onTerminal()).onlyIf(a.failed()).onlyIf(Condition.context("x").exists()) }
            workflow.externalGate("c") { it.after(a).onlyIf(a.output("sum").greaterThan(100)) }

            workflow.build().steps().map { it.condition()?.toString() } shouldContainExactly
                listOf(null, "all of (a failed, context.x exists)", "a.output.sum > 100")
        }

        test("a condition on a step that is not waited for is refused with a code of its own, and so is one on a later step") {
            val found = problems {
                val a = job("a")
                val b = job("b") { it.after(a) }
                job("c") { it.after(b).onlyIf(a.output("x").exists()) }
                job("d") { it.onlyIf(Upstream.named("e").failed()) }
                job("e")
            }

            found.map { it.code() to it.where() } shouldContainExactly
                listOf(ErrorCode.DAG_CONDITION_STEP to "steps[2] 'c'", ErrorCode.DAG_CONDITION_STEP to "steps[3] 'd'")
            found.first().toString() shouldContain "uses 'a', which is not a dependency of the step"
        }

        test("all that is wrong with a condition comes at once") {
            val found = problemsOf { a ->
                Condition.allOf(
                    a.output("sum").greaterThan(true),
                    a.output("sum").equalTo(listOf(1)),
                    Condition.anyOf(),
                    Condition.context().exists(),
                    a.output("\u0000").exists(),
                    Upstream.named("z").skipped(),
                )
            }

            found.map { it.code() } shouldContainExactly
                List(5) { ErrorCode.DAG_CONDITION } + ErrorCode.DAG_CONDITION_STEP
            found.first().toString() shouldContain "'>' needs a number or a text, not a Boolean"
        }

        test("a part that can never be true as the step waits is a mistake") {
            fun afterwards(wait: (JobRef) -> Upstream, condition: (JobRef) -> Condition) = runCatching {
                val workflow = WorkflowRequest.builder("orders")
                val a = workflow.job("a")
                workflow.job("b") { it.after(wait(a)).onlyIf(condition(a)) }
                workflow.build()
            }.isSuccess

            val endings = listOf<(JobRef) -> Condition>(
                { it.succeeded() },
                { it.failed() },
                { it.skipped() },
                { it.output("x").exists() },
            )
            endings.map { afterwards({ a -> a }, it) } shouldBe listOf(true, false, false, true)
            endings.map { afterwards({ a -> a.onFailure() }, it) } shouldBe listOf(false, true, false, false)
            endings.map { afterwards({ a -> a.onTerminal() }, it) } shouldBe listOf(true, true, true, true)
        }

        test("a condition has at most a hundred parts and ten levels") {
            fun nested(levels: Int, a: JobRef): Condition =
                if (levels == 1) a.failed() else Condition.allOf(nested(levels - 1, a))

            problemsOf { a -> nested(11, a) }.single().code() shouldBe ErrorCode.DAG_CONDITION
            problemsOf { a -> Condition.anyOf(*Array(100) { a.failed() }) }.single().code() shouldBe ErrorCode.DAG_CONDITION
            val fits = WorkflowRequest.builder("orders")
            val a = fits.job("a")
            fits.job("b") { it.after(a.onTerminal()).onlyIf(Condition.anyOf(*Array(99) { a.failed() })) }
            fits.job("c") { it.after(a.onTerminal()).onlyIf(nested(10, a)) }
            fits.build().steps().size shouldBe 3
        }

        test("an appended step may look at an existing step that it waits for, and at no other") {
            val append = AppendRequest.builder(UUID.randomUUID(), "k", "gate")
            append.job("b") { it.after(Upstream.named("a")).onlyIf(Upstream.named("a").output("x").atLeast(1)) }
            append.build().steps().single().condition().toString() shouldBe "a.output.x >= 1"

            append.job("c") { it.onlyIf(Upstream.named("a").output("x").atLeast(1)) }
            shouldThrow<InvalidWorkflowException> { append.build() }.code() shouldBe ErrorCode.DAG_CONDITION_STEP
        }
    })
