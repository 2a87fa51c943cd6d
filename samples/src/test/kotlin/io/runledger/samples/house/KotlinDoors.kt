package io.runledger.samples.house

private const val COROUTINES = "io.runledger.coroutines"
private const val DSL = "io.runledger.dsl"
private const val SPEC = "io.runledger.model.spec"
private const val POLICY = "io.runledger.model.policy"
private const val RUN = "io.runledger.model.run"

/**
 * What is for Kotlin alone, a class with all its members or one function, and what Java uses instead. Every entry needs a reason in the
 * language: it suspends, it is inline for a reified type, or it takes a block with a receiver.
 */
internal val kotlinDoors: Map<String, String> = mapOf(
    "$COROUTINES.SuspendingJobHandler" to "$RUN.AsyncJobHandler",
    "$COROUTINES.JobInterceptor" to "$COROUTINES.AsyncJobInterceptor",
    "$COROUTINES.CurrentJob" to "$RUN.JobContext",
    "$COROUTINES.CurrentJob\$Key" to "$RUN.JobContext",
    "$COROUTINES.CurrentJobKt.currentJob" to "$RUN.JobHandler.handle",
    "$COROUTINES.AwaitRunKt.awaitRun" to "io.runledger.exposed.Workflows.await",
    "$COROUTINES.AwaitRunKt.awaitRunResult" to "io.runledger.exposed.Workflows.awaitResult",
    "$COROUTINES.HandlersScopeKt.handlers" to "$COROUTINES.Handlers.builder",
    "$COROUTINES.HandlersScope.on" to "$COROUTINES.Handlers\$Builder.blocking",
    "$COROUTINES.StepMachineScopeKt.stepMachine" to "$COROUTINES.StepMachine.builder",
    "$COROUTINES.StepMachineScopeKt.goTo" to "$RUN.StepContext.goTo",
    "$COROUTINES.StepMachineScope" to "$COROUTINES.StepMachine\$Builder",
    "$COROUTINES.RunledgerWorker.run" to "$COROUTINES.RunledgerWorker.start",
    "$COROUTINES.RunledgerWorker\$Builder.intercept" to "$COROUTINES.RunledgerWorker\$Builder.interceptAsync",
    "$COROUTINES.RunledgerWorker\$Builder.onDeadLetter" to "$COROUTINES.DeadLetterHook.deliver",
    "$COROUTINES.RunledgerWorker\$Builder.trigger" to "$COROUTINES.PollTrigger.poll",
    "$COROUTINES.RunledgerWorker\$Builder.handlerContext" to "$RUN.AsyncJobHandler.handle",
    "$COROUTINES.SuspendingContextKt.reportProgress" to "$RUN.JobContext.progress",
    "$COROUTINES.SuspendingContextKt.enterStage" to "$RUN.JobContext.stage",
    "$COROUTINES.SuspendingContextKt.keepCheckpoint" to "$RUN.JobContext.saveCheckpoint",
    "$COROUTINES.SuspendingContextKt.writeLog" to "$RUN.JobContext.log",
    "$COROUTINES.SuspendingContextKt.readInput" to "$RUN.JobContext.input",
    "$COROUTINES.SuspendingContextKt.readInputs" to "$RUN.JobContext.inputs",
    "$COROUTINES.SuspendingContextKt.readOutput" to "$RUN.JobContext.output",
    "$COROUTINES.SuspendingContextKt.deferUntilMet" to "$RUN.JobContext.deferUntil",
    "$COROUTINES.SuspendingContextKt.readRunContext" to "$RUN.JobContext.runContext",
    "$COROUTINES.SuspendingContextKt.checkpoint" to "$RUN.JobContext.checkpoint",
    "$DSL.WorkflowKt.workflow" to "$SPEC.WorkflowRequest.builder",
    "$DSL.WorkflowKt.append" to "$SPEC.AppendRequest.builder",
    "$DSL.JobTypesKt.jobType" to "$SPEC.JobType.of",
    "$DSL.JobRequestsKt.jobRequest" to "$SPEC.JobRequest.builder",
    "$DSL.JobRequestScope" to "$SPEC.JobRequest\$Builder",
    "$DSL.RetryPoliciesKt.retryPolicy" to "$POLICY.RetryPolicy.builder",
    "$DSL.RetryPolicyScope" to "$POLICY.RetryPolicy\$Builder",
    "$DSL.WorkflowTypesKt.workflowType" to "$SPEC.WorkflowType.of",
    "$DSL.WorkflowTypesKt.parameter" to "$SPEC.WorkflowParameter.required",
    "$DSL.InputsKt.input" to "$SPEC.Input.of",
    "$DSL.WorkflowScope" to "$SPEC.WorkflowRequest\$Builder",
    "$DSL.AppendScope" to "$SPEC.AppendRequest\$Builder",
    "$DSL.StepsScope" to "$SPEC.StepsBuilder",
    "$DSL.JobScope" to "$SPEC.JobStep\$Builder",
    "$DSL.GateScope" to "$SPEC.GateStep\$Builder",
    "$DSL.JobTypeScope" to "$SPEC.JobType\$Builder",
    "io.runledger.test.KotestLedger.freshLedger" to "io.runledger.test.TestLedger.fresh",
)
