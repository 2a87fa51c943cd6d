package io.runledger.exposed

import io.runledger.exposed.await.AwaitRuns
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.Operator

/**
 * All operations of a ledger. A [RunledgerClient] runs each operation in a short transaction of its own, or in the current one if
 * it was built with a [CurrentTransaction]. The result of [RunledgerClient.within] runs it in the caller's transaction. A joined
 * operation never commits, rolls back or changes the isolation level. After a refused call, the caller's transaction is still
 * usable.
 */
public abstract class Ledger internal constructor(
    @get:JvmSynthetic internal val context: LedgerContext,
    private val awaits: AwaitRuns,
) {
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

    /** The limits of jobs, and their use. */
    @get:JvmName("limits")
    public val limits: Limits = Limits(context)

    /** The named queues. */
    @get:JvmName("queues")
    public val queues: Queues = Queues(context)

    /** The weights of shares. */
    @get:JvmName("shares")
    public val shares: Shares = Shares(context)

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

    /** The recorded actions of operators, and their undo. */
    @get:JvmName("audit")
    public val audit: Audit = Audit(context)

    /**
     * The same ledger for an operator. What it changes is recorded with the name of the [actor], in the transaction of the
     * change: read it with [audit]. Without an actor nothing is recorded, because the calls of a service are not an operator's.
     * The name is not checked against anything; the caller knows who the user is.
     *
     * Recorded are new jobs and runs, and the changes of jobs, runs, gates, schedules, workers, job types, limits, queues and
     * weights by hand, but not
     * declarations by code, runtime configs and retention. The calls need the right to write `operator_actions`, which of the
     * roles in `roles.sql` the operator has. Refused with `request.invalid` if the name is blank or longer than 255 bytes.
     */
    public fun actingAs(actor: String): Ledger = LedgerView(context.actingAs(Operator(actor, null)), awaits)

    /**
     * [actingAs] for one call, which can be repeated with the same [key]: if an action with this key was recorded before, whether
     * or not it has ended, the call changes nothing and is refused with `operator.action_repeated`
     * ([io.runledger.model.error.ActionRepeatedException]). Keys are unique in the ledger. A refused call records nothing, so its
     * key stays free. Refused with `request.invalid` if the key is blank or longer than 512 bytes.
     */
    public fun actingAs(actor: String, key: String): Ledger = LedgerView(context.actingAs(Operator(actor, key)), awaits)
}

/** A ledger with the transactions of its context: the caller's transaction, or the ledger's own. */
internal class LedgerView(context: LedgerContext, awaits: AwaitRuns) : Ledger(context, awaits)
