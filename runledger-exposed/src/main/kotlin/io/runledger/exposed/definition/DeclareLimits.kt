package io.runledger.exposed.definition

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.limitValues
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.wireOrNull
import io.runledger.model.error.ErrorCode
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.Limit
import io.runledger.model.job.JobType
import io.runledger.model.text.Text
import java.sql.Connection

/** Writes the limits that job types declare, with a fixed number of statements; with none if they declare none. */
internal class DeclareLimits(private val context: LedgerContext) {
    /** The definitions of [types] are locked and not older than the stored ones, and the types agree about their limits. */
    fun declare(connection: Connection, types: List<JobType<*>>) {
        val named = types.flatMap { it.flow().limits() }
        if (named.isEmpty()) return
        val declared = named.filterNot { it.values().isEmpty }.distinctBy { it.name() }
        if (declared.isNotEmpty()) write(connection, declared)
        requireDeclared(connection, named.distinctBy { it.name() })
    }

    private fun write(connection: Connection, declared: List<Limit<*>>) {
        connection.update(context.statements["definition/limit_declare"]) {
            texts("names", declared.map { it.name() })
            wires("keyed_by", declared.map { it.key().by() })
            limitValues(declared.map { it.values() })
        }
        connection.rows(context.statements["definition/limit_enforce"], { texts("names", declared.map { it.name() }) }) { }
    }

    private fun requireDeclared(connection: Connection, named: List<Limit<*>>) {
        val stored = connection.rows(
            context.statements["definition/limit_standing"],
            { texts("names", named.map { it.name() }) },
        ) { getString("name") to wireOrNull<KeyedBy>("keyed_by") }.toMap()
        val unknown = named.map { it.name() }.filter { stored[it] == null }
        if (unknown.isNotEmpty()) {
            throw ErrorCode.FLOW_LIMIT_UNKNOWN.exception(
                "No job type declares values of these limits: ${quoted(
                    unknown,
                )}. Declare permits or a rate with one of the types.",
            )
        }
        named.firstOrNull { it.key().by() != stored[it.name()] }?.let {
            throw ErrorCode.FLOW_LIMIT_CONFLICT.exception(
                "The limit ${Text.quoted(it.name())} is stored as keyed by ${stored[it.name()]}, and named as keyed by " +
                    "${it.key().by()}: name it with the same kind of key, or declare its values with the new one.",
            )
        }
    }

    companion object {
        /** Refuses types that declare one limit differently. */
        fun requireAgreement(types: Collection<JobType<*>>) {
            val limits = types.flatMap { type -> type.flow().limits().map { type.name() to it } }
            limits.groupBy { (_, limit) -> limit.name() }.forEach { (name, named) ->
                val values = named.filterNot { (_, limit) -> limit.values().isEmpty }.distinctBy { (_, limit) -> limit.values() }
                val keys = named.distinctBy { (_, limit) -> limit.key() }
                if (values.size > 1) throw conflict(name, values.map { it.first }, "different permits or rates of")
                if (keys.size > 1) throw conflict(name, keys.map { it.first }, "different kinds of key for")
            }
        }

        private fun conflict(limit: String, types: List<String>, what: String) = ErrorCode.FLOW_LIMIT_CONFLICT.exception(
            "The job types ${quoted(types)} declare $what the limit ${Text.quoted(limit)}: " +
                "declare the values with one type and the same kind of key with all.",
        )

        private fun quoted(names: Collection<String>) = names.joinToString { Text.quoted(it) }
    }
}
