package io.runledger.exposed.hook

import io.runledger.exposed.LedgerContext
import io.runledger.exposed.control.requireDelay
import io.runledger.exposed.control.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.read.deadLetter
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.id.Identifier
import io.runledger.model.state.DeadLetterDelivery
import org.slf4j.LoggerFactory
import java.sql.ResultSet
import java.time.Duration

/** Keeps dead letters for hooks until they were handed over: one statement each. */
internal class DeliverLetters(private val context: LedgerContext) {
    fun register(hook: String, jobTypes: Collection<String>) {
        Identifier.HOOK.require(hook)
        val types = jobTypes.map(Identifier.JOB_TYPE::require).distinct()
        if (types.isEmpty()) return
        context.transactions.runBriefly(LockWait.TOGETHER) { connection ->
            connection.update(context.statements["hook_register"]) {
                text(hook)
                texts(types)
            }
        }
    }

    fun take(hook: String, jobTypes: Collection<String>, limit: Int, lease: Duration): List<DeadLetterDelivery> {
        requireLimit(limit)
        requireDelay(lease, Duration.ofMillis(1), ErrorCode.INVALID_LEASE_DURATION)
        if (jobTypes.isEmpty()) return emptyList()
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["hook_take"],
                {
                    texts(jobTypes.distinct())
                    text(hook)
                    int(limit)
                    int(limit)
                    long(lease.toMicros())
                    text(hook)
                },
            ) { delivery() }
        }.filterNotNull()
    }

    fun delivered(deliveries: Collection<DeadLetterDelivery>): List<DeadLetterDelivery> {
        if (deliveries.isEmpty()) return emptyList()
        val asked = deliveries.toList()
        val held = context.transactions.statement { connection ->
            connection.rows(
                context.statements["hook_delivered"],
                {
                    texts(asked.map { it.hook() })
                    uuids(asked.map { it.letter().jobId() })
                    ints(asked.map { it.letter().runNumber() })
                },
            ) { getInt("place") }
        }
        return held.map { asked[it - 1] }
    }

    fun postpone(delays: Map<DeadLetterDelivery, Duration>) {
        if (delays.isEmpty()) return
        delays.values.forEach { requireDelay(it, Duration.ZERO, ErrorCode.INVALID_DELAY) }
        val deliveries = delays.keys.toList()
        context.transactions.statement { connection ->
            connection.update(context.statements["hook_postpone"]) {
                texts(deliveries.map { it.hook() })
                uuids(deliveries.map { it.letter().jobId() })
                ints(deliveries.map { it.letter().runNumber() })
                ints(deliveries.map { it.tries() })
                longs(deliveries.map { delays.getValue(it).toMicros() })
            }
        }
    }

    fun forget(hook: String): Int = context.transactions.statement { connection ->
        checkNotNull(
            connection.row(
                context.statements["hook_forget"],
                {
                    text(hook)
                    text(hook)
                },
            ) { getInt("letters") },
        )
    }

    // Somebody stored by hand what the library cannot read. It must not keep its neighbours from being handed over.
    private fun ResultSet.delivery(): DeadLetterDelivery? = try {
        DeadLetterDelivery(getString("hook"), getInt("tries"), deadLetter())
    } catch (unreadable: RuntimeException) {
        log.warn(
            "The dead letter of job {} cannot be read; hook '{}' waits for it.",
            uuid("job_id"),
            getString("hook"),
            unreadable,
        )
        null
    }

    private companion object {
        val log = LoggerFactory.getLogger(DeliverLetters::class.java)
    }
}
