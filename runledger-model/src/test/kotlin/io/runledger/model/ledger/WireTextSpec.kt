package io.runledger.model.ledger

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InternalException
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.history.JobEventType
import io.runledger.model.history.MutationKind
import io.runledger.model.history.RecoveryMode
import io.runledger.model.history.RunEventType
import io.runledger.model.history.StepEventType
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobStatus
import io.runledger.model.job.RetryTimingSource
import io.runledger.model.migration
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTargetKind
import io.runledger.model.schedule.FireCause
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.MisfirePolicy
import io.runledger.model.schedule.OverlapPolicy
import io.runledger.model.schedule.ScheduleKind
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus

/** An enum of the package, with its type parameter closed so that all fit one list. */
private class Stored<E>(val type: Class<E>) where E : Enum<E>, E : WireText {
    val wires: List<String> get() = type.enumConstants.map { it.wire() }

    fun roundTrip() = type.enumConstants.forEach { WireText.of(type, it.wire()) shouldBe it }

    fun refuse(wire: String) {
        val refused = shouldThrow<InternalException> { WireText.of(type, wire) }
        refused.code() shouldBe ErrorCode.DB_QUERY_FAILED
        refused.message shouldContain type.simpleName
        refused.message shouldNotContain "BOGUS"
    }
}

private inline fun <reified E> stored(): Stored<E> where E : Enum<E>, E : WireText = Stored(E::class.java)

private val byType =
    mapOf(
        "job_status" to stored<JobStatus>(),
        "job_event_type" to stored<JobEventType>(),
        "job_failure_kind" to stored<AttemptOutcome>(),
        "workflow_run_status" to stored<WorkflowRunStatus>(),
        "workflow_step_status" to stored<WorkflowStepStatus>(),
        "workflow_dependency_release_mode" to stored<ReleaseMode>(),
        "workflow_step_execution_kind" to stored<StepKind>(),
        "workflow_step_event_type" to stored<StepEventType>(),
    )

private val byCheck =
    mapOf(
        "chk_job_queue_claim_origin" to stored<ClaimOrigin>(),
        "chk_job_attempts_claim_origin" to stored<ClaimOrigin>(),
        "chk_job_attempts_retry_timing_source" to stored<RetryTimingSource>(),
        "chk_job_dead_letters_reason" to stored<DeadLetterReason>(),
        "chk_job_schedules_misfire_policy" to stored<MisfirePolicy>(),
        "chk_job_schedules_overlap_policy" to stored<OverlapPolicy>(),
        "chk_job_schedules_kind" to stored<ScheduleKind>(),
        "chk_job_schedule_fires_outcome" to stored<FireOutcome>(),
        "chk_workflow_runs_context_merge" to stored<ContextMerge>(),
        "chk_job_schedule_fires_cause" to stored<FireCause>(),
        "chk_workflow_run_mutations_kind" to stored<MutationKind>(),
        "chk_workflow_run_journal_event_type" to stored<RunEventType>(),
        "chk_workflow_recoveries_mode" to stored<RecoveryMode>(),
        "chk_operator_actions_action" to stored<OperatorActionKind>(),
        "chk_operator_actions_target_kind" to stored<OperatorTargetKind>(),
    )

private val enums = (byType + byCheck).values.distinctBy { it.type } + stored<GateExpiry>() + stored<JobStage>()

private fun literals(sql: String): List<String> = Regex("'([^']*)'").findAll(sql).map { it.groupValues[1] }.toList()

class WireTextSpec :
    FunSpec({
        test("every constant is found by its stored text") {
            enums.forEach { withClue(it.type.simpleName) { it.roundTrip() } }
        }

        test("no two constants of an enum share a text") {
            enums.forEach { it.wires.shouldBeUnique() }
        }

        test("a text this version does not know is refused without being shown") {
            enums.forEach { enum ->
                listOf("BOGUS", "", enum.wires.first() + " ", enum.wires.first().swapCase()).forEach(enum::refuse)
            }
        }

        test("the enums of the schema are those of the model, in the same order") {
            val declared =
                Regex("CREATE TYPE \"\\$\\{schema}\"\\.(\\w+) AS ENUM \\(([^)]*)\\)").findAll(migration("V1__types"))
                    .associate { it.groupValues[1] to literals(it.groupValues[2]) }

            declared.keys shouldContainExactlyInAnyOrder byType.keys
            byType.forEach { (name, enum) -> withClue(name) { declared.getValue(name) shouldContainExactly enum.wires } }
        }

        test("the texts the schema checks are those of the model") {
            // A later migration replaces a check of an earlier one.
            val names = listOf("V2__jobs", "V3__schedules", "V4__workflows", "V6__operators", "V8__flow_control", "V9__backfill")
            val sql = names.joinToString("\n") { migration(it) }

            byCheck.forEach { (constraint, enum) ->
                withClue(constraint) {
                    val check = Regex("CONSTRAINT $constraint CHECK \\(\\w+ IN \\(([^)]*)\\)").findAll(sql).lastOrNull()
                    literals(check?.groupValues?.get(1).orEmpty()) shouldContainExactly enum.wires
                }
            }
            literals(Regex("expiry_outcome IN \\(([^)]*)\\)").find(sql)!!.groupValues[1]) shouldContainExactly
                stored<GateExpiry>().wires
        }

        test("stages are stored in lower case, whatever the machine's language") {
            stored<JobStage>().wires shouldContainExactly listOf("queued", "scheduled", "running", "completed")
        }
    })

private fun String.swapCase(): String = if (this == uppercase()) lowercase() else uppercase()
