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
        write(connection, listOf(type))
        context.getDefinition(connection, type.name())
    }

    fun sync(types: Collection<JobType<*>>): DefinitionSync {
        val declared = distinct(types)
        return context.transactions.run { connection -> write(connection, declared) }
    }

    fun syncExactly(types: Collection<JobType<*>>, among: Set<String>): DefinitionSync {
        val declared = distinct(types)
        requireAmong(declared, among)
        return context.transactions.run { connection ->
            // All rows first and in order: the declared ones are written before the others are disabled.
            connection.rows(context.statements["definition_reserve"], { texts(among.toList()) }) { }
            write(connection, declared, undeclared = among - declared.map { it.name() }.toSet())
        }
    }

    private fun write(connection: Connection, types: List<JobType<*>>, undeclared: Set<String> = emptySet()): DefinitionSync {
        val written = declare(connection, types)
        // Every declared row is locked by now, so what is newer stays so until this transaction has ended.
        val (newer, unused) = connection.rows(
            context.statements["definition_standing"],
            {
                texts(types.map { it.name() })
                ints(types.map { it.version() })
            },
        ) { getString("job_type") to getBoolean("is_declared") }.partition { (_, isDeclared) -> isDeclared }
        val outdated = newer.map { it.first }
        val off = types.filterNot { it.enabled() }.map { it.name() } - outdated.toSet() + undeclared
        val disabled = disabling.retire(connection, off)
        val names = types.map { it.name() }
        val inserted = written.filter { it.isInserted }.map { it.jobType }
        val updated = written.filterNot { it.isInserted }.map { it.jobType }
        return DefinitionSync(
            inserted,
            updated,
            names - inserted.toSet() - updated.toSet() - outdated.toSet(),
            outdated,
            written.filter { it.isRedeclared }.map { it.jobType },
            unused.map { it.first },
            disabled,
        )
    }

    private fun declare(connection: Connection, types: List<JobType<*>>): List<Written> = connection.rows(
        context.statements["definition_declare"],
        {
            texts(types.map { it.name() })
            ints(types.map { it.version() })
            ints(types.map { it.maxAttempts() })
            ints(types.map { it.timeout().toSeconds().toInt() })
            ints(types.map { it.priority() })
            bools(types.map { it.enabled() })
            jsons(types.map { it.retryPolicy()?.storedForm() })
        },
    ) { Written(getString("job_type"), getBoolean("is_inserted"), getBoolean("is_redeclared")) }

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

    private class Written(val jobType: String, val isInserted: Boolean, val isRedeclared: Boolean)
}
