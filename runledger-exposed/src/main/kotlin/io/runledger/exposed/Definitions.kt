package io.runledger.exposed

import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.definition.ChangeDefinitions
import io.runledger.exposed.definition.SyncDefinitions
import io.runledger.exposed.definition.findDefinition
import io.runledger.exposed.definition.getDefinition
import io.runledger.exposed.definition.jobDefinition
import io.runledger.exposed.json.readRetryPolicy
import io.runledger.exposed.sql.rows
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.definition.DefinitionSync
import io.runledger.model.definition.JobDefinition
import io.runledger.model.job.JobType
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.text.Text

/**
 * The job types of the ledger. All organizations share them, so only the service and its operators should change them.
 *
 * Code declares a type with a version. A declaration with an older version changes nothing, so an old instance of a service
 * that restarts does not undo the declaration of a newer one. Changes by an operator are stored separately and take precedence
 * over every declaration until [reset]. Reads return both: [JobDefinition.declared] and the effective values. A type is never
 * deleted, because its jobs refer to it.
 *
 * The reason of a change is stored with the action of an operator ([Ledger.actingAs]) and nowhere else.
 *
 * Disabling waits for enqueues in progress, and new enqueues wait for it: after the commit, no job of the type is accepted. It
 * is refused with `job_definition.active_schedule_exists` while an active schedule creates jobs of the type, and with
 * `job_definition.unsupported_isolation` in a joined transaction that is not READ COMMITTED.
 */
public class Definitions internal constructor(private val context: LedgerContext) {
    private val declarations = SyncDefinitions(context)
    private val changes = ChangeDefinitions(context)

    /**
     * Stores [type], or updates the stored type: version, attempts, timeout, priority, retry policy and whether new jobs are
     * accepted. If nothing differs, or if the stored version is newer, nothing is written. Values that an operator changed
     * stay in effect; the declared values are stored beside them.
     *
     * Raise the version with every change. If two builds declare different values under the same version, the last declaration
     * wins, so each start of one build undoes the other. [JobDefinition.redeclaredAt] and [DefinitionSync.redeclared] show
     * this.
     */
    public fun declare(type: JobType<*>): JobDefinition = declarations.declare(type)

    /**
     * Declares all [types] as [declare] does, in one transaction and with a fixed number of statements. Types that are stored
     * with a newer version are reported as outdated, and types that are not in [types] as unused. Neither are changed.
     *
     * Refused with `job_definition.empty_job_type_list` if [types] is empty, and with `request.invalid` if a name is declared
     * twice with different values.
     */
    public fun sync(types: Collection<JobType<*>>): DefinitionSync = declarations.sync(types)

    /**
     * Declares [types] as [sync] does, and disables the other types named in [among], unless an operator enabled them. Types
     * outside [among] are not changed, so that several services can share a ledger. A type that is not declared has no
     * version. To let versions decide about a retired type, declare it as disabled.
     *
     * Refused as [sync] is, with `job_definition.empty_job_type_list` also if [among] is empty, and with `request.invalid` if
     * a declared type is not in [among].
     */
    public fun syncExactly(types: Collection<JobType<*>>, among: Collection<String>): DefinitionSync =
        declarations.syncExactly(types, among.toSet())

    /**
     * Accepts new jobs of the type again. This reverts [disable], and overrides code that declares the type as disabled. If
     * the type is enabled, nothing changes. Refused with `job.definition_not_found`.
     */
    @JvmOverloads
    public fun enable(jobType: String, reason: String? = null): JobDefinition = changes.enable(jobType, reason)

    /**
     * Refuses new jobs of the type until [enable] or [reset], whatever code declares. Queued jobs still run, and an enqueue
     * with the idempotency key of an existing job still returns that job. Refused with `job.definition_not_found`, and as
     * described for disabling above.
     */
    @JvmOverloads
    public fun disable(jobType: String, reason: String? = null): JobDefinition = changes.disable(jobType, reason)

    /**
     * Stops claims of the type's jobs. New jobs are still accepted, and running jobs finish. Refused with
     * `job.definition_not_found`.
     */
    @JvmOverloads
    public fun pause(jobType: String, reason: String? = null): JobDefinition = changes.pause(jobType, isPaused = true, reason)

    /** Allows claims of the type's jobs again. Refused with `job.definition_not_found`. */
    @JvmOverloads
    public fun resume(jobType: String, reason: String? = null): JobDefinition = changes.pause(jobType, isPaused = false, reason)

    /**
     * Overrides the defaults that [change] names until [reset], whatever code declares. Queued jobs keep the values they were
     * enqueued with. The exception is the retry policy: a job without its own policy always uses that of its type. Refused
     * with `job.definition_not_found`.
     */
    @JvmOverloads
    public fun change(jobType: String, change: DefinitionChange, reason: String? = null): JobDefinition =
        changes.change(jobType, change, reason)

    /**
     * Removes the changes of operators. Attempts, timeout, priority, retry policy and whether new jobs are accepted return to
     * the last declaration. A pause stays, because code does not declare it; [resume] ends it. Refused with
     * `job.definition_not_found`, and, if code declares the type as disabled, as described for disabling above.
     */
    @JvmOverloads
    public fun reset(jobType: String, reason: String? = null): JobDefinition = changes.reset(jobType, reason)

    /** The type, or null if it is not defined. */
    public fun find(jobType: String): JobDefinition? = context.transactions.statement { context.findDefinition(it, jobType) }

    /** The type. Refused with `job.definition_not_found`. */
    public fun get(jobType: String): JobDefinition = context.transactions.statement { context.getDefinition(it, jobType) }

    /**
     * The types whose name contains [containing], in order of name. The match is literal and ignores case. By default, all
     * types. The list is not paged: its length is the number of types that code has declared.
     */
    @JvmOverloads
    public fun list(containing: String = ""): List<JobDefinition> = context.transactions.statement { connection ->
        connection.rows(context.statements["definition/definition_list"], {
            text("containing", Text.storable(containing))
        }) { jobDefinition() }
    }

    /**
     * The retry policy of the type's jobs: the stored policy, or the standard policy if none is stored. Reads only
     * [definition]. Refused with `job.invalid_retry_policy` if the stored policy was edited by hand and is not valid.
     */
    public fun retryPolicyOf(definition: JobDefinition): RetryPolicy =
        definition.effective().retryPolicy()?.readRetryPolicy() ?: RetryPolicy.standard()
}
