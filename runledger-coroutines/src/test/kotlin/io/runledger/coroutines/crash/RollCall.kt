package io.runledger.coroutines.crash

import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import kotlinx.coroutines.CompletableDeferred
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

/** Waits until that many different jobs have succeeded. */
class RollCall(private val jobs: Int) : WorkerObserver {
    private val present = ConcurrentHashMap.newKeySet<UUID>()
    private val isComplete = CompletableDeferred<Unit>().apply { if (jobs == 0) complete(Unit) }

    suspend fun complete() = isComplete.await()

    override fun succeeded(job: ObservedJob, elapsed: Duration) {
        present += job.jobId
        if (present.size == jobs) isComplete.complete(Unit)
    }
}
