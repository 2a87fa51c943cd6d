package io.runledger.exposed.schema

/** What a ledger may be dropped with. Each allows what the one before it allows. */
public enum class Destroying {
    /** Ended jobs and runs, definitions, schedules, settings. */
    HISTORY,

    /** Also jobs and runs that have not ended and that no worker holds. */
    UNFINISHED_JOBS,

    /** Also jobs that workers hold at this moment: what their handlers did is written down nowhere. */
    RUNNING_JOBS,
}
