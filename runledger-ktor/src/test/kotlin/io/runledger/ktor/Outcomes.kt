package io.runledger.ktor

import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.WorkerReport
import io.runledger.model.error.RunledgerException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.withTimeout
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.minutes

/** Lets a test wait for what a worker reports, without polling. */
internal class Outcomes : WorkerObserver {
    private val succeeded = Channel<UUID>(Channel.UNLIMITED)
    private val end = CompletableDeferred<WorkerReport>()
    private val unavailable = CompletableDeferred<RunledgerException>()

    override fun succeeded(job: ObservedJob, elapsed: Duration) {
        succeeded.trySend(job.jobId)
    }

    override fun stopped(report: WorkerReport) {
        end.complete(report)
    }

    override fun unavailable(failure: RunledgerException) {
        unavailable.complete(failure)
    }

    suspend fun success(): UUID = withTimeout(1.minutes) { succeeded.receive() }

    suspend fun end(): WorkerReport = withTimeout(1.minutes) { end.await() }

    suspend fun unavailability(): RunledgerException = withTimeout(1.minutes) { unavailable.await() }
}
