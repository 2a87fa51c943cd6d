package io.runledger.coroutines.port

import io.runledger.exposed.worker.HookDeliveries
import io.runledger.exposed.worker.WorkerApi
import io.runledger.model.lease.DeadLetterDelivery
import java.time.Duration

/** Delivers dead letters to hooks. */
internal interface HookPort {
    suspend fun registerHook(hook: String, jobTypes: List<String>)

    suspend fun takeLetters(hook: String, jobTypes: List<String>, limit: Int, lease: Duration): List<DeadLetterDelivery>

    /** Returns the deliveries that another session holds, for which the caller repeats the call. */
    suspend fun lettersDelivered(deliveries: List<DeadLetterDelivery>): List<DeadLetterDelivery>

    suspend fun postponeLetters(delays: Map<DeadLetterDelivery, Duration>)
}

@OptIn(WorkerApi::class)
internal class LedgerHooks(private val ledger: HookDeliveries, private val lanes: Lanes) : HookPort {
    override suspend fun registerHook(hook: String, jobTypes: List<String>) =
        lanes.housekeeping { ledger.register(hook, jobTypes) }

    override suspend fun takeLetters(hook: String, jobTypes: List<String>, limit: Int, lease: Duration) =
        lanes.housekeeping { ledger.take(hook, jobTypes, limit, lease) }

    override suspend fun lettersDelivered(deliveries: List<DeadLetterDelivery>) =
        lanes.housekeeping { ledger.delivered(deliveries) }

    override suspend fun postponeLetters(delays: Map<DeadLetterDelivery, Duration>) =
        lanes.housekeeping { ledger.postpone(delays) }
}
