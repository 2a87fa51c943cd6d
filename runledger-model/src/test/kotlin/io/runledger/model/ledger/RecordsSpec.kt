package io.runledger.model.ledger

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.model.condition.Condition
import io.runledger.model.definition.JobDefinition
import io.runledger.model.fleet.Worker
import io.runledger.model.fleet.WorkerOrder
import io.runledger.model.history.RunEvent
import io.runledger.model.history.RunMutation
import io.runledger.model.history.WorkflowRecovery
import io.runledger.model.job.Attempt
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.Job
import io.runledger.model.job.JobLogLine
import io.runledger.model.job.JobReplay
import io.runledger.model.json.Json
import io.runledger.model.migration
import io.runledger.model.operator.OperatorAction
import io.runledger.model.run.ActiveClaim
import io.runledger.model.run.StepDependency
import io.runledger.model.run.WorkflowStep
import io.runledger.model.schedule.Schedule
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.workflow.WorkflowRun
import org.jspecify.annotations.Nullable
import java.lang.reflect.RecordComponent
import java.time.Duration
import java.time.Instant
import java.util.UUID

private data class Column(val type: String, val nullable: Boolean)

private val tables: Map<String, Map<String, Column>> =
    listOf("V2__jobs", "V3__schedules", "V4__workflows", "V6__operators").map { migration(it) }.flatMap { sql ->
        Regex(
            "CREATE TABLE \"\\$\\{schema}\"\\.(\\w+) \\((.*?)\\n\\)[^\\n]*;",
            RegexOption.DOT_MATCHES_ALL,
        ).findAll(sql).map { table ->
            table.groupValues[1] to
                Regex(
                    "^    ([a-z]\\w+) (\"\\$\\{schema}\"\\.\\w+|\\w+)([^\\n]*)",
                    RegexOption.MULTILINE,
                ).findAll(table.groupValues[2])
                    .map { it.destructured }
                    .associate { (name, type, rest) ->
                        name to
                            Column(type.substringAfterLast('.'), "NOT NULL" !in rest && "IDENTITY" !in rest)
                    }
        }
    }.toMap()

/**
 * The mapping of a table to a record: columns with another name, columns that are nested or derived, and a component whose own
 * components are columns.
 */
private class Mirror(
    val record: Class<out Record>,
    val renamed: Map<String, String> = emptyMap(),
    val grouped: Set<String> = emptySet(),
    val embedded: String? = null,
    /** Components that are read from another table. */
    val elsewhere: Set<String> = emptySet(),
) {
    val components: List<RecordComponent> = record.recordComponents.flatMap {
        if (it.name == embedded) it.type.recordComponents.toList() else listOf(it)
    }.filter { it.name !in elsewhere }
}

private val progress = setOf("progress_done", "progress_total", "progress_pct")

private val mirrors =
    mapOf(
        "job_definitions" to
            Mirror(
                JobDefinition::class.java,
                mapOf(
                    "default_timeout_seconds" to "timeout",
                    "default_priority" to "priority",
                    "is_enabled" to "enabled",
                    "is_paused" to "paused",
                ),
                setOf("max_attempts", "timeout_seconds", "priority", "is_enabled", "retry_policy").map { "declared_$it" }.toSet(),
                embedded = "effective",
            ),
        "job_queue" to
            Mirror(
                Job::class.java,
                mapOf("timeout_seconds" to "timeout"),
                progress +
                    setOf("lease_id", "leased_at", "lease_expires_at", "last_heartbeat_at", "execution_started_persisted_at") +
                    setOf("lease_seconds", "worker_id", "claim_origin", "initial_stage", "is_step", "is_paused") +
                    "is_delayed",
            ),
        "job_attempts" to
            Mirror(
                Attempt::class.java,
                mapOf(
                    "lease_seconds" to "leaseDuration",
                    "execution_started_persisted_at" to "executionStartedAt",
                    "retry_delay_ms" to "retryDelay",
                    "effective_next_run_at" to "nextRunAt",
                    "requested_retry_not_before" to "requestedNotBefore",
                ),
            ),
        "job_dead_letters" to
            Mirror(
                DeadLetter::class.java,
                mapOf("payload_snapshot" to "payload", "checkpoint_snapshot" to "checkpoint"),
                // Those of its job.
                elsewhere = setOf("headers"),
            ),
        "job_logs" to Mirror(JobLogLine::class.java, grouped = setOf("line_number")),
        "job_replays" to Mirror(JobReplay::class.java, mapOf("replay_request_key" to "requestKey")),
        "job_runtime_configs" to Mirror(RuntimeConfig::class.java),
        "workers" to
            Mirror(
                Worker::class.java,
                mapOf("beat_at" to "lastBeatAt"),
                setOf("stop_order_id", "beat_ms", "labels", "job_types"),
            ),
        "worker_orders" to
            Mirror(WorkerOrder::class.java, grouped = setOf("lifted_at", "lifted_reason", "lifted_by")),
        "operator_actions" to
            Mirror(
                OperatorAction::class.java,
                mapOf("action" to "kind", "request_key" to "key"),
                grouped = setOf("target_kind", "target", "step_key"),
            ),
        "job_schedules" to
            Mirror(
                Schedule::class.java,
                mapOf(
                    "interval_seconds" to "interval",
                    "max_jitter_seconds" to "maxJitter",
                    "is_active" to "active",
                    "declared_is_active" to "declaredActive",
                    "cron_expr" to "cron",
                    "timezone" to "timeZone",
                ),
            ),
        "job_schedule_fires" to Mirror(ScheduleFire::class.java),
        "workflow_runs" to Mirror(WorkflowRun::class.java),
        "workflow_step_rows" to
            Mirror(
                WorkflowStep::class.java,
                mapOf(
                    "workflow_run_id" to "runId",
                    "execution_kind" to "kind",
                    "dependency_count_total" to "dependencies",
                    "dependency_count_pending" to "pendingDependencies",
                    "dependency_count_unsatisfied" to "unsatisfiedDependencies",
                ),
                setOf(
                    "job_id",
                    "job_type",
                    "priority",
                    "max_attempts",
                    "timeout_seconds",
                    "stage",
                    "delay_seconds",
                    "retry_policy",
                    "headers",
                ) +
                    setOf("allow_handler_continuation", "expires_after_seconds", "expiry_outcome", "expires_at", "is_open_gate"),
                // The job of the step has it.
                elsewhere = setOf("startedAt"),
            ),
        "workflow_step_dependencies" to Mirror(StepDependency::class.java, mapOf("workflow_run_id" to "runId")),
        "workflow_run_journal" to
            Mirror(RunEvent::class.java, mapOf("workflow_run_id" to "runId", "event_type" to "type"), setOf("id")),
        "workflow_run_mutations" to
            Mirror(RunMutation::class.java, mapOf("workflow_run_id" to "runId", "mutation_kind" to "kind")),
        "workflow_active_claims" to Mirror(ActiveClaim::class.java, mapOf("workflow_run_id" to "runId")),
        "workflow_recoveries" to Mirror(WorkflowRecovery::class.java),
    )

