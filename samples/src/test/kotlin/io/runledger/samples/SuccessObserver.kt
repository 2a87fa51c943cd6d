package io.runledger.samples

import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.withTimeout
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.minutes

/** Lets a test wait for jobs that succeed, without polling. */
class SuccessObserver : WorkerObserver {
    private val succeeded = Channel<UUID>(Channel.UNLIMITED)

    override fun succeeded(job: ObservedJob, elapsed: Duration) {
        succeeded.trySend(job.jobId)
    }

    suspend fun succeeded(): UUID = withTimeout(1.minutes) { succeeded.receive() }
}
