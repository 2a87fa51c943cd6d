package io.runledger.benchmarks.contender

/** All contenders, in the order of the tables. */
val ENTRIES: List<Entry> = listOf(
    RUNLEDGER,
    GRAPHILE_WORKER,
    PG_BOSS,
    DB_SCHEDULER,
    JOBRUNR,
    QUARTZ,
    DBOS_TRANSACT,
    LEDGER_FLOOR,
    TABLE_FLOOR,
)
