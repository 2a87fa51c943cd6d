package io.runledger.exposed.fleet

import io.runledger.exposed.Ledger
import io.runledger.exposed.membership
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerState
import io.runledger.model.value.UuidV7
import java.time.Duration
import java.util.UUID

val beat: Duration = Duration.ofSeconds(30)

fun card(workerId: String, vararg labels: String, types: List<String> = listOf("mail")): WorkerCard =
    WorkerCard(UuidV7.next(), workerId, labels.toSet(), types, 8, "1.2.3", "shop 7", "pod-1", 4711, beat)

/** A worker that has registered and has read its orders once. */
fun Ledger.comes(workerId: String, vararg labels: String): UUID {
    val card = card(workerId, *labels)
    membership.enter(card)
    membership.beat(card.id(), WorkerState.WORKING, 0)
    return card.id()
}

fun Ledger.isToDrain(id: UUID): Boolean? = membership.beat(id, WorkerState.WORKING, 0)?.isToDrain