/** Read through the views job_events and workflow_step_events, whose columns no table declares. */
private val journals = setOf("job_journal", "workflow_step_journal")

/** Tables of dead letter hooks and deliveries; a DeadLetterDelivery contains their columns. */
private val mailbox = setOf("job_dead_letter_hooks", "job_dead_letter_deliveries")

private val parts = setOf("progress", "openAttempt", "quietAt", "initialStage", "job", "gate", "lifted", "target") +
    setOf("labels", "jobTypes", "queues", "flow", "isLost", "declared", "overrides")

private fun camel(column: String): String = column.split("_").mapIndexed { n, word ->
    if (n == 0) {
        word
    } else {
        word.replaceFirstChar(Char::uppercase)
    }
}.joinToString("")

private fun fits(column: Column, type: Class<*>): Boolean = when (column.type) {
    "uuid" -> type == UUID::class.java
    "timestamptz" -> type == Instant::class.java
    "jsonb" -> type == Json::class.java || type == Condition::class.java || type == Map::class.java
    "boolean" -> type == Boolean::class.java || type == Boolean::class.javaObjectType
    "bigint" -> type == Long::class.java || type == Long::class.javaObjectType
    "integer" -> type == Int::class.java || type == Int::class.javaObjectType || type == Duration::class.java
    "text" -> type == String::class.java || WireText::class.java.isAssignableFrom(type) || type == Scope::class.java
    else -> WireText::class.java.isAssignableFrom(type)
}

private fun RecordComponent.isNullable(): Boolean = annotatedType.isAnnotationPresent(Nullable::class.java)

class RecordsSpec :
    FunSpec({
        test("every table that is read back has a record") {
            mirrors.keys + journals + mailbox shouldContainExactlyInAnyOrder tables.keys
        }

        for ((table, mirror) in mirrors) {
            test("${mirror.record.simpleName} tells every column of $table, with its type and its absence") {
                val columns = tables.getValue(table).filterKeys { it !in mirror.grouped }
                val components = mirror.components.filter { it.name !in parts }.associateBy { it.name }

                components.keys shouldContainExactlyInAnyOrder columns.keys.map { mirror.renamed[it] ?: camel(it) }
                columns.forEach { (name, column) ->
                    val component = components.getValue(mirror.renamed[name] ?: camel(name))
                    withClue("$table.$name as ${component.type.simpleName} ${component.name}") {
                        fits(column, component.type) shouldBe true
                        // No headers are an empty map.
                        component.isNullable() shouldBe (column.nullable && component.type != Map::class.java)
                    }
                }
            }
        }

        test("no record names a column that does not exist") {
            mirrors.flatMap { (table, mirror) ->
                (mirror.renamed.keys + mirror.grouped).filter { it !in tables.getValue(table) }
            }.shouldBeEmpty()
        }
    })
