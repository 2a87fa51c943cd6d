package io.runledger.coroutines.worker

import io.runledger.exposed.RunledgerClient

/** Configures the worker of each ledger that a [SharedWorker] serves. */
public fun interface LedgerEquipment {
    /**
     * Gives [worker] its handlers and other settings for [ledger]. Called once each time a ledger starts to be served; calls for
     * different ledgers may run concurrently.
     */
    public fun equip(worker: RunledgerWorker.Builder, ledger: RunledgerClient)
}
