package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.run.FixedJob
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.retry.StepRetries
import kotlinx.coroutines.Dispatchers

private sealed interface Door {
    data object Open : Door

    data object Shut : Door

    sealed interface Broken : Door {
        data object Jammed : Broken

        data class Missing(val since: Int) : Broken
    }

    enum class Weather : Door {
        SUN,
        RAIN {
            override fun toString() = "rain"
        },
    }
}

private sealed interface Leaky {
    interface Anything : Leaky
}

private val door = JobType.builder("door", Door::class.java).maxAttempts(3).build()

class StepMachineBuilderSpec :
    FunSpec({
        fun StepMachineScope<Door>.healthy() {
            on<Door.Open> { done("open") }
            on<Door.Shut> { done("shut") }
            on<Door.Weather> { done("weather") }
        }

        fun refusal(block: StepMachineScope<Door>.() -> Unit) =
            shouldThrow<IllegalArgumentException> { stepMachine(door, block) }.message

        test("a step without a function is refused when the machine is built, by name") {
            refusal { healthy() } shouldBe "The machine 'door' has no function for Jammed and Missing: add one."
        }

        test("a function for a sealed part serves its classes, unless they have one of their own") {
            val machine = stepMachine(door) {
                healthy()
                on<Door.Broken.Missing> { done("missing") }
                on<Door.Broken> { done("broken") }
            }
            val told = listOf(Door.Open, Door.Broken.Jammed, Door.Broken.Missing(3), Door.Weather.SUN, Door.Weather.RAIN).map {
                machineAttempt(machine).attempt(FixedJob<Door>(it), Dispatchers.Unconfined)
            }

            told shouldBe listOf("open", "broken", "missing", "weather", "weather").map { JobOutcome.succeeded(it) }
        }

        test("a second function for a step is refused") {
            refusal {
                healthy()
                on<Door.Open> { done() }
            } shouldContain "Open has a function already"
        }

        test("a step cannot be tried more often than a job of the type") {
            refusal { on<Door.Open>(StepRetries.atMost(4)) { done() } } shouldContain "only 3"
        }

        test("a payload that is not sealed, or leaves a side open, is no machine's") {
            shouldThrow<IllegalArgumentException> { StepMachine.builder(JobType.of("open", String::class.java)).build() }
                .message shouldContain "not sealed"
            shouldThrow<IllegalArgumentException> { StepMachine.builder(JobType.of("leaky", Leaky::class.java)).build() }
                .message shouldContain "seal it"
        }
    })
