package io.runledger.exposed.worker

import io.runledger.exposed.Ledger
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.context.LedgerContext

/** The part of a ledger that workers use: they claim jobs, keep their leases, settle them and do the housekeeping. */
@WorkerApi
public class WorkerLedger private constructor(context: LedgerContext) {
    /** Claims, leases and settlements of jobs. */
    @get:JvmName("leases")
    public val leases: Leases = Leases(context)

    /** Schedules that are due. */
    @get:JvmName("schedules")
    public val schedules: DueSchedules = DueSchedules(context)

    /** Polls of triggers. */
    @get:JvmName("triggers")
    public val triggers: Triggers = Triggers(context)

    /** Deliveries of dead letters to hooks. */
    @get:JvmName("hooks")
    public val hooks: HookDeliveries = HookDeliveries(context)

    /** The worker's own entry in the list of workers. */
    @get:JvmName("fleet")
    public val fleet: FleetMembership = FleetMembership(context)

    /** Expired gates and active keys of workflow runs. */
    @get:JvmName("upkeep")
    public val upkeep: RunUpkeep = RunUpkeep(context)

    /** Values that a step of a workflow run reads. */
    @get:JvmName("stepInputs")
    public val stepInputs: StepInputs = StepInputs(context)

    /** Hints that jobs are due. */
    @get:JvmName("signals")
    public val signals: WorkerSignals = WorkerSignals(context.signals)

    /** Jobs that the worker starts as its own client enqueues them. */
    @get:JvmName("starts")
    public val starts: DirectStarts = DirectStarts(context.starters)

    public companion object {
        /**
         * The worker's part of [ledger], in the transaction of the caller if [ledger] is one within a transaction. The part of a
         * client always uses transactions of its own, also if the client joins current transactions.
         */
        @JvmStatic
        public fun of(ledger: Ledger): WorkerLedger =
            WorkerLedger(if (ledger is RunledgerClient) ledger.own.context else ledger.context)
    }
}
