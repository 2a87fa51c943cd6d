package io.runledger.exposed.catalogue

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.seconds
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.id.Text
import io.runledger.model.state.JobDefinition
import java.sql.Connection
import java.sql.ResultSet

internal fun ResultSet.jobDefinition() = JobDefinition(
    getString("job_type"),
    getInt("version"),
    getInt("max_attempts"),
    seconds("default_timeout_seconds"),
    getInt("default_priority"),
    getBoolean("is_enabled"),
    getBoolean("is_paused"),
    jsonOrNull("retry_policy"),
    instant("created_at"),
    instant("updated_at"),
)

internal fun LedgerContext.findDefinition(connection: Connection, jobType: String): JobDefinition? =
    connection.row(statements["definition_get"], {
        text(Text.storable(jobType))
    }) { jobDefinition() }

internal fun LedgerContext.getDefinition(connection: Connection, jobType: String): JobDefinition =
    findDefinition(connection, jobType) ?: throw undefined(jobType)

internal fun undefined(jobType: String): RunledgerException = ErrorCode.DEFINITION_NOT_FOUND.exception(
    "Job type ${Text.quoted(jobType)} is not defined: declare it first, and check its spelling.",
)
