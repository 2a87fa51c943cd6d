package io.runledger.exposed.definition

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.defaults
import io.runledger.exposed.json.storedForm
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.rows
import io.runledger.model.definition.DefinitionSync
import io.runledger.model.definition.JobDefinition
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobType
import io.runledger.model.text.Text
import io.runledger.model.value.Identifier
import java.sql.Connection

/** Updates the stored types to the declared ones with a fixed number of statements. */
internal class SyncDefinitions(private val context: LedgerContext) {
    private val disabling = DisableTypes(context)
    private val limits = DeclareLimits(context)

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
            // Locks all rows first and in order: the declared ones are written before the others are disabled.
            connection.rows(context.statements["definition/definition_reserve"], { texts("job_types", among.toList()) }) { }
            write(connection, declared, undeclared = among - declared.map { it.name() }.toSet())
        }
    }

    private fun write(connection: Connection, types: List<JobType<*>>, undeclared: Set<String> = emptySet()): DefinitionSync {
        val written = declare(connection, types)
        // Every declared row is locked at this point, so a newer version stays newer until the end of this transaction.
        val (newer, unused) = connection.rows(
            context.statements["definition/definition_standing"],
            {
                texts("job_types", types.map { it.name() })
                ints("versions", types.map { it.version() })
            },
        ) { getString("job_type") to getBoolean("is_declared") }.partition { (_, isDeclared) -> isDeclared }
        val outdated = newer.map { it.first }
        limits.declare(connection, types.filterNot { it.name() in outdated })
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
        context.statements["definition/definition_declare"],
        {
            texts("job_types", types.map { it.name() })
            ints("versions", types.map { it.version() })
            bools("is_enabled", types.map { it.enabled() })
            defaults(types.map { it.settings().storedForm() })
            jsons("flows", types.map { it.flow().storedForm() })
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
                "These job types have different declarations: ${quoted(twice)}. Keep one declaration of each.",
            )
        }
        DeclareLimits.requireAgreement(declared)
        return declared
    }

    private fun requireAmong(types: List<JobType<*>>, among: Set<String>) {
        if (among.isEmpty()) {
            throw ErrorCode.EMPTY_JOB_TYPE_LIST.exception(
                "The set of job types to sync exactly is empty: give at least one.",
            )
        }
        among.forEach(Identifier.JOB_TYPE::require)
        val outside = types.map { it.name() } - among
        if (outside.isNotEmpty()) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "Declared, but not in the set of job types to sync exactly: ${quoted(outside)}. " +
                    "Add them to the set, or remove the declarations.",
            )
        }
    }

    private fun quoted(names: Collection<String>) = names.joinToString { Text.quoted(it) }

    private class Written(val jobType: String, val isInserted: Boolean, val isRedeclared: Boolean)
}
