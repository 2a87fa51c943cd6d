package io.runledger.exposed.lifecycle

/**
 * The data that was lost with a dropped ledger.
 *
 * @property schema the schema of the ledger
 * @property unfinishedJobs the number of jobs that had not ended, including those that workers held
 * @property runningJobs the number of jobs that workers held
 * @property unfinishedRuns the number of workflow runs that had not ended
 */
public data class DroppedLedger(
    @get:JvmName("schema") public val schema: String,
    @get:JvmName("unfinishedJobs") public val unfinishedJobs: Long,
    @get:JvmName("runningJobs") public val runningJobs: Long,
    @get:JvmName("unfinishedRuns") public val unfinishedRuns: Long,
)
