package io.runledger.model.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.long
import io.kotest.property.checkAll
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidWorkflowException
import io.runledger.model.error.WorkflowProblem
import io.runledger.model.job.JobSettings
import io.runledger.model.json.Payload
import java.time.Duration
import kotlin.random.Random

class WorkflowGraphSpec :
    FunSpec({
        test("random graphs of up to 500 steps are valid when built forwards") {
            checkAll(300, validGraphs()) { steps -> problemsOf(steps).shouldBeEmpty() }
        }

        test("the check agrees with an independent one on arbitrary graphs") {
            var valid = 0
            var invalid = 0
            checkAll(5_000, anyGraphs()) { steps ->
                val expected = isValidGraph(steps)
                if (expected) valid++ else invalid++

                problemsOf(steps).isEmpty() shouldBe expected
            }
            (valid > 200 && invalid > 200) shouldBe true
        }

        test("every mutation of a valid graph is caught with its own code") {
            checkAll(150, validGraphs(120), Arb.long()) { steps, seed ->
                mutations.forEach { (code, mutate) ->
                    mutate(steps, Random(seed))?.let { broken -> problemsOf(broken).map { it.code() } shouldContain code }
                }
            }
        }

        test("the path of a reported cycle really is one") {
            checkAll(2_000, anyGraphs()) { steps ->
                Cycles.`in`(steps).forEach { cycle ->
                    cycle.indices.forEach { place ->
                        val step = steps.first { it.key() == cycle[place] }
                        step.dependencies().map { it.step() } shouldContain cycle[(place + 1) % cycle.size]
                    }
                    cycle.toSet().size shouldBe cycle.size
                }
            }
        }

        test("a chain of 100,000 steps closed to a circle is reported, not overflowed") {
            val chain = List(100_000) { place ->
                JobStep.builder("s$place").after(Upstream.named("s${if (place == 0) 99_999 else place - 1}")).build()
            }

            Cycles.`in`(chain).single().size shouldBe 100_000
        }

        test("two separate circles are two problems, and what hangs behind them is none") {
            val steps = listOf("a" to "b", "b" to "a", "c" to "d", "d" to "c", "tail" to "a").map { (key, after) ->
                JobStep.builder(key).after(Upstream.named(after)).build()
            }

            Cycles.`in`(steps) shouldBe listOf(listOf("a", "b"), listOf("c", "d"))
        }
    })

private fun problemsOf(steps: List<StepRequest>): List<WorkflowProblem> = try {
    WorkflowRequest("any", Payload.empty(), null, null, null, null, steps)
    emptyList()
} catch (invalid: InvalidWorkflowException) {
    invalid.problems()
}

private typealias Mutation = (List<StepRequest>, Random) -> List<StepRequest>?

private val mutations: List<Pair<ErrorCode, Mutation>> = listOf(
    ErrorCode.DAG_EMPTY to { _, _ -> emptyList() },
    ErrorCode.DAG_STEP_KEY to { steps, random ->
        steps.mutate(random) { it.copy(key = listOf("", " ", "\u00a0", "x".repeat(256), "a\u0000").random(random)) }
    },
    ErrorCode.DAG_JOB_TYPE to { steps, random -> steps.mutate(random) { it.copy(jobType = " ") } },
    ErrorCode.DAG_MAX_ATTEMPTS to { steps, random -> steps.mutate(random) { it.copy(maxAttempts = -random.nextInt(3)) } },
    ErrorCode.DAG_TIMEOUT to { steps, random ->
        steps.mutate(random) { it.copy(timeout = Duration.ofMillis(999L - random.nextInt(5000))) }
    },
    ErrorCode.DAG_INVALID to { steps, random -> steps.mutate(random) { it.copy(delay = Duration.ofNanos(-1)) } },
    ErrorCode.DAG_SELF_DEPENDENCY to { steps, random -> steps.mutate(random) { it.alsoAfter(Upstream.named(it.key())) } },
    ErrorCode.DAG_DEPENDENCY_KEY to { steps, random -> steps.mutate(random) { it.alsoAfter(Upstream.named("\t")) } },
    ErrorCode.DAG_MISSING_DEPENDENCY to { steps, random -> steps.mutate(random) { it.alsoAfter(Upstream.named("nowhere")) } },
    ErrorCode.DAG_DUPLICATE_STEP to { steps, random -> steps + steps.random(random) },
    ErrorCode.DAG_DUPLICATE_DEPENDENCY to { steps, random ->
        steps.mutate(random, { it.dependencies().isNotEmpty() }) { it.alsoAfter(it.dependencies().first().onFailure()) }
    },
    ErrorCode.DAG_CYCLE to { steps, random ->
        steps.filter { it.dependencies().isNotEmpty() }.randomOrNull(random)?.let { dependent ->
            val upstream = dependent.dependencies().random(random).step()
            steps.map { if (it.key() == upstream) it.alsoAfter(Upstream.named(dependent.key())) else it }
        }
    },
)

private fun List<StepRequest>.mutate(
    random: Random,
    fits: (JobStep) -> Boolean = { true },
    change: (JobStep) -> StepRequest,
): List<StepRequest>? = filterIsInstance<JobStep>().filter(fits).randomOrNull(random)?.let { chosen ->
    map { if (it === chosen) change(chosen) else it }
}

private fun StepRequest.alsoAfter(dependency: Dependency): StepRequest = when (this) {
    is JobStep -> copy(after = dependencies() + dependency)
    is GateStep -> GateStep(key(), payload(), organizationId(), expiresAfter(), onExpiry(), dependencies() + dependency)
}

private fun JobStep.copy(
    key: String = key(),
    jobType: String = jobType(),
    maxAttempts: Int? = settings().maxAttempts(),
    timeout: Duration? = settings().timeout(),
    delay: Duration? = delay(),
    after: List<Dependency> = dependencies(),
) = JobStep(
    key,
    jobType,
    payload(),
    organizationId(),
    JobSettings(settings().priority(), maxAttempts, timeout, settings().retryPolicy()),
    delay,
    stage(),
    mayContinue(),
    after,
)
