package io.runledger.model.error;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The error codes that the library throws or stores. {@code docs/errors.md} lists each code with its meaning and the
 * action to take. The {@linkplain #wire() wire texts} are stable: they appear in rows, logs and metrics, and callers may
 * branch on them. Constants may be renamed.
 */
public enum ErrorCode {
    // Requests
    INVALID_ARGUMENT("request.invalid", ErrorCategory.VALIDATION, "The request is not valid."),
    INVALID_JSON("json.invalid", ErrorCategory.VALIDATION, "The text is not JSON that the ledger can store."),
    INVALID_JOB_TYPE(
            "job.invalid_job_type",
            ErrorCategory.VALIDATION,
            "The job type is blank, too long or contains control characters."),
    INVALID_WORKER_ID(
            "job.invalid_worker_id",
            ErrorCategory.VALIDATION,
            "The worker id is blank, too long or contains control characters."),
    INVALID_PAYLOAD("job.invalid_payload", ErrorCategory.VALIDATION, "The payload cannot be encoded or decoded."),
    PAYLOAD_TOO_LARGE(
            "job.payload_too_large", ErrorCategory.VALIDATION, "The payload is larger than the ledger accepts."),
    OUTPUT_TOO_LARGE("job.output_too_large", ErrorCategory.VALIDATION, "The output is larger than the ledger accepts."),
    CHECKPOINT_TOO_LARGE(
            "job.checkpoint_too_large", ErrorCategory.VALIDATION, "The checkpoint is larger than the ledger accepts."),
    FACTS_TOO_LARGE(
            "job.facts_too_large",
            ErrorCategory.VALIDATION,
            "The structured data of a log line is larger than the ledger accepts."),
    INVALID_HEADERS(
            "headers.invalid", ErrorCategory.VALIDATION, "A header is not valid, or there are too many headers."),
    HEADERS_TOO_LARGE("headers.too_large", ErrorCategory.VALIDATION, "The headers are larger than the ledger accepts."),
    HEADER_SOURCE_FAILED(
            "headers.source_failed",
            ErrorCategory.INTERNAL,
            "The header source of the client failed, so nothing was written."),
    INVALID_IDEMPOTENCY_KEY(
            "job.invalid_idempotency_key",
            ErrorCategory.VALIDATION,
            "The idempotency key is blank, too long or contains control characters."),
    INVALID_JOB_KEY(
            "job.invalid_key", ErrorCategory.VALIDATION, "The key is blank, too long or contains control characters."),
    INVALID_KEY_DURATION(
            "job.invalid_key_duration",
            ErrorCategory.VALIDATION,
            "A duration of a unique, throttled or debounced job is not valid."),
    KEY_NOT_COMBINABLE(
            "job.key_not_combinable",
            ErrorCategory.VALIDATION,
            "The key does not go together with another setting of the request."),
    INVALID_MAX_ATTEMPTS(
            "job.invalid_max_attempts", ErrorCategory.VALIDATION, "The number of attempts must be at least 1."),
    INVALID_TIMEOUT("job.invalid_timeout", ErrorCategory.VALIDATION, "The timeout must be at least one second."),
    INVALID_DELAY("job.invalid_delay", ErrorCategory.VALIDATION, "The delay must not be negative."),
    INVALID_STAGE(
            "job.invalid_stage",
            ErrorCategory.VALIDATION,
            "The stage is not one of queued, scheduled, running, completed."),
    INVALID_RETRY_POLICY("job.invalid_retry_policy", ErrorCategory.VALIDATION, "The retry policy is not valid."),
    INVALID_RETRY_DELAY("job.invalid_retry_delay", ErrorCategory.VALIDATION, "The retry delay must be positive."),
    INVALID_RETRY_TIMING(
            "job.invalid_retry_timing", ErrorCategory.VALIDATION, "The requested retry time cannot be stored."),
    INVALID_LEASE_DURATION(
            "job.invalid_lease_duration", ErrorCategory.VALIDATION, "The lease duration must be positive."),
    INVALID_PAGINATION("job.invalid_pagination", ErrorCategory.VALIDATION, "The page size or cursor is out of range."),
    INVALID_PROGRESS(
            "job.invalid_progress",
            ErrorCategory.VALIDATION,
            "Progress counts must not be negative and done must not exceed total."),
    INVALID_COMPLETION_PROGRESS(
            "job.invalid_completion_progress", ErrorCategory.VALIDATION, "The final progress counts are not valid."),
    INVALID_CHECKPOINT(
            "job.invalid_checkpoint", ErrorCategory.VALIDATION, "The checkpoint cannot be encoded or decoded."),
    INVALID_OUTPUT("job.invalid_output", ErrorCategory.VALIDATION, "The output cannot be encoded or decoded."),
    INVALID_CONTINUATION_DELAY(
            "job.invalid_continuation_delay", ErrorCategory.VALIDATION, "The continuation delay cannot be stored."),
    SETTLED_MACHINE(
            "job.settled_machine", ErrorCategory.VALIDATION, "A step of a machine cannot settle its job itself."),

    // Jobs
    DEFINITION_UNAVAILABLE(
            "job.definition_not_found_or_disabled",
            ErrorCategory.VALIDATION,
            "The job type is not defined or is disabled."),
    DEFINITION_NOT_FOUND("job.definition_not_found", ErrorCategory.VALIDATION, "The job type is not defined."),
    EMPTY_JOB_TYPE_LIST(
            "job_definition.empty_job_type_list", ErrorCategory.VALIDATION, "At least one job type is needed."),
    ACTIVE_SCHEDULE_EXISTS(
            "job_definition.active_schedule_exists",
            ErrorCategory.VALIDATION,
            "An active schedule still uses the job type."),
    DEFINITION_ISOLATION(
            "job_definition.unsupported_isolation",
            ErrorCategory.VALIDATION,
            "Disabling a job type needs a READ COMMITTED transaction."),
    JOB_IDEMPOTENCY_CONFLICT(
            "job.idempotency_conflict",
            ErrorCategory.CONFLICT,
            "The idempotency key was used before for a different request."),
    JOB_IDEMPOTENCY_ISOLATION(
            "job.enqueue_idempotency_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "A keyed enqueue needs a READ COMMITTED transaction."),
    JOB_KEY_ISOLATION(
            "job.enqueue_key_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "An enqueue of a unique, throttled, debounced or replaced job needs a READ COMMITTED transaction."),
    JOB_ALREADY_ENQUEUED(
            "job.already_enqueued", ErrorCategory.CONFLICT, "A job with this idempotency key already exists."),
    JOB_NOT_FOUND("job.not_found", ErrorCategory.NOT_FOUND, "There is no such job in this scope."),
    JOB_STATE(
            "job.invalid_state_transition", ErrorCategory.CONFLICT, "The job's status does not allow this operation."),
    JOB_LEASE_LOST(
            "job.lease_owner_mismatch",
            ErrorCategory.LEASE_LOST,
            "The lease is no longer held: it expired, or the job ended, was canceled or was claimed by another worker."),
    WORKFLOW_JOB_REQUEUE(
            "job.workflow_requeue_not_supported",
            ErrorCategory.VALIDATION,
            "A job that belongs to a workflow step cannot be requeued or replayed on its own."),
    WORKFLOW_JOB_CONTINUATION(
            "job.workflow_handler_continuation_not_enabled",
            ErrorCategory.VALIDATION,
            "The workflow step does not allow its handler to continue."),
    REQUEUE_ISOLATION(
            "job.compare_and_requeue_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "A requeue needs a READ COMMITTED transaction."),
    REPLAY_ISOLATION(
            "job.compare_and_replay_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "A replay needs a READ COMMITTED transaction."),
    REPLAY_KEY_BLANK("job.replay_request_key_blank", ErrorCategory.VALIDATION, "The replay's request key is blank."),
    REPLAY_KEY_TOO_LONG(
            "job.replay_request_key_too_long",
            ErrorCategory.VALIDATION,
            "The replay's request key is longer than 512 bytes."),
    REPLAY_REASON_BLANK("job.replay_reason_blank", ErrorCategory.VALIDATION, "The replay's reason is blank."),
    REPLAY_CONFLICT(
            "job.replay_idempotency_conflict",
            ErrorCategory.CONFLICT,
            "The replay's request key was used before with another reason."),
    RUNTIME_CONFIG_NOT_FOUND(
            "job.runtime_config_not_found", ErrorCategory.NOT_FOUND, "The job type has no runtime config."),
    RUNTIME_CONFIG_CONFLICT(
            "job.runtime_config_conflict", ErrorCategory.CONFLICT, "Another session has changed the runtime config."),
    TIMEOUT_EXCEEDED("job.timeout_exceeded", ErrorCategory.INTERNAL, "The handler ran longer than its timeout."),
    DEFERRAL_EXPIRED(
            "job.deferral_expired",
            ErrorCategory.INTERNAL,
            "The condition that the job waited for was not met in time."),
    HANDLER_PANIC("job.handler_panic", ErrorCategory.INTERNAL, "The handler failed with an error that is not retried."),
    HANDLER_FAILED("job.handler_failed", ErrorCategory.INTERNAL, "The handler threw an exception."),
    LEASE_EXPIRED("job.lease_expired", ErrorCategory.INTERNAL, "The worker stopped renewing the lease."),
    LEASE_MAINTENANCE_FAILED(
            "job.lease_maintenance_failed", ErrorCategory.UNAVAILABLE, "The lease could not be renewed in time."),

    // Flow control
    FLOW_NAME_INVALID(
            "flow.invalid_name",
            ErrorCategory.VALIDATION,
            "The name of a limit, order or queue is empty, too long or has characters that are not allowed."),
    FLOW_LIMIT_INVALID(
            "flow.invalid_limit",
            ErrorCategory.VALIDATION,
            "Permits or rate of a limit are out of range, or a limit is given twice with different values."),
    FLOW_LIMIT_CONFLICT(
            "flow.limit_conflict", ErrorCategory.VALIDATION, "Job types declare different values of one limit."),
    FLOW_LIMIT_UNKNOWN("flow.limit_unknown", ErrorCategory.VALIDATION, "The limit is not declared."),
    FLOW_TOO_MANY_LIMITS("flow.too_many_limits", ErrorCategory.VALIDATION, "A job has more than four limits."),
    FLOW_KEY_MISSING(
            "flow.key_missing",
            ErrorCategory.VALIDATION,
            "The job type limits, orders or shares its jobs by a key, and the request gives none."),
    FLOW_KEY_INVALID(
            "flow.key_invalid",
            ErrorCategory.VALIDATION,
            "The key of a limit, order or share is blank, too long or contains control characters, or the limit has no"
                    + " keys."),
    FLOW_KEY_FUNCTION(
            "flow.key_function_failed",
            ErrorCategory.VALIDATION,
            "The function of a job type that finds a key in the payload failed."),

    // Schedules
    INVALID_SCHEDULE_NAME(
            "job_schedule.invalid_name",
            ErrorCategory.VALIDATION,
            "The schedule's name is blank, padded, too long or contains control characters."),
    INVALID_CRON(
            "job_schedule.invalid_cron",
            ErrorCategory.VALIDATION,
            "The cron expression is blank, padded or cannot be parsed."),
    INVALID_INTERVAL(
            "job_schedule.invalid_interval",
            ErrorCategory.VALIDATION,
            "The schedule's interval must be at least one second."),
    INVALID_JITTER(
            "job_schedule.invalid_jitter",
            ErrorCategory.VALIDATION,
            "The jitter must lie between 0 and 86400 seconds."),
    INVALID_TIME_ZONE(
            "job_schedule.invalid_time_zone", ErrorCategory.VALIDATION, "The time zone is not a known IANA name."),
    INVALID_SCHEDULED_WORKFLOW(
            "job_schedule.invalid_workflow",
            ErrorCategory.VALIDATION,
            "A scheduled workflow has a key, or the schedule also has a job type."),
    INVALID_DEDUP_KEY(
            "job_schedule.invalid_dedup_key",
            ErrorCategory.VALIDATION,
            "The dedup key of a poll is blank, too long or contains control characters."),
    POLL_LOST(
            "job_schedule.poll_lost",
            ErrorCategory.LEASE_LOST,
            "The worker no longer holds the poll: it took too long, or its trigger was deleted."),
    POLL_FAILED("job_schedule.poll_failed", ErrorCategory.INTERNAL, "The trigger's function failed."),
    SCHEDULE_NOT_FOUND("job_schedule.not_found", ErrorCategory.NOT_FOUND, "There is no such schedule in this scope."),
    SCHEDULE_DEFINITION_UNAVAILABLE(
            "job_schedule.definition_not_found_or_disabled",
            ErrorCategory.VALIDATION,
            "An active schedule needs a job type that is defined and enabled."),
    INVALID_BACKFILL_RANGE(
            "job_schedule.invalid_backfill_range",
            ErrorCategory.VALIDATION,
            "The range of a backfill is empty, begins before 1970 or ends in the future."),
    BACKFILL_TOO_LARGE(
            "job_schedule.backfill_too_large",
            ErrorCategory.VALIDATION,
            "The range of a backfill has too many instants."),
    SCHEDULE_CHANGED(
            "job_schedule.changed", ErrorCategory.CONFLICT, "The schedule is not as it was when the edit began."),

    // Workflow parameters
    PARAMETER_MISSING(
            "workflow.parameter_missing",
            ErrorCategory.VALIDATION,
            "A required parameter of the workflow type is missing."),
    PARAMETER_UNKNOWN(
            "workflow.parameter_unknown",
            ErrorCategory.VALIDATION,
            "The workflow type does not declare the parameter."),
    PARAMETER_TYPE(
            "workflow.parameter_type_mismatch",
            ErrorCategory.VALIDATION,
            "The value of a parameter has the wrong type."),
    PARAMETER_NOT_ALLOWED(
            "workflow.parameter_not_allowed",
            ErrorCategory.VALIDATION,
            "The value of a parameter violates a rule of its declaration."),
    PARAMETER_INVALID(
            "workflow.parameter_invalid", ErrorCategory.VALIDATION, "The declaration of a parameter is not valid."),

    // Workflow graphs
    DAG_EMPTY("workflow.invalid_dag_empty", ErrorCategory.VALIDATION, "The workflow has no steps."),
    DAG_WORKFLOW_TYPE(
            "workflow.invalid_dag_workflow_type_blank",
            ErrorCategory.VALIDATION,
            "The workflow type is blank, too long or contains control characters."),
    DAG_STEP_KEY(
            "workflow.invalid_dag_step_key_blank",
            ErrorCategory.VALIDATION,
            "A step key is blank, too long or contains control characters."),
    DAG_JOB_TYPE(
            "workflow.invalid_dag_job_type_blank",
            ErrorCategory.VALIDATION,
            "A step's job type is blank, too long or contains control characters."),
    DAG_IDEMPOTENCY_KEY(
            "workflow.invalid_dag_idempotency_key_blank",
            ErrorCategory.VALIDATION,
            "The run's idempotency key is blank, too long or contains control characters."),
    DAG_MAX_ATTEMPTS(
            "workflow.invalid_dag_step_max_attempts_non_positive",
            ErrorCategory.VALIDATION,
            "A step's number of attempts must be at least 1."),
    DAG_TIMEOUT(
            "workflow.invalid_dag_step_timeout_seconds_non_positive",
            ErrorCategory.VALIDATION,
            "A step's timeout must be at least one second."),
    DAG_DEPENDENCY_KEY(
            "workflow.invalid_dag_dependency_step_key_blank",
            ErrorCategory.VALIDATION,
            "A dependency names a blank step."),
    DAG_DUPLICATE_STEP(
            "workflow.invalid_dag_duplicate_step_key", ErrorCategory.VALIDATION, "Two steps have the same key."),
    DAG_MISSING_DEPENDENCY(
            "workflow.invalid_dag_missing_dependency",
            ErrorCategory.VALIDATION,
            "A step waits for a step that does not exist."),
    DAG_SELF_DEPENDENCY("workflow.invalid_dag_self_dependency", ErrorCategory.VALIDATION, "A step waits for itself."),
    DAG_DUPLICATE_DEPENDENCY(
            "workflow.invalid_dag_duplicate_dependency",
            ErrorCategory.VALIDATION,
            "A step waits for the same step twice."),
    DAG_INPUT(
            "workflow.invalid_dag_input",
            ErrorCategory.VALIDATION,
            "A step uses an output that is not available to it, or an invalid input name."),
    DAG_CONDITION(
            "workflow.invalid_dag_condition",
            ErrorCategory.VALIDATION,
            "A step's condition is empty or too large, can never be true, or has an invalid operand."),
    DAG_CONDITION_STEP(
            "workflow.invalid_dag_condition_step",
            ErrorCategory.VALIDATION,
            "A step's condition uses a step that is not one of its dependencies."),
    DAG_CYCLE("workflow.invalid_dag_cycle", ErrorCategory.VALIDATION, "The dependencies of the steps form a cycle."),
    DAG_INVALID("workflow.invalid_dag", ErrorCategory.VALIDATION, "The workflow is not valid."),

    // Workflow runs
    WORKFLOW_DEFINITION_UNAVAILABLE(
            "workflow.definition_not_found_or_disabled",
            ErrorCategory.VALIDATION,
            "A step's job type is not defined or is disabled."),
    INPUT_UNAVAILABLE(
            "workflow.input_unavailable",
            ErrorCategory.VALIDATION,
            "The input of the job's step is not bound, is bound to several steps, or has no output."),
    INVALID_CONTEXT(
            "workflow.invalid_context",
            ErrorCategory.VALIDATION,
            "The run's context or the contribution of a step is not an object with storable names."),
    CONTEXT_TOO_LARGE(
            "workflow.context_too_large",
            ErrorCategory.VALIDATION,
            "The run's context, including the contribution of the step, is larger than the ledger accepts."),
    CONTEXT_CONFLICT(
            "workflow.context_conflict",
            ErrorCategory.CONFLICT,
            "A step contributed another value under a name that the run's context already has."),
    WORKFLOW_IDEMPOTENCY_CONFLICT(
            "workflow.enqueue_conflicting_retry",
            ErrorCategory.CONFLICT,
            "The idempotency key was used before for a different workflow."),
    WORKFLOW_ALREADY_ENQUEUED(
            "workflow.already_enqueued", ErrorCategory.CONFLICT, "A run with this idempotency key already exists."),
    WORKFLOW_IDEMPOTENCY_ISOLATION(
            "workflow.enqueue_idempotency_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "A keyed enqueue needs a READ COMMITTED transaction."),
    COMPLETION_ISOLATION(
            "workflow.terminal_completion_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "Settling a workflow job needs a READ COMMITTED transaction."),
    GATE_ISOLATION(
            "workflow.external_completion_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "Completing a gate needs a READ COMMITTED transaction."),
    CANCEL_ISOLATION(
            "workflow.cancel_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "Canceling a run needs a READ COMMITTED transaction."),
    PAUSE_ISOLATION(
            "workflow.pause_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "Pausing or resuming a run needs a READ COMMITTED transaction."),
    APPEND_ISOLATION(
            "workflow.append_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "Appending steps needs a READ COMMITTED transaction."),
    RECOVERY_ISOLATION(
            "workflow.recovery_unsupported_isolation",
            ErrorCategory.VALIDATION,
            "A recovery needs a READ COMMITTED transaction."),
    RELEASE_CONFLICT("workflow.release_conflict", ErrorCategory.CONFLICT, "Another session is changing the run."),
    WORKFLOW_INTERNAL_STATE(
            "workflow.internal_state", ErrorCategory.INTERNAL, "The stored state of the run is inconsistent."),
    RUN_NOT_FOUND("workflow.run_not_found", ErrorCategory.NOT_FOUND, "There is no such run in this scope."),
    GATE_NOT_FOUND("workflow.external_step_not_found", ErrorCategory.NOT_FOUND, "There is no such gate in this scope."),
    GATE_NOT_EXTERNAL(
            "workflow.external_step_not_external", ErrorCategory.VALIDATION, "The step is a job, not a gate."),
    GATE_NOT_WAITING("workflow.external_step_not_waiting", ErrorCategory.VALIDATION, "The gate is not open yet."),
    GATE_INVALID_STATUS(
            "workflow.external_step_invalid_terminal_status",
            ErrorCategory.VALIDATION,
            "A gate ends as succeeded, failed or canceled."),
    GATE_CONFLICTING_COMPLETION(
            "workflow.external_step_conflicting_completion_retry",
            ErrorCategory.CONFLICT,
            "The gate was already completed differently."),
    GATE_CONFLICTING_OUTPUT(
            "workflow.external_step_conflicting_output_retry",
            ErrorCategory.CONFLICT,
            "The gate was already completed with another output."),
    GATE_EXPIRED("workflow.gate_expired", ErrorCategory.INTERNAL, "The gate was not completed in time."),
    STEP_NOT_FOUND("workflow.step_not_found", ErrorCategory.NOT_FOUND, "There is no such step in this scope."),
    STEP_STATE(
            "workflow.step_invalid_state", ErrorCategory.CONFLICT, "The step's status does not allow this operation."),
    APPEND_KEY_BLANK(
            "workflow.append_mutation_key_blank",
            ErrorCategory.VALIDATION,
            "The append's mutation key is blank, too long or contains control characters."),
    APPEND_TERMINAL_RUN(
            "workflow.append_terminal_run", ErrorCategory.VALIDATION, "The run has ended; nothing can be appended."),
    APPEND_WINDOW_MISSING(
            "workflow.append_window_missing", ErrorCategory.VALIDATION, "The gate of the append does not exist."),
    APPEND_WINDOW_NOT_EXTERNAL(
            "workflow.append_window_not_external",
            ErrorCategory.VALIDATION,
            "Steps can only be appended under a gate, not under a job."),
    APPEND_WINDOW_NOT_OPEN(
            "workflow.append_window_not_open",
            ErrorCategory.VALIDATION,
            "Steps can only be appended while their gate is open."),
    APPEND_CONFLICT(
            "workflow.append_conflicting_retry",
            ErrorCategory.CONFLICT,
            "The mutation key was used before for a different append."),
    DEPENDENCY_UNSATISFIED(
            "workflow.dependency_unsatisfied",
            ErrorCategory.INTERNAL,
            "A prerequisite ended in a way this step does not accept."),
    ACTIVE_KEY_REQUIRED(
            "workflow.active_key_required", ErrorCategory.VALIDATION, "This call needs a workflow with an active key."),
    ACTIVE_KEY_API_REQUIRED(
            "workflow.active_key_api_required",
            ErrorCategory.VALIDATION,
            "A workflow with an active key must be started with the call for active keys."),
    RECOVERY_KEY_INVALID(
            "workflow.invalid_recovery_request_key",
            ErrorCategory.VALIDATION,
            "The recovery's request key is blank, too long or contains control characters."),
    RECOVERY_REASON_INVALID(
            "workflow.invalid_recovery_reason", ErrorCategory.VALIDATION, "The recovery's reason is blank."),
    RECOVERY_SOURCE_NOT_FOUND(
            "workflow.recovery_source_not_found",
            ErrorCategory.NOT_FOUND,
            "There is no such run to recover in this scope."),
    RECOVERY_STEP_NOT_FOUND(
            "workflow.recovery_source_step_not_found", ErrorCategory.NOT_FOUND, "The run to recover has no such step."),
    RECOVERY_SOURCE_NOT_TERMINAL(
            "workflow.recovery_source_not_terminal", ErrorCategory.CONFLICT, "The run to recover has not ended."),
    RECOVERY_SNAPSHOT_MISSING(
            "workflow.recovery_snapshot_missing", ErrorCategory.CONFLICT, "The run to recover has no stored request."),
    RECOVERY_SNAPSHOT_UNSAFE(
            "workflow.recovery_snapshot_unsafe",
            ErrorCategory.CONFLICT,
            "The stored request of the run to recover does not match its steps."),
    RECOVERY_CONFLICT(
            "workflow.recovery_request_conflict",
            ErrorCategory.CONFLICT,
            "The recovery's request key was used before for something else."),
    RECOVERY_ACTIVE(
            "workflow.recovery_active_constraint", ErrorCategory.CONFLICT, "Another live run holds the active key."),
    RETRY_NOT_POSSIBLE("workflow.retry_not_possible", ErrorCategory.CONFLICT, "The run has no failed steps to retry."),
    RESULT_NOT_DECLARED("workflow.result_not_declared", ErrorCategory.VALIDATION, "The workflow has no result step."),
    RESULT_MISSING("workflow.result_missing", ErrorCategory.NOT_FOUND, "The result step succeeded without an output."),
    RESULT_UNSUCCESSFUL(
            "workflow.result_unsuccessful_terminal", ErrorCategory.CONFLICT, "The run ended without success."),
    RESULT_TIMEOUT("workflow.result_wait_timeout", ErrorCategory.UNAVAILABLE, "The run did not end in time."),

    // Workers
    WORKERS_NOT_DRAINED("worker.not_drained", ErrorCategory.UNAVAILABLE, "Workers were not drained in time."),

    // Operators
    ACTION_REPEATED("operator.action_repeated", ErrorCategory.CONFLICT, "An action with this key was recorded before."),
    ACTION_NOT_FOUND("operator.action_not_found", ErrorCategory.NOT_FOUND, "There is no such action in this scope."),
    ACTION_NOT_UNDOABLE("operator.action_not_undoable", ErrorCategory.CONFLICT, "The action cannot be undone."),
    ACTION_UNDONE(
            "operator.action_undone", ErrorCategory.CONFLICT, "The action was undone before it had changed all rows."),
    ACTION_INTERRUPTED(
            "operator.action_interrupted",
            ErrorCategory.UNAVAILABLE,
            "The thread of the action was interrupted before it had changed all rows."),

    // Schema
    SCHEMA_NAME(
            "schema.invalid_name", ErrorCategory.VALIDATION, "The schema name is not a plain PostgreSQL identifier."),
    SCHEMA_MISSING("schema.missing", ErrorCategory.SCHEMA, "The schema does not contain a ledger."),
    SCHEMA_OUTDATED("schema.outdated", ErrorCategory.SCHEMA, "The ledger's schema is older than this library."),
    SCHEMA_TOO_NEW(
            "schema.too_new", ErrorCategory.SCHEMA, "The ledger's schema is newer than this library understands."),
    SCHEMA_ALTERED("schema.altered", ErrorCategory.SCHEMA, "The ledger's schema differs from its migrations."),
    SCHEMA_MIGRATION_FAILED(
            "schema.migration_failed", ErrorCategory.SCHEMA, "The ledger's schema could not be migrated."),
    SCHEMA_IN_USE("schema.in_use", ErrorCategory.CONFLICT, "Jobs or runs of the ledger have not ended."),
    SCHEMA_NOT_ALONE(
            "schema.not_alone",
            ErrorCategory.CONFLICT,
            "The schema contains other objects, or objects outside the schema depend on it."),
    SCHEMA_ROLE_TAKEN(
            "schema.role_taken",
            ErrorCategory.CONFLICT,
            "A role with the name of a ledger role does not belong to the ledger, or can log in."),
    POSTGRES_UNSUPPORTED(
            "schema.unsupported_postgres", ErrorCategory.SCHEMA, "The database is older than PostgreSQL 15."),
    PERMISSION_DENIED("db.permission_denied", ErrorCategory.SCHEMA, "The database role lacks a privilege."),

    // Database
    DB_UNREACHABLE("db.unreachable", ErrorCategory.UNAVAILABLE, "The database cannot be reached."),
    DB_AUTHENTICATION("db.authentication_failed", ErrorCategory.UNAVAILABLE, "The database refuses these credentials."),
    DB_READ_ONLY("db.read_only", ErrorCategory.UNAVAILABLE, "The database accepts no writes."),
    DB_POOL_EXHAUSTED("db.pool_exhausted", ErrorCategory.UNAVAILABLE, "No database connection became free in time."),
    DB_LOCK_TIMEOUT("db.lock_not_available", ErrorCategory.UNAVAILABLE, "A lock was not available in time."),
    DB_CONTENTION("db.contention", ErrorCategory.UNAVAILABLE, "The transaction conflicted with another transaction."),
    DB_STATEMENT_CANCELED("db.statement_canceled", ErrorCategory.UNAVAILABLE, "The database canceled the statement."),
    DB_OUT_OF_RESOURCES(
            "db.out_of_resources",
            ErrorCategory.UNAVAILABLE,
            "The database has run out of disk space, memory or another resource."),
    DB_SERVER_FAULT("db.server_fault", ErrorCategory.UNAVAILABLE, "The database reported an internal error."),
    DB_TRANSACTION_ABORTED(
            "db.transaction_aborted", ErrorCategory.CONFLICT, "An earlier statement of the transaction failed."),
    DB_UNIQUE("db.unique_violation", ErrorCategory.CONFLICT, "A value that must be unique already exists."),
    DB_MISSING_REFERENCE(
            "db.related_resource_missing", ErrorCategory.VALIDATION, "The row references data that does not exist."),
    DB_STILL_REFERENCED(
            "db.related_resource_still_referenced", ErrorCategory.VALIDATION, "Other rows still reference the row."),
    DB_RULE("db.business_rule_violation", ErrorCategory.VALIDATION, "The row breaks a rule of the ledger."),
    DB_REQUIRED("db.required_field_missing", ErrorCategory.VALIDATION, "A required value is missing."),
    DB_QUERY_FAILED("db.query_failed", ErrorCategory.INTERNAL, "A database statement failed.");

    private static final Map<String, ErrorCode> BY_WIRE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ErrorCode::wire, Function.identity()));

    private static final Set<ErrorCode> TRANSIENT = Set.of(
            DB_CONTENTION,
            DB_LOCK_TIMEOUT,
            DB_OUT_OF_RESOURCES,
            DB_POOL_EXHAUSTED,
            DB_READ_ONLY,
            DB_SERVER_FAULT,
            DB_STATEMENT_CANCELED,
            DB_UNREACHABLE,
            LEASE_MAINTENANCE_FAILED,
            RELEASE_CONFLICT,
            RESULT_TIMEOUT,
            WORKERS_NOT_DRAINED);

    private final String wire;
    private final ErrorCategory category;
    private final String message;

    ErrorCode(String wire, ErrorCategory category, String message) {
        this.wire = wire;
        this.category = category;
        this.message = message;
    }

    /** The stable text in rows, logs and metrics, for example {@code job.idempotency_conflict}. */
    public String wire() {
        return wire;
    }

    public ErrorCategory category() {
        return category;
    }

    /** A one-sentence description that is safe to show to a client. */
    public String message() {
        return message;
    }

    /** Whether the same call may succeed later without any correction. */
    public boolean isTransient() {
        return TRANSIENT.contains(this);
    }

    /**
     * @param wire text from a row or a log
     * @return empty if the text is not a code of the library, for example a code that a handler defined
     */
    public static Optional<ErrorCode> ofWire(String wire) {
        return Optional.ofNullable(BY_WIRE.get(wire));
    }
}
