package io.runledger.coroutines.port

import io.runledger.exposed.worker.Triggers
import io.runledger.exposed.worker.WorkerApi
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.ScheduleFire
import io.runledger.model.schedule.TakenPoll
import java.time.Duration

/** Polls triggers. */
internal interface TriggerPort {
    suspend fun registerTrigger(trigger: String, every: Duration)

    suspend fun untilNextPoll(trigger: String): Duration?

    suspend fun takePoll(trigger: String, lease: Duration): TakenPoll?

    suspend fun settlePoll(poll: TakenPoll, result: PollResult): List<ScheduleFire>

    suspend fun failPoll(poll: TakenPoll, reason: String): List<ScheduleFire>

    suspend fun releasePoll(poll: TakenPoll)
}

@OptIn(WorkerApi::class)
internal class LedgerTriggers(private val ledger: Triggers, private val lanes: Lanes) : TriggerPort {
    override suspend fun registerTrigger(trigger: String, every: Duration) {
        lanes.housekeeping { ledger.register(trigger, every) }
    }

    override suspend fun untilNextPoll(trigger: String) = lanes.housekeeping { ledger.untilNextPoll(listOf(trigger)) }

    override suspend fun takePoll(trigger: String, lease: Duration) =
        lanes.housekeeping { ledger.take(listOf(trigger), lease).singleOrNull() }

    override suspend fun settlePoll(poll: TakenPoll, result: PollResult) = lanes.housekeeping { ledger.settle(poll, result) }

    override suspend fun failPoll(poll: TakenPoll, reason: String) = lanes.housekeeping { ledger.fail(poll, reason) }

    override suspend fun releasePoll(poll: TakenPoll) {
        lanes.housekeeping { ledger.release(poll) }
    }
}
