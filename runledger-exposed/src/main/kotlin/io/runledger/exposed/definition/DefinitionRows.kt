package io.runledger.exposed.definition

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.json.readDefinedFlow
import io.runledger.exposed.sql.booleanOrNull
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.intOrNull
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.seconds
import io.runledger.model.definition.DefinitionSetting
import io.runledger.model.definition.JobDefaults
import io.runledger.model.definition.JobDefinition
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.text.Text
import java.sql.Connection
import java.sql.ResultSet
import java.time.Duration

internal fun ResultSet.jobDefinition(): JobDefinition {
    val attempts = intOrNull("declared_max_attempts")
    val timeout = intOrNull("declared_timeout_seconds")
    val priority = intOrNull("declared_priority")
    val enabled = booleanOrNull("declared_is_enabled")
    val policy = jsonOrNull("declared_retry_policy")
    val effective = JobDefaults(
        getInt("default_priority"),
        getInt("max_attempts"),
        seconds("default_timeout_seconds"),
        jsonOrNull("retry_policy"),
        getBoolean("is_enabled"),
    )
    return JobDefinition(
        getString("job_type"),
        getInt("version"),
        getBoolean("is_paused"),
        effective,
        JobDefaults(
            priority ?: effective.priority(),
            attempts ?: effective.maxAttempts(),
            timeout?.let { Duration.ofSeconds(it.toLong()) } ?: effective.timeout(),
            if (policy == null) effective.retryPolicy() else policy.takeUnless { it.text() == "null" },
            enabled ?: effective.enabled(),
        ),
        setOfNotNull(
            DefinitionSetting.MAX_ATTEMPTS.takeIf { attempts != null },
            DefinitionSetting.TIMEOUT.takeIf { timeout != null },
            DefinitionSetting.PRIORITY.takeIf { priority != null },
            DefinitionSetting.ENABLED.takeIf { enabled != null },
            DefinitionSetting.RETRY_POLICY.takeIf { policy != null },
        ),
        jsonOrNull("flow").readDefinedFlow(getString("job_type")),
        instantOrNull("redeclared_at"),
        instant("created_at"),
        instant("updated_at"),
    )
}

internal fun LedgerContext.findDefinition(connection: Connection, jobType: String): JobDefinition? =
    connection.row(statements["definition/definition_get"], {
        text("job_type", Text.storable(jobType))
    }) { jobDefinition() }

internal fun LedgerContext.getDefinition(connection: Connection, jobType: String): JobDefinition =
    findDefinition(connection, jobType) ?: throw undefined(jobType)

internal fun undefined(jobType: String): RunledgerException = ErrorCode.DEFINITION_NOT_FOUND.exception(
    "Job type ${Text.quoted(jobType)} is not defined: check the spelling, or declare the type first.",
)
