package io.runledger.exposed

import io.runledger.exposed.catalogue.undefined
import io.runledger.exposed.intake.ValueKind
import io.runledger.exposed.intake.VanishedKey
import io.runledger.exposed.intake.encoded
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
import io.runledger.model.id.Text
import io.runledger.model.json.Json
import io.runledger.model.spec.RuntimeConfigRequest
import io.runledger.model.state.RuntimeConfig
import java.sql.Connection
import java.sql.ResultSet

/**
 * A settings document per job type, for its handlers and for the operators who turn them. Every write names the revision it
 * read, so that nobody's change is lost unseen.
 */
public class RuntimeConfigs internal constructor(private val context: LedgerContext) {
    /**
     * Writes a document: in place of the revision that [request] expects, or as the first one when it expects none. Refused,
     * and nothing written, with `job.runtime_config_conflict` when the stored revision is another one, with
     * `job.definition_not_found` for a type that is not defined, with `request.invalid` for a document that is no JSON object,
     * and with `job.payload_too_large` for one that is larger than a payload may be.
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
     * Writes the first document of a type, or answers with the one that is there, whatever it holds; the revision [request]
     * expects plays no part. Refused as [put] is, except that there can be no conflict.
     */
    public fun putIfMissing(request: RuntimeConfigRequest): RuntimeConfig {
        val document = document(request)
        return retryingVanishedKeys {
            context.transactions.run { connection ->
                insert(connection, request, document) ?: stored(connection, request.jobType()) ?: throw VanishedKey()
            }
        }
    }

    /** The document of a type, or null when it has none. */
    public fun find(jobType: String): RuntimeConfig? = context.transactions.statement { read(it, jobType)?.config }

    /** The document of a type. Refused with `job.runtime_config_not_found` when it has none. */
    public fun get(jobType: String): RuntimeConfig = find(jobType) ?: throw ErrorCode.RUNTIME_CONFIG_NOT_FOUND.exception(
        "Job type ${Text.quoted(jobType)} has no runtime config: write one first, or fall back to defaults.",
    )

    /** Every document, in order of job type. */
    public fun list(): List<RuntimeConfig> = context.transactions.statement { connection ->
        connection.rows(context.statements["config_list"]) { config() }
    }

    private fun insert(connection: Connection, request: RuntimeConfigRequest, document: Json): RuntimeConfig? = connection.row(
        context.statements["config_insert"],
        {
            int(request.schemaVersion())
            json(document)
            uuid(request.updatedByUserId())
            text(request.jobType())
        },
    ) { config() }

    private fun replace(connection: Connection, request: RuntimeConfigRequest, document: Json, revision: Long): RuntimeConfig? =
        connection.row(
            context.statements["config_replace"],
            {
                int(request.schemaVersion())
                json(document)
                uuid(request.updatedByUserId())
                text(request.jobType())
                long(revision)
            },
        ) { config() }

    private fun stored(connection: Connection, jobType: String): RuntimeConfig? = (
        read(connection, jobType)
            ?: throw undefined(jobType)
        ).config

    private fun read(connection: Connection, jobType: String): Stored? = connection.row(context.statements["config_get"], {
        text(Text.storable(jobType))
    }) {
        Stored(longOrNull("revision")?.let { config() })
    }

    private fun document(request: RuntimeConfigRequest): Json {
        val document = context.encoded(request.config(), "job type ${Text.quoted(request.jobType())}", ValueKind.CONFIG)
        if (!document.text().trimStart().startsWith('{')) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "The runtime config of ${Text.quoted(request.jobType())} is not a JSON object: make the value a member of one.",
            )
        }
        return document
    }

    private fun conflict(request: RuntimeConfigRequest, stored: RuntimeConfig?): RunledgerException {
        val expected = request.expectedRevision()?.let { "revision $it was expected" } ?: "none was expected"
        val found = stored?.let { "revision ${it.revision()} is there" } ?: "there is none"
        return ErrorCode.RUNTIME_CONFIG_CONFLICT.exception(
            "The runtime config of ${Text.quoted(request.jobType())} was changed by somebody else: $expected and $found. " +
                "Read it, apply the change to that and write again.",
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

    /** A defined type and its document, if it has one. */
    private class Stored(val config: RuntimeConfig?)
}
