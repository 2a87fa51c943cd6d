package io.runledger.samples.house

private const val COROUTINES = "io.runledger.coroutines"
private const val DSL = "io.runledger.dsl"
private const val WORKER = "$COROUTINES.worker"
private const val HANDLER = "io.runledger.model.handler"
private const val JOB = "io.runledger.model.job"
private const val RETRY = "io.runledger.model.retry"
private const val WORKFLOW = "io.runledger.model.workflow"

/**
 * Classes and functions that only Kotlin code can use, and their counterparts for Java. Every entry needs a reason in the
 * language: it suspends, it is inline for a reified type, or it takes a block with a receiver.
 */
internal val kotlinDoors: Map<String, String> = mapOf(
    "$COROUTINES.SuspendingJobHandler" to "$HANDLER.AsyncJobHandler",
    "$COROUTINES.SuspendingJobContext" to "$HANDLER.JobContext",
    "$COROUTINES.SuspendingStepContext" to "$HANDLER.StepContext",
    "$COROUTINES.SuspendingBatchJobHandler" to "$HANDLER.AsyncBatchJobHandler",
    "$COROUTINES.JobInterceptor" to "$COROUTINES.AsyncJobInterceptor",
    "$COROUTINES.CurrentJob" to "$HANDLER.JobContext",
    "$COROUTINES.CurrentJob\$Key" to "$HANDLER.JobContext",
    "$COROUTINES.CurrentJobKt.currentJob" to "$HANDLER.JobHandler.handle",
    "io.runledger.test.Waiting.untilSuspending" to "io.runledger.test.Waiting.until",
    "$COROUTINES.AwaitRunKt.awaitRun" to "io.runledger.exposed.Workflows.await",
    "$COROUTINES.AwaitRunKt.awaitRunResult" to "io.runledger.exposed.Workflows.awaitResult",
    "$COROUTINES.HandlersScopeKt.handlers" to "$COROUTINES.Handlers.builder",
    "$COROUTINES.HandlersScope.on" to "$COROUTINES.Handlers\$Builder.blocking",
    "$COROUTINES.HandlersScope.machine" to "$COROUTINES.Handlers\$Builder.machine",
    "$COROUTINES.HandlersScope.onBatch" to "$COROUTINES.Handlers\$Builder.blockingBatch",
    "$COROUTINES.StepMachineScopeKt.stepMachine" to "$COROUTINES.StepMachine.builder",
    "$COROUTINES.StepMachineScope" to "$COROUTINES.StepMachine\$Builder",
    "$WORKER.RunledgerWorker.run" to "$WORKER.RunledgerWorker.start",
    "$WORKER.RunledgerWorker\$Builder.intercept" to "$WORKER.RunledgerWorker\$Builder.interceptAsync",
    "$WORKER.RunledgerWorker\$Builder.onDeadLetter" to "$COROUTINES.DeadLetterHook.deliver",
    "$WORKER.RunledgerWorker\$Builder.trigger" to "$COROUTINES.PollTrigger.poll",
    "$WORKER.RunledgerWorker\$Builder.handlerContext" to "$HANDLER.AsyncJobHandler.handle",
    "$DSL.WorkflowKt.workflow" to "$WORKFLOW.WorkflowRequest.builder",
    "$DSL.WorkflowKt.append" to "$WORKFLOW.AppendRequest.builder",
    "$DSL.JobTypesKt.jobType" to "$JOB.JobType.of",
    "$DSL.JobRequestsKt.jobRequest" to "$JOB.JobRequest.builder",
    "$DSL.JobRequestScope" to "$JOB.JobRequest\$Builder",
    "$DSL.RetryPoliciesKt.retryPolicy" to "$RETRY.RetryPolicy.builder",
    "$DSL.BackoffScope" to "$RETRY.Backoff\$Builder",
    "$DSL.RetryPolicyScope" to "$RETRY.RetryPolicy\$Builder",
    "$DSL.WorkflowTypesKt.workflowType" to "$WORKFLOW.WorkflowType.of",
    "$DSL.WorkflowTypesKt.parameter" to "$WORKFLOW.WorkflowParameter.required",
    "$DSL.InputsKt.input" to "$WORKFLOW.Input.of",
    "$DSL.WorkflowScope" to "$WORKFLOW.WorkflowRequest\$Builder",
    "$DSL.AppendScope" to "$WORKFLOW.AppendRequest\$Builder",
    "$DSL.StepsScope" to "$WORKFLOW.StepsBuilder",
    "$DSL.JobSettingsScope" to "$JOB.JobSettings\$Builder",
    "$DSL.JobFlowScope" to "$JOB.JobSettings\$FlowBuilder",
    "$DSL.JobTypesKt.per" to "io.runledger.model.flow.Rate.of",
    "$DSL.JobScope" to "$WORKFLOW.JobStep\$Builder",
    "$DSL.GateScope" to "$WORKFLOW.GateStep\$Builder",
    "$DSL.JobTypeScope" to "$JOB.JobType\$Builder",
    "io.runledger.test.KotestLedger.freshLedger" to "io.runledger.test.TestLedger.fresh",
)
