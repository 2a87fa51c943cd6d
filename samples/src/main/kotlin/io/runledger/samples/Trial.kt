package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.days

/** The state of a customer's trial. Each step contains all the data it needs; nothing else is stored. */
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

/** A job that takes weeks. Between its steps it is only a waiting row. */
fun trials(desk: TrialDesk): Handlers = handlers {
    machine(trial) {
        on<Trial.Welcome> {
            desk.write(it.customer, "welcome")
            goTo(Trial.Remind(it.customer), 7.days)
        }
        on<Trial.Remind>(RetryPolicy.fixed(Duration.ofMinutes(5)).atMost(3)) {
            if (desk.hasPaid(it.customer)) return@on done("stayed")
            if (it.letters == 2) return@on goTo(Trial.Close(it.customer))
            desk.write(it.customer, "reminder")
            goTo(it.copy(letters = it.letters + 1), 7.days)
        }
        on<Trial.Close> {
            desk.close(it.customer)
            done("left")
        }
    }
}

/** An operator continues a parked trial at another stage, with new attempts. */
fun decide(client: RunledgerClient, parked: UUID, stage: Trial, why: String) {
    client.jobs.editPayload(Scope.global(), parked, trial, stage, why)
    client.jobs.restart(Scope.global(), parked, why)
}
