package io.runledger.exposed.fleet

import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.fleet.HeldJob
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerOrder
import java.sql.ResultSet

internal fun ResultSet.worker() = Worker(
    uuid("id"),
    getString("worker_id"),
    texts("labels").toSet(),
    texts("job_types"),
    textsOrNull("queues")?.toSet(),
    getInt("slots"),
    getInt("busy_slots"),
    getInt("held_jobs"),
    getString("library_version"),
    getString("application_version"),
    getString("host"),
    getLong("process_id"),
    instant("started_at"),
    instant("beat_at"),
    wire("state"),
    getBoolean("is_lost"),
)

internal fun ResultSet.heldJob() = HeldJob(
    uuid("id"),
    getString("job_type"),
    uuidOrNull("organization_id"),
    getInt("run_number"),
    getInt("attempt"),
    instant("leased_at"),
    instantOrNull("execution_started_persisted_at"),
    instant("lease_expires_at"),
)

internal fun ResultSet.workerOrder() = WorkerOrder(
    uuid("id"),
    wire("kind"),
    getString("label"),
    getString("reason"),
    getString("ordered_by"),
    instant("ordered_at"),
    instantOrNull("ends_at"),
    instantOrNull("lifted_at")?.let { WorkerOrder.Lifting(getString("lifted_reason"), getString("lifted_by"), it) } ?: ending(),
)

/** An order that expires has no lifting of its own: the lifting is derived from the order. */
private fun ResultSet.ending(): WorkerOrder.Lifting? =
    if (getBoolean("is_over")) WorkerOrder.Lifting("The order expired.", getString("ordered_by"), instant("ends_at")) else null

private fun ResultSet.texts(column: String): List<String> = textsOrNull(column).orEmpty()

private fun ResultSet.textsOrNull(column: String): List<String>? = (getArray(column)?.array as? Array<*>)?.map { it as String }
