package io.runledger.exposed.reap

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.json.readRetryPolicy
import io.runledger.exposed.sql.StoredJson
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.lease.ReapedJob
import io.runledger.model.retry.RetryPolicy
import org.slf4j.LoggerFactory
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Ends expired attempts according to the retry policies: one statement locks and reads them, one writes the decisions. */
internal class EndExpired(private val context: LedgerContext) {
    /** Ends expired attempts of [jobs], or of all jobs if null. */
    fun end(connection: Connection, limit: Int, retryDelay: Duration, isStep: Boolean, jobs: Set<UUID>?): List<ReapedJob> {
        val decisions = take(connection, limit, isStep, jobs).map { it.decide(retryDelay) }
        return if (decisions.isEmpty()) emptyList() else write(connection, decisions)
    }

    private fun take(connection: Connection, limit: Int, isStep: Boolean, jobs: Set<UUID>?): List<ExpiredAttempt> {
        val policies = HashMap<String, RetryPolicy?>()
        return connection.rows(
            context.statements["reap/reap_take"],
            {
                bool("is_step", isStep)
                uuidsOrNull("job_ids", jobs?.toList())
                int("limit", limit)
            },
        ) {
            val id = uuid("id")
            val policy = getString("retry_policy")?.let { stored -> policies.getOrPut(stored) { readable(id, stored) } }
            ExpiredAttempt(
                id,
                getInt("attempt"),
                getInt("max_attempts"),
                getInt("interruptions"),
                getBoolean("is_unbegun"),
                policy,
            )
        }
    }

    private fun write(connection: Connection, decisions: List<ReapDecision>): List<ReapedJob> = connection.rows(
        context.statements["reap/reap"],
        {
            text("error_code", ErrorCode.LEASE_EXPIRED.wire())
            text("error_message", ErrorCode.LEASE_EXPIRED.message())
            uuids("job_ids", decisions.map { it.jobId })
            texts("results", decisions.map { it.result.name })
            wires("letter_reasons", decisions.map { it.reason })
            longs("delays_us", decisions.map { it.delay?.toMicros() })
            bools("by_policy", decisions.map { it.isByPolicy })
        },
    ) { reapedJob(ReapedJob.Result.valueOf(getString("result"))) }

    /** A damaged policy counts as none: it must not prevent this job, or others of the batch, from being ended. */
    private fun readable(job: UUID, stored: String): RetryPolicy? = try {
        StoredJson.read(stored).readRetryPolicy()
    } catch (unreadable: RuntimeException) {
        log.warn("The retry policy of job {} cannot be read. The job is retried like a job without a policy.", job, unreadable)
        null
    }

    private companion object {
        val log = LoggerFactory.getLogger(EndExpired::class.java)
    }
}
