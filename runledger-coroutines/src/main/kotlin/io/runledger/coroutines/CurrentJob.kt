package io.runledger.coroutines

import io.runledger.model.run.JobContext
import kotlinx.coroutines.currentCoroutineContext
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext

/** The attempt a coroutine works for; children of a suspending handler inherit it. */
public class CurrentJob internal constructor(
    /** The attempt. */
    public val context: JobContext<*>,
) : AbstractCoroutineContextElement(CurrentJob) {
    public companion object Key : CoroutineContext.Key<CurrentJob>
}

/** The attempt the calling code works for, or null when no worker called it. */
@JvmSynthetic
public suspend fun currentJob(): JobContext<*>? = currentCoroutineContext()[CurrentJob]?.context
