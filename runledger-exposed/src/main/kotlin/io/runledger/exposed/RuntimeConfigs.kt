package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.ValueKind
import io.runledger.exposed.context.encoded
import io.runledger.exposed.definition.undefined
import io.runledger.exposed.intake.VanishedKey
import io.runledger.exposed.intake.retryingVanishedKeys
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.ledger.RuntimeConfig
import io.runledger.model.ledger.RuntimeConfigRequest
import io.runledger.model.text.Text
import java.sql.Connection
import java.sql.ResultSet

/**
 * A JSON config per job type, read by handlers and changed by operators. Every write gives the revision that it is based on, so
 * that concurrent changes are detected.
 */
public class RuntimeConfigs internal constructor(private val context: LedgerContext) {
    /**
     * Replaces the config with the revision that [request] expects, or writes the first config if it expects none. Throws
     * `job.runtime_config_conflict` if the stored revision is another one, `job.definition_not_found` if the type is not
     * defined, `request.invalid` if the config is not a JSON object, and `job.payload_too_large` if it exceeds the size
     * limit of a payload. Nothing is written then.
     */
    public fun put(request: RuntimeConfigRequest): RuntimeConfig {
        val document = document(request)
        return context.transactions.run { connection ->
            val written = when (val revision = request.expectedRevision()) {
                null -> insert(connection, request, document)
                else -> replace(connection, request, document, revision)
            }
            written ?: throw conflict(request, stored(connection, request.jobType()))
        }
    }

    /**
     * Writes the first config of a type, or returns the stored one, whatever its content. The expected revision of [request] is
     * ignored. Throws the same errors as [put], except the conflict.
     */
    public fun putIfMissing(request: RuntimeConfigRequest): RuntimeConfig {
        val document = document(request)
        return retryingVanishedKeys {
            context.transactions.run { connection ->
                insert(connection, request, document) ?: stored(connection, request.jobType()) ?: throw VanishedKey()
            }
        }
    }

    /** The config of a type, or null if it has none. */
    public fun find(jobType: String): RuntimeConfig? = context.transactions.statement { read(it, jobType)?.config }

    /** The config of a type. Throws `job.runtime_config_not_found` if it has none. */
    public fun get(jobType: String): RuntimeConfig = find(jobType) ?: throw ErrorCode.RUNTIME_CONFIG_NOT_FOUND.exception(
        "Job type ${Text.quoted(jobType)} has no runtime config: write one first, or use defaults.",
    )

    /** All configs, in order of job type. The list is not paged: a type has at most one config. */
    public fun list(): List<RuntimeConfig> = context.transactions.statement { connection ->
        connection.rows(context.statements["configs/config_list"]) { config() }
    }

    private fun insert(connection: Connection, request: RuntimeConfigRequest, document: Json): RuntimeConfig? = connection.row(
        context.statements["configs/config_insert"],
        {
            int("schema_version", request.schemaVersion())
            json("config", document)
            uuid("updated_by_user_id", request.updatedByUserId())
            text("job_type", request.jobType())
        },
    ) { config() }

    private fun replace(connection: Connection, request: RuntimeConfigRequest, document: Json, revision: Long): RuntimeConfig? =
        connection.row(
            context.statements["configs/config_replace"],
            {
                int("schema_version", request.schemaVersion())
                json("config", document)
                uuid("updated_by_user_id", request.updatedByUserId())
                text("job_type", request.jobType())
                long("revision", revision)
            },
        ) { config() }

    private fun stored(connection: Connection, jobType: String): RuntimeConfig? {
        val type = read(connection, jobType) ?: throw undefined(jobType)
        return type.config
    }

    private fun read(connection: Connection, jobType: String): Stored? =
        connection.row(context.statements["configs/config_get"], { text("job_type", Text.storable(jobType)) }) {
            Stored(longOrNull("revision")?.let { config() })
        }

    private fun document(request: RuntimeConfigRequest): Json {
        val document = context.encoded(request.config(), "job type ${Text.quoted(request.jobType())}", ValueKind.CONFIG)
        if (!document.text().trimStart().startsWith('{')) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "The runtime config of ${Text.quoted(request.jobType())} is not a JSON object: wrap the value in an object.",
            )
        }
        return document
    }

    private fun conflict(request: RuntimeConfigRequest, stored: RuntimeConfig?): RunledgerException {
        val expected = request.expectedRevision()?.let { "revision $it was expected" } ?: "no config was expected"
        val found = stored?.let { "revision ${it.revision()} is stored" } ?: "none is stored"
        return ErrorCode.RUNTIME_CONFIG_CONFLICT.exception(
            "The runtime config of ${Text.quoted(request.jobType())} was changed concurrently: $expected and $found. " +
                "Read the config, apply the change to it and write again.",
        )
    }

    private fun ResultSet.config() = RuntimeConfig(
        getString("job_type"),
        getInt("schema_version"),
        getLong("revision"),
        json("config"),
        uuidOrNull("updated_by_user_id"),
        instant("created_at"),
        instant("updated_at"),
    )

    /** A defined type and its config, if it has one. */
    private class Stored(val config: RuntimeConfig?)
}
