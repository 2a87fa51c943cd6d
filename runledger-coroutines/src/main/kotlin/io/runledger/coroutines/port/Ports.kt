package io.runledger.coroutines.port

import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.worker.WorkerApi
import io.runledger.exposed.worker.WorkerLedger

/** The ledger operations of a worker's loops, one port per concern. */
internal class Ports(
    val claims: ClaimPort,
    val settlements: SettlePort,
    val leases: LeasePort,
    val housekeeping: HousekeepingPort,
    val hooks: HookPort,
    val triggers: TriggerPort,
    val fleet: FleetPort,
    val hints: HintPort,
    val starts: StartPort,
) {
    companion object {
        @OptIn(WorkerApi::class)
        fun of(client: RunledgerClient, calls: Calls = Calls()): Ports {
            val ledger = WorkerLedger.of(client)
            val own = client.inOwnTransactions()
            val lanes = Lanes(calls)
            return Ports(
                LedgerClaims(ledger.leases, lanes),
                LedgerSettlements(ledger.leases, own.jobs, lanes),
                LedgerLeases(ledger.leases, lanes),
                LedgerHousekeeping(ledger, own.retention, lanes),
                LedgerHooks(ledger.hooks, lanes),
                LedgerTriggers(ledger.triggers, lanes),
                LedgerFleet(ledger.fleet, lanes),
                LedgerHints(ledger.signals),
                LedgerStarts(ledger.starts),
            )
        }
    }
}
