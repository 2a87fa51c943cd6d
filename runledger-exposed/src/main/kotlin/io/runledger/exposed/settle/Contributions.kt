package io.runledger.exposed.settle

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.workflow.LockedStep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.lease.Verdict
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
     * The contributions to write now, apart from the refused ones, which conflict or do not fit, and the later ones, which are
     * to be judged again afterwards: they are refused only if an earlier contribution is written and not lost.
     */
    fun judge(connection: Connection, verdicts: Map<Lease, Verdict>, locked: Map<UUID, LockedStep>): Judgement {
        val contributors = contributors(verdicts, locked)
        if (contributors.isEmpty()) return Judgement.NOTHING
        val taken = HashSet<Pair<UUID, String>>()
        val (uncontested, contested) = contributors.keys.partition { lease ->
            val names = strictNames(contributors.getValue(lease), locked.getValue(lease.jobId()))
            names.none { it in taken }.also { isFree -> if (isFree) taken += names }
        }
        val effects = effects(connection, contributors.filterKeys { it in uncontested }, locked)
        val judgement = refusedAndUncertain(uncontested, effects, locked)
        return Judgement(judgement.refused, judgement.later + contested)
    }

    /** What becomes of contributions that cannot simply be added. */
    class Judgement(val refused: Map<Lease, RunledgerException>, val later: Set<Lease>) {
        companion object {
            val NOTHING = Judgement(emptyMap(), emptySet())
        }
    }

    private fun contributors(verdicts: Map<Lease, Verdict>, locked: Map<UUID, LockedStep>): Map<Lease, Verdict.Succeed> =
        verdicts.entries.mapNotNull { (lease, verdict) ->
            (verdict as? Verdict.Succeed)?.takeIf { it.contributions().isNotEmpty() && lease.jobId() in locked }?.let {
                lease to
                    it
            }
        }.toMap()

    /** The names under which no other step may contribute. */
    private fun strictNames(verdict: Verdict.Succeed, step: LockedStep): List<Pair<UUID, String>> =
        if (step.contextMerge == ContextMerge.REFUSE) verdict.contributions().keys.map { step.runId to it } else emptyList()

    /**
     * The errors of the refused contributions, and those that may not fit after the earlier ones of the same run. All later
     * contributions to that run are among the second, because the order decides which value is kept. The first contribution to a
     * run is judged by the stored context. For a later one the context may have become larger or smaller.
     */
    private fun refusedAndUncertain(leases: List<Lease>, effects: Map<Lease, Effect>, locked: Map<UUID, LockedStep>): Judgement {
        val refused = HashMap<Lease, RunledgerException>()
        val uncertain = LinkedHashSet<Lease>()
        val sizes = HashMap<UUID, Long>()
        leases.forEach { lease ->
            val effect = effects.getValue(lease)
            val before = sizes[runOf(lease, locked)]
            val size = if (before == null) effect.totalBytes else before + effect.ownBytes
            when {
                effect.conflicts.isNotEmpty() -> refused[lease] = conflict(effect.conflicts)

                size <= context.limits.contextBytes -> sizes[runOf(lease, locked)] = size

                before == null -> refused[lease] = tooLarge(size)

                else -> {
                    sizes[runOf(lease, locked)] = size
                    uncertain += lease
                }
            }
        }
        return Judgement(refused, uncertain)
    }

    /** Adds the contributions of the [settled] steps, in their order. */
    fun add(connection: Connection, settled: Map<Lease, Verdict>, locked: Map<UUID, LockedStep>) {
        val contributors = contributors(settled, locked)
        if (contributors.isEmpty()) return
        connection.update(context.statements["settle/context_add"]) {
            uuids("run_ids", contributors.keys.map { runOf(it, locked) })
            jsons("contributions", contributors.values.map { contribution(it, context) })
        }
    }

    private fun effects(
        connection: Connection,
        contributors: Map<Lease, Verdict.Succeed>,
        locked: Map<UUID, LockedStep>,
    ): Map<Lease, Effect> {
        val leases = contributors.keys.toList()
        return connection.rows(
            context.statements["settle/context_judge"],
            {
                uuids("run_ids", leases.map { runOf(it, locked) })
                jsons("contributions", contributors.values.map { contribution(it, context) })
                int("max_bytes", context.limits.contextBytes)
            },
        ) {
            val names = (getArray("names")?.array as Array<*>?).orEmpty().map { it.toString() }
            leases[getInt("place") - 1] to Effect(names, getLong("own_bytes"), getLong("total_bytes"))
        }.toMap()
    }

    private fun runOf(lease: Lease, locked: Map<UUID, LockedStep>): UUID = locked.getValue(lease.jobId()).runId

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

/** The contributions of [verdict] as one object. If a name or a value cannot be stored, throws `workflow.invalid_context`. */
internal fun contribution(verdict: Verdict.Succeed, context: LedgerContext): Json {
    val members = verdict.contributions().entries.joinToString(",", "{", "}") { (name, value) ->
        if (Text.isBlank(name) || !Text.isStorable(name)) {
            throw ErrorCode.INVALID_CONTEXT.exception(
                "A contribution has a blank name, or a name that PostgreSQL cannot store: give it another name.",
            )
        }
        val quoted = String(JsonStringEncoder.getInstance().quoteAsCharArray(name))
        "\"$quoted\":" + value.encode(context.codec, ErrorCode.INVALID_CONTEXT).text()
    }
    return Json(members)
}
