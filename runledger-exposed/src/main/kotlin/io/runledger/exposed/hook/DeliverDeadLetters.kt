package io.runledger.exposed.hook

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.requireDelay
import io.runledger.exposed.context.requireLimit
import io.runledger.exposed.intake.toMicros
import io.runledger.exposed.read.deadLetter
import io.runledger.exposed.sql.LockWait
import io.runledger.exposed.sql.row
import io.runledger.exposed.sql.rows
import io.runledger.exposed.sql.update
import io.runledger.exposed.sql.uuid
import io.runledger.model.error.ErrorCode
import io.runledger.model.lease.DeadLetterDelivery
import io.runledger.model.value.Identifier
import org.slf4j.LoggerFactory
import java.sql.ResultSet
import java.time.Duration

/** Stores dead letters for hooks until they are delivered. Each operation is one statement. */
internal class DeliverDeadLetters(private val context: LedgerContext) {
    fun register(hook: String, jobTypes: Collection<String>) {
        Identifier.HOOK.require(hook)
        val types = jobTypes.map(Identifier.JOB_TYPE::require).distinct()
        if (types.isEmpty()) return
        context.transactions.runBriefly(LockWait.TOGETHER) { connection ->
            connection.update(context.statements["hook/hook_register"]) {
                text("hook", hook)
                texts("job_types", types)
            }
        }
    }

    fun take(hook: String, jobTypes: Collection<String>, limit: Int, lease: Duration): List<DeadLetterDelivery> {
        requireLimit(limit)
        requireDelay(lease, Duration.ofMillis(1), ErrorCode.INVALID_LEASE_DURATION)
        if (jobTypes.isEmpty()) return emptyList()
        return context.transactions.statement { connection ->
            connection.rows(
                context.statements["hook/hook_take"],
                {
                    texts("job_types", jobTypes.distinct())
                    text("hook", hook)
                    int("limit", limit)
                    long("lease_us", lease.toMicros())
                },
            ) { delivery() }
        }.filterNotNull()
    }

    fun delivered(deliveries: Collection<DeadLetterDelivery>): List<DeadLetterDelivery> {
        if (deliveries.isEmpty()) return emptyList()
        val requested = deliveries.toList()
        val held = context.transactions.statement { connection ->
            connection.rows(
                context.statements["hook/hook_delivered"],
                {
                    texts("hooks", requested.map { it.hook() })
                    uuids("job_ids", requested.map { it.letter().jobId() })
                    ints("run_numbers", requested.map { it.letter().runNumber() })
                },
            ) { getInt("place") }
        }
        return held.map { requested[it - 1] }
    }

    fun postpone(delays: Map<DeadLetterDelivery, Duration>) {
        if (delays.isEmpty()) return
        delays.values.forEach { requireDelay(it, Duration.ZERO, ErrorCode.INVALID_DELAY) }
        val deliveries = delays.keys.toList()
        context.transactions.statement { connection ->
            connection.update(context.statements["hook/hook_postpone"]) {
                texts("hooks", deliveries.map { it.hook() })
                uuids("job_ids", deliveries.map { it.letter().jobId() })
                ints("run_numbers", deliveries.map { it.letter().runNumber() })
                ints("tries", deliveries.map { it.tries() })
                longs("delays_us", deliveries.map { delays.getValue(it).toMicros() })
            }
        }
    }

    fun remove(hook: String): Int = context.transactions.statement { connection ->
        checkNotNull(
            connection.row(context.statements["hook/hook_remove"], { text("hook", hook) }) { getInt("letters") },
        )
    }

    // A row that was changed by hand and cannot be read must not prevent the delivery of the other dead letters.
    private fun ResultSet.delivery(): DeadLetterDelivery? = try {
        DeadLetterDelivery(getString("hook"), getInt("tries"), deadLetter())
    } catch (unreadable: RuntimeException) {
        log.warn(
            "The dead letter of job {} cannot be read, so it is not delivered to hook '{}': correct its row.",
            uuid("job_id"),
            getString("hook"),
            unreadable,
        )
        null
    }

    private companion object {
        val log = LoggerFactory.getLogger(DeliverDeadLetters::class.java)
    }
}
