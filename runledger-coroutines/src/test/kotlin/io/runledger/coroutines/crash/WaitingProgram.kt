package io.runledger.coroutines.crash

import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobType
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext
import java.time.Duration

internal val wait = JobType.of("wait", String::class.java)

/** A worker whose handler ends only when the test tells it to, and ignores all other requests to stop. */
object WaitingProgram {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val go = CompletableDeferred<Unit>()
        val handlers = handlers {
            on(wait) { job ->
                DoomedJvm.say("started ${job.jobId()}")
                withContext(NonCancellable) { go.await() }
                "doomed"
            }
        }
        val told = object : WorkerObserver {
            override fun succeeded(job: ObservedJob, elapsed: Duration) = DoomedJvm.say("succeeded ${job.jobId}")
            override fun lost(job: ObservedJob) = DoomedJvm.say("lost ${job.jobId}")
        }
        RunledgerWorker.builder(RunledgerClient.create(doomedPool(size = 5)))
            .handlers(handlers)
            .config(quick { workerId("doomed").labels("eu").lease(Duration.ofSeconds(2)).beatInterval(Duration.ofMillis(200)) })
            .observe(told)
            .start()
        DoomedJvm.listen { go.complete(Unit) }
    }
}
