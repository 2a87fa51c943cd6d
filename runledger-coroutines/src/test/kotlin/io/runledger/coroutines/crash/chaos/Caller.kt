package io.runledger.coroutines.crash.chaos

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.runledger.coroutines.crash.Line
import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.NotFoundException
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.run.EnqueuedWorkflow
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.postgres.PostgresDatabase

/**
 * A service, with its own connection to the database, that repeats a call without an answer with the same arguments, as the
 * documentation says. Adds every answer and every missing answer to [jobs] and [runs].
 */
internal class Caller(database: PostgresDatabase, private val jobs: Acknowledged, private val runs: Acknowledged) :
    AutoCloseable {
    val line = Line(database)
    private val pool = HikariDataSource(
        HikariConfig().apply {
            dataSource = line.dataSource { socketTimeout = 2 }
            maximumPoolSize = 1
            connectionTimeout = 2_000
        },
    )
    private val client = RunledgerClient.builder(pool).notifications(false).build()

    /** Whether every call is disturbed when it is made for the first time. */
    @Volatile
    var isDisturbed = false

    /** Whether no answer is needed any more. */
    @Volatile
    var isOver = false

    fun enqueue(request: JobRequest): EnqueuedJob {
        val key = checkNotNull(request.idempotencyKey())
        return insist({ jobs.miss(key) }) { it.jobs.enqueue(request) }.also(::acknowledged)
    }

    fun enqueue(request: WorkflowRequest): EnqueuedWorkflow {
        val key = checkNotNull(request.idempotencyKey())
        return insist({ runs.miss(key) }) { it.workflows.enqueue(request) }.also(::acknowledged)
    }

    fun acknowledged(job: EnqueuedJob) = jobs.add(job.id(), job.isNew)

    fun acknowledged(run: EnqueuedWorkflow) = runs.add(run.runId(), run.isNew)

    /** Repeats the call until there is an answer. Null if an earlier call took effect and its row has ended and is deleted. */
    fun <T> change(ask: (RunledgerClient) -> T): T? {
        var isRepeated = false
        return try {
            insist({ isRepeated = true }, ask)
        } catch (gone: NotFoundException) {
            if (isRepeated) null else throw gone
        }
    }

    private fun <T> insist(onMissing: () -> Unit, ask: (RunledgerClient) -> T): T {
        if (isDisturbed) line.loseAnswers()
        while (true) {
            try {
                return ask(client)
            } catch (failure: RunledgerException) {
                if (!failure.isTransient || isOver) throw failure
                onMissing()
                Thread.sleep(RETRY_MILLIS)
            }
        }
    }

    override fun close() {
        isOver = true
        pool.close()
        line.close()
    }

    private companion object {
        const val RETRY_MILLIS = 10L
    }
}
