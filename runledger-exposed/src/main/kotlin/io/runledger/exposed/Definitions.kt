package io.runledger.exposed

import io.runledger.exposed.catalogue.ChangeDefinitions
import io.runledger.exposed.catalogue.SyncDefinitions
import io.runledger.exposed.catalogue.findDefinition
import io.runledger.exposed.catalogue.getDefinition
import io.runledger.exposed.catalogue.jobDefinition
import io.runledger.exposed.json.readRetryPolicy
import io.runledger.exposed.sql.rows
import io.runledger.model.id.Text
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.spec.DefinitionChange
import io.runledger.model.spec.JobType
import io.runledger.model.state.DefinitionSync
import io.runledger.model.state.JobDefinition

/**
 * The job types the ledger knows. They belong to all organizations, so changing them is for the service and its operators.
 *
 * What code declares is stored with its version, and an older version changes nothing: a service of yesterday that starts again
 * does not undo what one of today declared. What an operator says stands beside it and counts, whatever is declared, until it
 * is lifted with [reset]. Reads tell both: [JobDefinition.declared] and the values that count. A type is never deleted: its jobs
 * refer to it.
 *
 * Disabling waits for the enqueues in progress, and enqueues wait for it: once it is committed no job of the type comes in. It
 * is refused with `job_definition.active_schedule_exists` while an active schedule makes jobs of the type, and in a caller's
 * transaction that is not READ COMMITTED with `job_definition.unsupported_isolation`.
 */
public class Definitions internal constructor(private val context: LedgerContext) {
    private val declarations = SyncDefinitions(context)
    private val changes = ChangeDefinitions(context)

    /**
     * Makes [type] known, or brings what is stored up to it: version, attempts, timeout, priority, retry policy and whether new
     * jobs are accepted. A row that says so already is not written, and nothing is written when the stored version is newer.
     * Values that an operator changed stay; what is declared is kept beside them.
     *
     * Raise the version with every change. Under the same version the declaration that comes last counts, so two builds that
     * differ undo each other at each start; [JobDefinition.redeclaredAt] and [DefinitionSync.redeclared] tell.
     */
    public fun declare(type: JobType<*>): JobDefinition = declarations.declare(type)

    /**
     * Declares a whole catalogue as [declare] does, all of it or nothing, in a fixed number of statements. Types that are
     * stored with a newer version are reported as outdated, types that are not in [types] as unused; both are left alone.
     *
     * Refused with `job_definition.empty_job_type_list` when there are none, and with `request.invalid` when one name is
     * declared twice in different ways.
     */
    public fun sync(types: Collection<JobType<*>>): DefinitionSync = declarations.sync(types)

    /**
     * Makes the types named in [among] be exactly [types]: declares these as [sync] does, and disables those of [among] that
     * are not declared, unless an operator enabled them. Types outside [among] are not touched, so that services can share a
     * ledger. What is not declared has no version: to have a retired type decided by versions, declare it as disabled.
     *
     * Refused as [sync] is, with `job_definition.empty_job_type_list` also when [among] is empty, and with `request.invalid`
     * when a declared type is not in it.
     */
    public fun syncExactly(types: Collection<JobType<*>>, among: Collection<String>): DefinitionSync =
        declarations.syncExactly(types, among.toSet())

    /**
     * Accepts new jobs of the type again: lifts a [disable], or stands against code that declares the type as disabled. Nothing
     * happens when it is enabled. Refused with `job.definition_not_found`.
     */
    public fun enable(jobType: String): JobDefinition = changes.enable(jobType)

    /**
     * Refuses new jobs of the type, whatever code declares, until [enable] or [reset]; queued ones still run, and a keyed
     * enqueue still finds its job. Refused with `job.definition_not_found`, and as every disabling is.
     */
    public fun disable(jobType: String): JobDefinition = changes.disable(jobType)

    /**
     * Leaves queued jobs of the type unclaimed; new ones are still accepted, running ones end. Refused with
     * `job.definition_not_found`.
     */
    public fun pause(jobType: String): JobDefinition = changes.pause(jobType, isPaused = true)

    /** Lets jobs of the type be claimed again. Refused with `job.definition_not_found`. */
    public fun resume(jobType: String): JobDefinition = changes.pause(jobType, isPaused = false)

    /**
     * Changes the defaults that [change] names, whatever code declares, until [reset]. Jobs that are queued keep what they were
     * enqueued with, except that the retry policy is that of the type for every job without one of its own. Refused with
     * `job.definition_not_found`.
     */
    public fun change(jobType: String, change: DefinitionChange): JobDefinition = changes.change(jobType, change)

    /**
     * Lifts what operators changed: attempts, timeout, priority, retry policy and whether new jobs are accepted are again what
     * code declared last. A pause stays, for code does not declare it: [resume] ends it. Refused with
     * `job.definition_not_found`, and, when code declares the type as disabled, as every disabling is.
     */
    public fun reset(jobType: String): JobDefinition = changes.reset(jobType)

    /** The type, or null when it is not defined. */
    public fun find(jobType: String): JobDefinition? = context.transactions.statement { context.findDefinition(it, jobType) }

    /** The type. Refused with `job.definition_not_found`. */
    public fun get(jobType: String): JobDefinition = context.transactions.statement { context.getDefinition(it, jobType) }

    /**
     * The types whose name contains [containing], in any case and taken literally; all of them unless given. In order of name.
     */
    @JvmOverloads
    public fun list(containing: String = ""): List<JobDefinition> = context.transactions.statement { connection ->
        connection.rows(context.statements["definition_list"], { text(Text.storable(containing)) }) { jobDefinition() }
    }

    /**
     * How failures of the type's jobs are retried: the stored policy, or the standard one when none is stored. Reads
     * [definition] only. Refused with `job.invalid_retry_policy` when somebody edited it into something that is none.
     */
    public fun retryPolicyOf(definition: JobDefinition): RetryPolicy =
        definition.retryPolicy()?.readRetryPolicy() ?: RetryPolicy.standard()
}
