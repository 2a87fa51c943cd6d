package io.runledger.console.screen.overview

import io.runledger.console.content.grouped
import io.runledger.console.content.inWords
import io.runledger.console.content.of
import io.runledger.model.fleet.FleetMetrics.TypeLoad
import java.time.Duration
import java.time.Instant

/** A sentence about something that needs the attention of an operator. */
internal class Concern(
    val sentence: String,
    /** The page that shows more, or null. */
    val path: String? = null,
    val parameters: List<Pair<String, String?>> = emptyList(),
    val label: String = "Show",
)

/** What is not well, the most urgent first; empty if all is well. */
internal fun concerns(load: Load, now: Instant): List<Concern> = buildList {
    load.fleet?.let { fleet ->
        addAll(unserved(fleet))
        fleet.concerns.forEach { add(Concern(it)) }
    }
    late(load, now)?.let(::add)
    deadLetters(load)?.let(::add)
}

private fun unserved(fleet: Load.Fleet): List<Concern> {
    val waiting = fleet.metrics.types().filter { it.due() > 0 && !fleet.serves(it) }
    return if (fleet.metrics.workers().alive() == 0L && waiting.isNotEmpty()) {
        val due = waiting.sumOf { it.due() }
        val plus = if (waiting.any { it.isCapped }) "At least " else ""
        val sentence = "$plus${due.of("job")} can run now, but no worker is alive: start a worker."
        listOf(Concern(sentence, "/workers", label = "Workers"))
    } else {
        waiting.take(MOST_TYPES).map(::unserved) + listOfNotNull(
            (waiting.size - MOST_TYPES).takeIf { it > 0 }?.let {
                Concern("Jobs of ${it.toLong().of("further type")} wait without a worker.", "/types", label = "Job types")
            },
        )
    }
}

private fun unserved(type: TypeLoad) = Concern(
    "${type.due().of("job")} of type ${type.jobType()} can run now, but no live worker serves the type: start a worker that " +
        "has a handler for it.",
    "/jobs",
    listOf("status" to "PENDING", "type" to type.jobType()),
    "Show these jobs",
)

private fun late(load: Load, now: Instant): Concern? {
    val count = maxOf(load.lateSchedules.size.toLong(), load.fleet?.metrics?.lateSchedules() ?: 0)
    if (count == 0L) return null
    val first = load.lateSchedules.minByOrNull { it.nextFireAt() }
    val which = first?.let { " ${it.name()} was due ${Duration.between(it.nextFireAt(), now).inWords()} ago." }.orEmpty()
    val verb = if (count == 1L) "has" else "have"
    return Concern(
        "${count.of("schedule")} $verb not fired in time:$which Check that a worker with a scheduler runs.",
        "/schedules",
        label = "Schedules",
    )
}

private fun deadLetters(load: Load): Concern? {
    val count = load.throughput.points().sumOf { it.deadLettered() }
    if (count == 0L) return null
    val verb = if (count == 1L) "became a dead letter" else "became dead letters"
    val time = if (load.throughput.isCut) load.countedTime.inWords() else load.period.words
    return Concern("${count.of("job")} $verb in the last $time.", "/dead-letters", label = "Dead letters")
}

private const val MOST_TYPES = 5
