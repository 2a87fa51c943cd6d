package io.runledger.coroutines

import io.runledger.exposed.Workflows
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRun
import kotlinx.coroutines.future.await
import java.time.Duration
import java.util.UUID
import kotlin.reflect.javaType
import kotlin.reflect.typeOf

/** Suspends until the run has ended; fails as [Workflows.await] does. Cancelling the coroutine stops the wait, not the run. */
@JvmSynthetic
public suspend fun Workflows.awaitRun(scope: Scope, runId: UUID, timeout: Duration? = Duration.ofMinutes(5)): WorkflowRun =
    await(scope, runId, timeout).await()

/** Suspends until there is a result to return; fails as [Workflows.awaitResult] does. Null only for the JSON value null. */
@OptIn(ExperimentalStdlibApi::class)
@JvmSynthetic
public suspend inline fun <reified T : Any> Workflows.awaitRunResult(
    scope: Scope,
    runId: UUID,
    timeout: Duration? = Duration.ofMinutes(5),
): T? = awaitResult<T>(scope, runId, typeOf<T>().javaType, timeout).await()
