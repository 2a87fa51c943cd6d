package io.runledger.coroutines

import io.runledger.exposed.RunledgerClient

/** Says what the worker of each ledger is made of that a [SharedWorker] serves. */
public fun interface LedgerEquipment {
    /**
     * Gives [worker] its handlers and whatever else it needs for [ledger]; called once whenever a ledger begins to be served, for
     * different ledgers possibly at the same time.
     */
    public fun equip(worker: RunledgerWorker.Builder, ledger: RunledgerClient)
}
