package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.encoded
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.workflow.LockedStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.text.Text
import io.runledger.model.workflow.ContextMerge
import tools.jackson.core.io.JsonStringEncoder
import java.sql.Connection
import java.util.UUID

/**
 * Adds the contributions of succeeded steps to the contexts of their runs, which are locked. Runs two statements if a step
 * contributes, otherwise none.
 */
internal class Contributions(private val context: LedgerContext) {
    /**
     * Splits [endings] into those to settle now and those to judge again afterwards. Among the first, a contribution that
     * conflicts or does not fit is refused. The second are refused only if an earlier contribution is written and not lost.
     */
    fun judge(
        connection: Connection,
        endings: List<AttemptEnding>,
        locked: Map<UUID, LockedStep>,
    ): Pair<List<AttemptEnding>, List<AttemptEnding>> {
        val contributing = endings.filter { it.contribution != null && it.lease.jobId() in locked }
        if (contributing.isEmpty()) return endings to emptyList()
        val taken = HashSet<Pair<UUID, String>>()
        val (uncontested, contested) = contributing.partition { ending ->
            val names = strictNames(ending, locked.getValue(ending.lease.jobId()))
            names.none { it in taken }.also { isFree -> if (isFree) taken += names }
        }
        val (refused, uncertain) = refusedAndUncertain(uncontested, effects(connection, uncontested, locked), locked)
        val later = contested + uncertain
        return (endings - later.toSet()).map { ending -> refused[ending]?.let { ending.refused(context, it) } ?: ending } to later
    }

    /** The names under which no other step may contribute. */
    private fun strictNames(ending: AttemptEnding, step: LockedStep): List<Pair<UUID, String>> =
        if (step.contextMerge == ContextMerge.REFUSE) ending.contributedNames.map { step.runId to it } else emptyList()

    /**
     * The errors of the refused [endings], and the endings that may not fit after the earlier ones of the same run. All later
     * endings of that run are among the second, because the order decides which value is kept. The first contribution to a run is
     * judged by the stored context. For a later one the context may have become larger or smaller.
     */
    private fun refusedAndUncertain(
        endings: List<AttemptEnding>,
        effects: Map<AttemptEnding, Effect>,
        locked: Map<UUID, LockedStep>,
    ): Pair<Map<AttemptEnding, RunledgerException>, Set<AttemptEnding>> {
        val refused = HashMap<AttemptEnding, RunledgerException>()
        val uncertain = LinkedHashSet<AttemptEnding>()
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
                    uncertain += ending
                }
            }
        }
        return refused to uncertain
    }

    /** Adds the contributions of the [settled] steps, in their order. */
    fun add(connection: Connection, settled: List<AttemptEnding>, locked: Map<UUID, LockedStep>) {
        val contributors = settled.filter { it.contribution != null && it.lease.jobId() in locked }
        if (contributors.isEmpty()) return
        connection.update(context.statements["settle/context_add"]) {
            uuids("run_ids", contributors.map { runOf(it, locked) })
            jsons("contributions", contributors.map { it.contribution })
        }
    }

    private fun effects(
        connection: Connection,
        endings: List<AttemptEnding>,
        locked: Map<UUID, LockedStep>,
    ): Map<AttemptEnding, Effect> = connection.rows(
        context.statements["settle/context_judge"],
        {
            uuids("run_ids", endings.map { runOf(it, locked) })
            jsons("contributions", endings.map { it.contribution })
            int("max_bytes", context.limits.contextBytes)
        },
    ) {
        val names = (getArray("names")?.array as Array<*>?).orEmpty().map { it.toString() }
        endings[getInt("place") - 1] to Effect(names, getLong("own_bytes"), getLong("total_bytes"))
    }.toMap()

    private fun runOf(ending: AttemptEnding, locked: Map<UUID, LockedStep>): UUID = locked.getValue(ending.lease.jobId()).runId

    private fun conflict(names: List<String>): RunledgerException = ErrorCode.CONTEXT_CONFLICT.exception(
        "The run's context already has another value under ${names.joinToString { Text.quoted(it) }}: contribute under a name " +
            "that no other step uses, or let the workflow replace or keep values.",
    )

    private fun tooLarge(bytes: Long): RunledgerException = ErrorCode.CONTEXT_TOO_LARGE.exception(
        "With this contribution the run's context has $bytes bytes, and the limit is ${context.limits.contextBytes}: store the " +
            "value elsewhere and contribute a reference, or raise the client's maxContextBytes.",
    )

    /** The effect of a contribution on the stored context. A total within the limit may be an overestimate. */
    private class Effect(val conflicts: List<String>, val ownBytes: Long, val totalBytes: Long)
}

/** [values] as one object. If a name or a value cannot be stored, throws `workflow.invalid_context`. */
internal fun contribution(values: Map<String, Payload>, job: UUID, context: LedgerContext): Json {
    val members = values.entries.joinToString(",", "{", "}") { (name, value) ->
        if (Text.isBlank(name) || !Text.isStorable(name)) {
            throw ErrorCode.INVALID_CONTEXT.exception(
                "A contribution has a blank name, or a name that PostgreSQL cannot store: give it another name.",
            )
        }
        val quoted = String(JsonStringEncoder.getInstance().quoteAsCharArray(name))
        "\"$quoted\":" + value.encode(context.codec, ErrorCode.INVALID_CONTEXT).text()
    }
    return context.encoded(Payload.of(Json(members)), "job $job", ValueKind.CONTRIBUTION)
}
