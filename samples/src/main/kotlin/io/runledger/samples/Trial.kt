package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.goTo
import io.runledger.coroutines.handlers
import io.runledger.coroutines.stepMachine
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.policy.StepRetries
import io.runledger.model.spec.KeptState
import io.runledger.model.spec.RequeueRequest
import io.runledger.model.state.RequeueOutcome
import io.runledger.model.state.Scope
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.days

/** Where a customer's trial stands. What a step needs to know, it carries: nothing else is kept. */
sealed interface Trial {
    data class Welcome(val customer: String) : Trial

    data class Remind(val customer: String, val letters: Int = 0) : Trial

    data class Close(val customer: String) : Trial
}

interface TrialDesk {
    fun write(customer: String, letter: String)
    fun hasPaid(customer: String): Boolean
    fun close(customer: String)
}

val trial = jobType<Trial>("customers.trial")

/** A job of weeks: between its steps it is a row that waits. */
fun trials(desk: TrialDesk): Handlers = handlers {
    machine(
        stepMachine(trial) {
            on<Trial.Welcome> {
                desk.write(it.customer, "welcome")
                goTo(Trial.Remind(it.customer), 7.days)
            }
            on<Trial.Remind>(StepRetries.atMost(3, RetryPolicy.fixed(Duration.ofMinutes(5)))) {
                if (desk.hasPaid(it.customer)) return@on done("stayed")
                if (it.letters == 2) return@on goTo(Trial.Close(it.customer))
                desk.write(it.customer, "reminder")
                goTo(it.copy(letters = it.letters + 1), 7.days)
            }
            on<Trial.Close> {
                desk.close(it.customer)
                done("left")
            }
        },
    )
}

/** Somebody decides about a trial that is parked: it goes on at another stage, with fresh attempts. */
fun decide(client: RunledgerClient, parked: UUID, stage: Trial, why: String): RequeueOutcome {
    val moved = client.jobs.editPayload(Scope.global(), parked, trial, stage, why)
    return client.jobs.requeue(RequeueRequest.of(Scope.global(), moved, KeptState.RESET_PROGRESS_AND_CHECKPOINT, why))
}
