package io.runledger.exposed.catalogue

import io.runledger.exposed.TestLedger
import java.time.Duration

/** Returns once some session of the ledger's database waits for a lock. */
internal fun TestLedger.awaitLockWait() {
    val deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos()
    val waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while (rows(waiting).isEmpty()) check(System.nanoTime() < deadline) { "No session waits for a lock." }
}
