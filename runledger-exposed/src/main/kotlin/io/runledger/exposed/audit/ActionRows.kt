package io.runledger.exposed.audit

import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.operator.OperatorAction
import io.runledger.model.operator.OperatorTarget
import java.sql.ResultSet

internal fun ResultSet.operatorAction() = OperatorAction(
    uuid("id"),
    getString("actor"),
    wire("action"),
    OperatorTarget(wire("target_kind"), getString("target"), getString("step_key")),
    uuidOrNull("organization_id"),
    getString("reason"),
    getString("request_key"),
    getLong("changed"),
    longOrNull("total"),
    json("details"),
    uuidOrNull("undone_by"),
    instant("started_at"),
    instantOrNull("finished_at"),
)
