package io.runledger.exposed

import io.runledger.exposed.await.AwaitRuns
import io.runledger.exposed.context.LedgerContext

/**
 * All operations of a ledger. A [RunledgerClient] runs each operation in a short transaction of its own, or in the current one if
 * it was built with a [CurrentTransaction]. The result of [RunledgerClient.within] runs it in the caller's transaction. A joined
 * operation never commits, rolls back or changes the isolation level. After a refused call, the caller's transaction is still
 * usable.
 */
public abstract class Ledger internal constructor(@get:JvmSynthetic internal val context: LedgerContext, awaits: AwaitRuns) {
    /** Enqueues, reads and changes jobs. */
    @get:JvmName("jobs")
    public val jobs: Jobs = Jobs(context)

    /** Starts, reads and changes workflow runs. */
    @get:JvmName("workflows")
    public val workflows: Workflows = Workflows(context, awaits)

    /** Schedules that create jobs and start workflow runs. */
    @get:JvmName("schedules")
    public val schedules: Schedules = Schedules(context)

    /** The registered workers, and orders to them. */
    @get:JvmName("workers")
    public val workers: Workers = Workers(context)

    /** Deletes old data. */
    @get:JvmName("retention")
    public val retention: Retention = Retention(context)

    /** The job types and their settings. */
    @get:JvmName("definitions")
    public val definitions: Definitions = Definitions(context)

    /** Runtime configs for handlers. */
    @get:JvmName("configs")
    public val configs: RuntimeConfigs = RuntimeConfigs(context)

    /** The logs of jobs. */
    @get:JvmName("logs")
    public val logs: JobLogs = JobLogs(context)

    /** The registered dead-letter hooks. */
    @get:JvmName("hooks")
    public val hooks: DeadLetterHooks = DeadLetterHooks(context)

    /** Metrics for dashboards and alerts. */
    @get:JvmName("metrics")
    public val metrics: Metrics = Metrics(context)
}

/** A ledger with the transactions of its context: the caller's transaction, or the ledger's own. */
internal class LedgerView(context: LedgerContext, awaits: AwaitRuns) : Ledger(context, awaits)
