package io.runledger.exposed.catalogue

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Identifier
import io.runledger.model.id.Text
import io.runledger.model.spec.JobType
import io.runledger.model.state.DefinitionSync
import io.runledger.model.state.JobDefinition
import java.sql.Connection

/** Brings the stored types up to those that code declares, in a fixed number of statements. */
internal class SyncDefinitions(private val context: LedgerContext) {
    private val disabling = DisableTypes(context)

    fun declare(type: JobType<*>): JobDefinition = context.transactions.run { connection ->
        write(connection, listOf(type), restores = false)
        context.getDefinition(connection, type.name())
    }

    fun sync(types: Collection<JobType<*>>): DefinitionSync {
        val declared = distinct(types)
        return context.transactions.run { connection ->
            report(connection, declared, write(connection, declared, restores = false))
        }
    }

    fun syncExactly(types: Collection<JobType<*>>, among: Set<String>): DefinitionSync {
        val declared = distinct(types)
        requireAmong(declared, among)
        val names = declared.map { it.name() }
        return context.transactions.run { connection ->
            // All rows first and in order: the declared ones are written before the others are disabled.
            connection.rows(context.statements["definition_reserve"], { texts(among.toList()) }) { }
            report(connection, declared, write(connection, declared, restores = true, undeclared = among - names.toSet()))
        }
    }

    private fun write(
        connection: Connection,
        types: List<JobType<*>>,
        restores: Boolean,
        undeclared: Set<String> = emptySet(),
    ): Written {
        val rows = connection.rows(
            context.statements["definition_declare"],
            {
                texts(types.map { it.name() })
                ints(types.map { it.version() })
                ints(types.map { it.maxAttempts() })
                ints(types.map { it.timeout().toSeconds().toInt() })
                ints(types.map { it.priority() })
                bools(types.map { it.enabled() })
                jsons(types.map { it.retryPolicy()?.storedForm() })
                bool(restores)
                bool(restores)
            },
        ) { getString("job_type") to getBoolean("is_inserted") }
        val (inserted, updated) = rows.partition { (_, isInserted) -> isInserted }
        val off = types.filterNot { it.enabled() }.map { it.name() } + undeclared
        return Written(inserted.map { it.first }, updated.map { it.first }, disabling.disable(connection, off))
    }

    private fun report(connection: Connection, types: List<JobType<*>>, written: Written): DefinitionSync {
        val names = types.map { it.name() }
        val unused = connection.rows(context.statements["definition_unused"], { texts(names) }) { getString("job_type") }
        val updated = (written.updated + written.disabled.intersect(names.toSet())).distinct()
        val unchanged = names - written.inserted.toSet() - updated.toSet()
        return DefinitionSync(written.inserted, updated, unchanged, unused, written.disabled)
    }

    private fun distinct(types: Collection<JobType<*>>): List<JobType<*>> {
        if (types.isEmpty()) {
            throw ErrorCode.EMPTY_JOB_TYPE_LIST.exception("The catalogue declares no job type: declare at least one.")
        }
        val declared = types.distinct()
        val twice = declared.groupBy { it.name() }.filterValues { it.size > 1 }.keys
        if (twice.isNotEmpty()) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "Declared more than once, in different ways: ${quoted(twice)}. Keep one declaration of each.",
            )
        }
        return declared
    }

    private fun requireAmong(types: List<JobType<*>>, among: Set<String>) {
        if (among.isEmpty()) {
            throw ErrorCode.EMPTY_JOB_TYPE_LIST.exception(
                "No job type is named that the catalogue should be exact about: name at least one.",
            )
        }
        among.forEach(Identifier.JOB_TYPE::require)
        val outside = types.map { it.name() } - among
        if (outside.isNotEmpty()) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "Declared, but not among the types the catalogue should be exact about: ${quoted(outside)}. " +
                    "Name them too, or leave them out.",
            )
        }
    }

    private fun quoted(names: Collection<String>) = names.joinToString { Text.quoted(it) }

    private class Written(val inserted: List<String>, val updated: List<String>, val disabled: List<String>)
}
