package io.runledger.exposed.lifecycle

/** The data that may be lost when a ledger is dropped. Each value includes the ones before it. */
public enum class Destroying {
    /** Ended jobs and runs, definitions, schedules, settings. */
    HISTORY,

    /** Also jobs and runs that have not ended and that no worker holds. */
    UNFINISHED_JOBS,

    /** Also jobs that workers hold at this moment. The results of their handlers are lost. */
    RUNNING_JOBS,
}
