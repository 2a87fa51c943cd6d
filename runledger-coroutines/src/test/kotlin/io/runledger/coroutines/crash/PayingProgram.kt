package io.runledger.coroutines.crash

import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.retry.RetryPolicy
import java.sql.Connection
import java.time.Duration
import javax.sql.DataSource

internal val charge = JobType.builder("charge", Int::class.javaObjectType)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .maxAttempts(1_000)
    .build()

internal fun Connection.pay(job: JobContext<Int>) {
    prepareStatement("INSERT INTO payments (amount) VALUES (?)").use {
        it.setInt(1, job.payload())
        it.executeUpdate()
    }
}

/** A handler that pays and ends its job in one transaction, and prints its progress. */
internal fun DataSource.paying(job: JobContext<Int>, say: (String) -> Unit = {}): JobOutcome = connection.use { connection ->
    connection.autoCommit = false
    say("begins ${job.payload()}")
    connection.pay(job)
    say("paid ${job.payload()}")
    job.settleIn(connection)
    say("settled ${job.payload()}")
    connection.commit()
    say("committed ${job.payload()}")
    JobOutcome.succeeded()
}

/** Two workers that pay, with eight concurrent jobs each, and print every step. */
object PayingProgram {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val pool = doomedPool(size = 30)
        val handlers = handlers { blocking(charge) { pool.paying(it, DoomedJvm::say) } }
        val client = RunledgerClient.create(pool)
        repeat(2) {
            RunledgerWorker.builder(client).handlers(handlers).config(quick { maxConcurrency(8) }).start()
        }
        DoomedJvm.listen()
    }
}
