package io.runledger.coroutines.crash

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.retry.RetryPolicy
import java.sql.Connection
import java.time.Duration
import java.util.UUID
import javax.sql.DataSource

/** Leaves one row in `effects`, in the transaction that ends the job. */
internal val effect = JobType.builder("effect", Json::class.java)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .maxAttempts(1_000)
    .build()

/** Calls [committed] for every job whose effect and end were acknowledged. */
internal fun DataSource.effects(committed: (UUID) -> Unit): Handlers = handlers {
    blocking(effect) { job ->
        connection.use { leaveEffect(job, it) }
        committed(job.jobId())
        JobOutcome.succeeded()
    }
}

private fun leaveEffect(job: JobContext<*>, connection: Connection) {
    connection.autoCommit = false
    connection.prepareStatement("INSERT INTO effects (job_id) VALUES (?)").use {
        it.setObject(1, job.jobId())
        it.executeUpdate()
    }
    job.settleIn(connection)
    connection.commit()
}

/** Every loop on and a short lease. */
internal val hasty = quick {
    lease(Duration.ofSeconds(3)).maxConcurrency(6).scheduler(true).schedulerInterval(Duration.ofSeconds(1))
        .reaper(true).reaperInterval(Duration.ofMillis(200)).reaperRetryDelay(Duration.ofMillis(1))
}

/** A worker process that says which effects were committed. */
object FailoverProgram {
    private const val CONNECTIONS = 15

    @JvmStatic
    fun main(arguments: Array<String>) {
        val pool = doomedPool(size = CONNECTIONS) {
            bePatient()
            // The database may be unavailable while the process starts.
            initializationFailTimeout = -1
            addDataSourceProperty("socketTimeout", "1")
        }
        RunledgerWorker.builder(RunledgerClient.create(pool)).handlers(
            pool.effects {
                DoomedJvm.say("$it")
            },
        ).config(hasty).start()
        DoomedJvm.listen()
    }
}
