package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.ValueKind
import io.runledger.exposed.intake.encoded
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.workflow.LockedStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.state.ContextMerge
import tools.jackson.core.io.JsonStringEncoder
import java.sql.Connection
import java.util.UUID

/**
 * What steps that succeed add to the contexts of their runs, which are locked. Costs nothing where nobody contributes, and two
 * statements where somebody does.
 */
internal class Contributions(private val context: LedgerContext) {
    /**
     * Parts [endings] into those that can be settled now, conflicts and what does not fit among them refused, and those that
     * must be looked at once more after that: two contributions of which the second is refused only if the first is not lost.
     */
    fun judge(connection: Connection, endings: List<Ending>, locked: Map<UUID, LockedStep>): Pair<List<Ending>, List<Ending>> {
        val contributing = endings.filter { it.contribution != null && it.lease.jobId() in locked }
        if (contributing.isEmpty()) return endings to emptyList()
        val taken = HashSet<Pair<UUID, String>>()
        val (alone, named) = contributing.partition { ending ->
            val names = strictNames(ending, locked.getValue(ending.lease.jobId()))
            names.none { it in taken }.also { isFree -> if (isFree) taken += names }
        }
        val (refused, crowded) = refusedAndCrowded(alone, effects(connection, alone, locked), locked)
        val later = named + crowded
        return (endings - later.toSet()).map { ending -> refused[ending]?.let { ending.refused(context, it) } ?: ending } to later
    }

    /** The names that nobody else may have said anything under. */
    private fun strictNames(ending: Ending, step: LockedStep): List<Pair<UUID, String>> =
        if (step.contextMerge == ContextMerge.REFUSE) ending.contributedNames.map { step.runId to it } else emptyList()

    /**
     * What is wrong with some of [endings], and those that may not fit beside the ones before them, with all that follow these in
     * the same run: the order decides whose value counts. As long as nothing is added before it, a contribution is judged by
     * the context as it stands; after that it may be larger or smaller.
     */
    private fun refusedAndCrowded(
        endings: List<Ending>,
        effects: Map<Ending, Effect>,
        locked: Map<UUID, LockedStep>,
    ): Pair<Map<Ending, RunledgerException>, Set<Ending>> {
        val refused = HashMap<Ending, RunledgerException>()
        val crowded = LinkedHashSet<Ending>()
        val sizes = HashMap<UUID, Long>()
        endings.forEach { ending ->
            val effect = effects.getValue(ending)
            val before = sizes[runOf(ending, locked)]
            val size = if (before == null) effect.totalBytes else before + effect.ownBytes
            when {
                effect.conflicts.isNotEmpty() -> refused[ending] = conflict(effect.conflicts)

                size <= context.limits.contextBytes -> sizes[runOf(ending, locked)] = size

                before == null -> refused[ending] = tooLarge(size)

                else -> {
                    sizes[runOf(ending, locked)] = size
                    crowded += ending
                }
            }
        }
        return refused to crowded
    }

    /** Adds what [settled] steps contributed, in their order. */
    fun add(connection: Connection, settled: List<Ending>, locked: Map<UUID, LockedStep>) {
        val contributors = settled.filter { it.contribution != null && it.lease.jobId() in locked }
        if (contributors.isEmpty()) return
        connection.update(context.statements["context_add"]) {
            uuids(contributors.map { runOf(it, locked) })
            jsons(contributors.map { it.contribution })
        }
    }

    private fun effects(connection: Connection, endings: List<Ending>, locked: Map<UUID, LockedStep>): Map<Ending, Effect> =
        connection.rows(
            context.statements["context_judge"],
            {
                uuids(endings.map { runOf(it, locked) })
                jsons(endings.map { it.contribution })
                int(context.limits.contextBytes)
            },
        ) {
            val names = (getArray("names")?.array as Array<*>?).orEmpty().map { it.toString() }
            endings[getInt("place") - 1] to Effect(names, getLong("own_bytes"), getLong("total_bytes"))
        }.toMap()

    private fun runOf(ending: Ending, locked: Map<UUID, LockedStep>): UUID = locked.getValue(ending.lease.jobId()).runId

    private fun conflict(names: List<String>): RunledgerException = ErrorCode.CONTEXT_CONFLICT.exception(
        "The run's context has another value already under ${names.joinToString { Text.quoted(it) }}: contribute under a name " +
            "of the step's own, or let the workflow replace or keep values.",
    )

    private fun tooLarge(bytes: Long): RunledgerException = ErrorCode.CONTEXT_TOO_LARGE.exception(
        "The run's context would have $bytes bytes with what the step adds: the ledger takes ${context.limits.contextBytes}. " +
            "Store it elsewhere and contribute a reference, or raise the client's maxContextBytes.",
    )

    /** What a contribution would do to the context as it stands. A total within the limit may be counted too high. */
    private class Effect(val conflicts: List<String>, val ownBytes: Long, val totalBytes: Long)
}

/** [values] as one object; refused with `workflow.invalid_context` when a name or a value cannot be stored. */
internal fun contribution(values: Map<String, Payload>, job: UUID, context: LedgerContext): Json {
    val members = values.entries.joinToString(",", "{", "}") { (name, value) ->
        if (Text.isBlank(name) || !Text.isStorable(name)) {
            throw ErrorCode.INVALID_CONTEXT.exception("A contribution has no usable name: give it a visible one.")
        }
        val quoted = String(JsonStringEncoder.getInstance().quoteAsCharArray(name))
        "\"$quoted\":" + value.encode(context.codec, ErrorCode.INVALID_CONTEXT).text()
    }
    return context.encoded(Payload.of(Json(members)), "job $job", ValueKind.CONTRIBUTION)
}
