package io.runledger.exposed.schema

/**
 * What went with a ledger that was dropped.
 *
 * @property schema where it was
 * @property unfinishedJobs how many jobs had not ended, those that workers held among them
 * @property runningJobs how many jobs workers held
 * @property unfinishedRuns how many workflow runs had not ended
 */
public data class DroppedLedger(
    @get:JvmName("schema") public val schema: String,
    @get:JvmName("unfinishedJobs") public val unfinishedJobs: Long,
    @get:JvmName("runningJobs") public val runningJobs: Long,
    @get:JvmName("unfinishedRuns") public val unfinishedRuns: Long,
)
