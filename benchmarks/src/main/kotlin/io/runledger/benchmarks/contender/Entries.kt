package io.runledger.benchmarks.contender

/** Every contender, in the order of the tables. Variants follow the entry whose settings they change. */
val ENTRIES: List<Entry> = listOf(
    RUNLEDGER,
    RUNLEDGER_DEFAULTS,
    RUNLEDGER_BATCHES,
    RUNLEDGER_MEASURED,
    GRAPHILE_WORKER,
    GRAPHILE_WORKER_DELAY_0,
    PG_BOSS,
    PG_BOSS_LARGE_BATCHES,
    PG_BOSS_FLOWS,
    DB_SCHEDULER,
    JOBRUNR,
    QUARTZ,
    DBOS_TRANSACT,
    LEDGER_FLOOR,
    TABLE_FLOOR,
)
