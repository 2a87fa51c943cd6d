package io.runledger.coroutines.run

import io.runledger.coroutines.port.AttemptLedger
import io.runledger.coroutines.read
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.InvalidRequestException
import io.runledger.model.json.PayloadCodec
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.run.StepOutput
import io.runledger.model.text.Text.quoted
import io.runledger.model.workflow.Input
import io.runledger.model.workflow.WorkflowStepStatus
import java.lang.reflect.Type

/** The outputs of the steps that a job's step waits for, by input or by step key. */
internal class Prerequisites(
    private val job: ClaimedJob,
    private val outputs: List<StepOutput>,
    private val codec: PayloadCodec,
) {
    fun <T : Any> input(input: Input<T>): T {
        val given = given(input)
        val problem = when (given.size) {
            0 -> "$self has no input ${quoted(input.name())}: declare uses(step, input) on the step in the workflow. $inputs"

            1 -> return value(given.single(), input)

            else -> "$self has an input ${quoted(
                input.name(),
            )} from each of ${keys(given)}: read them all with inputs, or use one."
        }
        throw unavailable(problem)
    }

    fun <T : Any> inputs(input: Input<T>): List<T> = given(input).map { value(it, input) }

    /** Null if the step did not succeed, has no output, or has the JSON value `null` as output. */
    fun <T : Any> output(stepKey: String, type: Type): T? {
        val step = outputs.find { it.stepKey() == stepKey } ?: throw InvalidRequestException(
            ErrorCode.INVALID_ARGUMENT,
            "This job does not wait for a step ${quoted(stepKey)}, so it cannot read its output. It waits for: ${keys(outputs)}.",
        )
        return read(step, type)
    }

    private fun given(input: Input<*>): List<StepOutput> {
        if (job.step() == null) {
            throw unavailable(
                "$self has no input ${quoted(
                    input.name(),
                )}: enqueue the job as a step with uses(step, input), or put the value " +
                    "into its payload.",
            )
        }
        return outputs.filter { it.inputName() == input.name() }
    }

    private fun <T : Any> value(from: StepOutput, input: Input<T>): T = read(from, input.type()) ?: throw unavailable(
        "$self has its input ${quoted(
            input.name(),
        )} from step ${quoted(from.stepKey())}, which ended as ${from.status()} and has " +
            "no output: return a value from its handler, or complete the gate with one.",
    )

    private fun <T : Any> read(step: StepOutput, type: Type): T? = step.output()?.takeIf {
        step.status() == WorkflowStepStatus.SUCCEEDED
    }?.let { codec.read(it, type, ErrorCode.INVALID_OUTPUT) }

    private val self: String
        get() = (job.step()?.let { "Step ${quoted(it.stepKey())}" } ?: "This job") + " of job type ${quoted(job.jobType())}"

    private val inputs: String
        get() = outputs.mapNotNull { it.inputName() }.distinct().let { names ->
            if (names.isEmpty()) "It has no inputs." else "It has: ${names.joinToString { quoted(it) }}."
        }

    private fun keys(steps: List<StepOutput>) = steps.joinToString { quoted(it.stepKey()) }

    private fun unavailable(problem: String) = InvalidRequestException(ErrorCode.INPUT_UNAVAILABLE, problem)

    companion object {
        /** Reads the ledger if the job is a step. */
        fun of(job: ClaimedJob, ledger: AttemptLedger): Prerequisites =
            Prerequisites(job, if (job.step() == null) emptyList() else ledger.outputs(job), ledger.codec)
    }
}
