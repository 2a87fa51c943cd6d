package io.runledger.exposed.reap

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.json.StoredJson
import io.runledger.exposed.json.readRetryPolicy
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.state.ReapedJob
import org.slf4j.LoggerFactory
import java.sql.Connection
import java.time.Duration
import java.util.UUID

/** Ends expired attempts as their jobs' policies say: one statement locks and reads them, one writes what was decided. */
internal class EndExpired(private val context: LedgerContext) {
    /** Among [jobs], or among all when that is null. */
    fun end(connection: Connection, limit: Int, retryDelay: Duration, isStep: Boolean, jobs: Set<UUID>?): List<ReapedJob> {
        val decisions = take(connection, limit, isStep, jobs).map { it.decide(retryDelay) }
        return if (decisions.isEmpty()) emptyList() else write(connection, decisions)
    }

    private fun take(connection: Connection, limit: Int, isStep: Boolean, jobs: Set<UUID>?): List<ExpiredAttempt> {
        val policies = HashMap<String, RetryPolicy?>()
        return connection.rows(
            context.statements["reap_take"],
            {
                bool(isStep)
                uuidsOrNull(jobs?.toList())
                uuidsOrNull(jobs?.toList())
                int(limit)
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
        context.statements["reap"],
        {
            text(ErrorCode.LEASE_EXPIRED.wire())
            text(ErrorCode.LEASE_EXPIRED.message())
            uuids(decisions.map { it.jobId })
            texts(decisions.map { it.result.name })
            wires(decisions.map { it.reason })
            longs(decisions.map { it.delay?.toMicros() })
            bools(decisions.map { it.isByPolicy })
        },
    ) { reapedJob(ReapedJob.Result.valueOf(getString("result"))) }

    /** A policy that somebody damaged counts as none: it must not keep the job, or its neighbours, from being handed on. */
    private fun readable(job: UUID, stored: String): RetryPolicy? = try {
        StoredJson.read(stored).readRetryPolicy()
    } catch (unreadable: RuntimeException) {
        log.warn("The retry policy of job {} cannot be read; it waits as one without a policy does.", job, unreadable)
        null
    }

    private companion object {
        val log = LoggerFactory.getLogger(EndExpired::class.java)
    }
}
