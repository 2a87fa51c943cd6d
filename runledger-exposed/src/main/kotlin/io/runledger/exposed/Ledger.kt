package io.runledger.exposed

/**
 * Everything that can be done with a ledger. A [RunledgerClient] does each thing in a short transaction of its own; what
 * [RunledgerClient.within] gives does it in the caller's transaction, which it never commits, never rolls back and never
 * changes the isolation of. A call that is refused leaves the caller's transaction as usable as it was.
 */
public abstract class Ledger internal constructor(context: LedgerContext) {
    /** Enqueue jobs and change what becomes of them. */
    @get:JvmName("jobs")
    public val jobs: Jobs = Jobs(context)

    /** Start workflow runs and change what becomes of them. */
    @get:JvmName("workflows")
    public val workflows: Workflows = Workflows(context)

    /** What workers do with the jobs they hold. */
    @get:JvmName("leases")
    public val leases: Leases = Leases(context)

    /** What makes jobs and starts workflow runs by the clock. */
    @get:JvmName("schedules")
    public val schedules: Schedules = Schedules(context)

    /** What workers do with the functions they poll. */
    @get:JvmName("triggers")
    public val triggers: Triggers = Triggers(context)

    /** Who works, and orders to them. */
    @get:JvmName("workers")
    public val workers: Workers = Workers(context)

    /** Forget what is old. */
    @get:JvmName("retention")
    public val retention: Retention = Retention(context)

    /** The job types, and what operators do with them. */
    @get:JvmName("definitions")
    public val definitions: Definitions = Definitions(context)

    /** Settings documents for handlers. */
    @get:JvmName("configs")
    public val configs: RuntimeConfigs = RuntimeConfigs(context)

    /** What was said about jobs. */
    @get:JvmName("logs")
    public val logs: JobLogs = JobLogs(context)

    /** Dead letters for those who want to be told of them. */
    @get:JvmName("hooks")
    public val hooks: DeadLetterHooks = DeadLetterHooks(context)

    /** Numbers for dashboards and alerts. */
    @get:JvmName("metrics")
    public val metrics: Metrics = Metrics(context)
}

/** A ledger inside a transaction of the caller's. */
internal class JoinedLedger(context: LedgerContext) : Ledger(context)
