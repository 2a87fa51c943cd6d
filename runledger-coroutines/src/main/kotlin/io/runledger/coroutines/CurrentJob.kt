package io.runledger.coroutines

import io.runledger.model.handler.JobContext
import kotlinx.coroutines.currentCoroutineContext
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext

/** The attempt that a coroutine belongs to; children of a suspending handler inherit it. */
public class CurrentJob internal constructor(
    /** The attempt. */
    @get:JvmName("context")
    public val context: JobContext<*>,
) : AbstractCoroutineContextElement(CurrentJob) {
    public companion object Key : CoroutineContext.Key<CurrentJob>
}

/** The attempt that the calling coroutine belongs to, or null if no worker started it. */
@JvmSynthetic
public suspend fun currentJob(): SuspendingJobContext<*>? = currentCoroutineContext()[CurrentJob]?.context?.let {
    SuspendingJobContext(it)
}
