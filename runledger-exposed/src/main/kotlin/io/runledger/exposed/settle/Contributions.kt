package io.runledger.exposed.settle

import io.runledger.exposed.LedgerContext
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
 * What steps that succeed add to the contexts of their runs, which are locked. Costs nothing where nobody contributes, one
 * statement where somebody does, and one more where the workflow refuses conflicts.
 */
internal class Contributions(private val context: LedgerContext) {
    /**
     * Parts [endings] into those that can be settled now, conflicts among them refused, and those that must be looked at once
     * more after that: two contributions under one name, of which the first may turn out to be lost.
     */
    fun judge(connection: Connection, endings: List<Ending>, locked: Map<UUID, LockedStep>): Pair<List<Ending>, List<Ending>> {
        val strict = endings.filter { it.contribution != null && locked[it.lease.jobId()]?.contextMerge == ContextMerge.REFUSE }
        if (strict.isEmpty()) return endings to emptyList()
        val taken = HashSet<Pair<UUID, String>>()
        val (now, later) = strict.partition { ending ->
            val names = ending.contributedNames.map { runOf(ending, locked) to it }
            names.none { it in taken }.also { isFree -> if (isFree) taken += names }
        }
        val conflicts = conflicts(connection, now, locked)
        val judged = (endings - later.toSet()).map { ending ->
            conflicts[ending]?.let { ending.refused(context, conflict(it)) } ?: ending
        }
        return judged to later
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

    private fun conflicts(
        connection: Connection,
        endings: List<Ending>,
        locked: Map<UUID, LockedStep>,
    ): Map<Ending, List<String>> = connection.rows(
        context.statements["context_conflicts"],
        {
            uuids(endings.map { runOf(it, locked) })
            jsons(endings.map { it.contribution })
        },
    ) { endings[getInt("place") - 1] to (getArray("names").array as Array<*>).map { it.toString() } }.toMap()

    private fun runOf(ending: Ending, locked: Map<UUID, LockedStep>): UUID = locked.getValue(ending.lease.jobId()).runId

    private fun conflict(names: List<String>): RunledgerException = ErrorCode.CONTEXT_CONFLICT.exception(
        "The run's context has another value already under ${names.joinToString { Text.quoted(it) }}: contribute under a name " +
            "of the step's own, or let the workflow replace or keep values.",
    )
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
    return context.encoded(Payload.of(Json(members)), "job $job's contribution", ErrorCode.INVALID_CONTEXT)
}
