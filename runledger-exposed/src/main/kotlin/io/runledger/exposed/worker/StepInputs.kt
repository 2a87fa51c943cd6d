package io.runledger.exposed.worker

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.workflow.ReadOutputs
import io.runledger.model.json.Json
import io.runledger.model.run.StepOutput
import java.util.UUID

/** Values that a running step reads from its workflow run. */
@WorkerApi
public class StepInputs internal constructor(context: LedgerContext) {
    private val outputs = ReadOutputs(context)

    /** The outputs of the prerequisites of a job's step, in the order of their declaration; empty for a job that is no step. */
    public fun prerequisites(jobId: UUID): List<StepOutput> = outputs.ofPrerequisites(jobId)

    /** The current value of [name] in the context of the job's run; null if there is none, or the job is no step. */
    public fun runContext(jobId: UUID, name: String): Json? = outputs.ofContext(jobId, name)
}
