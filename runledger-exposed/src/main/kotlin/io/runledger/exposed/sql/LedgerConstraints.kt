package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode

/** The error codes for violations of the ledger's constraints. A constraint that is not listed is translated by its SQLSTATE. */
internal object LedgerConstraints {
    private val codes =
        mapOf(
            "uq_job_queue_type_idempotency" to ErrorCode.JOB_ALREADY_ENQUEUED,
            "fk_job_runtime_configs_job_type" to ErrorCode.DEFINITION_NOT_FOUND,
            "fk_job_schedules_job_type" to ErrorCode.SCHEDULE_DEFINITION_UNAVAILABLE,
            "uq_job_replays_source_request" to ErrorCode.REPLAY_CONFLICT,
            "uq_workflow_runs_type_idempotency" to ErrorCode.WORKFLOW_ALREADY_ENQUEUED,
            "uq_workflow_steps_run_step_key" to ErrorCode.DAG_DUPLICATE_STEP,
            "pk_workflow_step_dependencies" to ErrorCode.DAG_DUPLICATE_DEPENDENCY,
            "chk_workflow_step_dependencies_no_self_reference" to ErrorCode.DAG_SELF_DEPENDENCY,
            "chk_workflow_step_dependencies_input_name_not_blank" to ErrorCode.DAG_INPUT,
            "uq_workflow_run_mutations_run_mutation_key" to ErrorCode.APPEND_CONFLICT,
            "pk_workflow_active_claims" to ErrorCode.RECOVERY_ACTIVE,
            "uq_workflow_recoveries_source_request" to ErrorCode.RECOVERY_CONFLICT,
            "chk_workflow_runs_counters" to ErrorCode.WORKFLOW_INTERNAL_STATE,
            "chk_workflow_steps_dependency_counts_nonnegative" to ErrorCode.WORKFLOW_INTERNAL_STATE,
        )

    val names: Set<String> get() = codes.keys

    fun codeOf(constraint: String): ErrorCode? = codes[constraint]
}
