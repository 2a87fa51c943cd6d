package io.runledger.exposed.settle

import io.runledger.exposed.sql.isAboutARow
import io.runledger.model.error.RunledgerException
import io.runledger.model.state.SettledJob
import io.runledger.model.state.SettledJob.Result
import java.util.UUID

/**
 * Settles [endings] all at once through [write], a transaction of its own, or, when the database refuses a row, by ever smaller
 * parts, until the refused ones stand alone. Answers by lease id.
 */
internal fun settleEach(endings: List<Ending>, write: (List<Ending>) -> Map<UUID, SettledJob>): Map<UUID, SettledJob> = try {
    if (endings.isEmpty()) emptyMap() else write(endings)
} catch (refusal: RunledgerException) {
    when {
        !refusal.isAboutARow() -> throw refusal
        endings.size == 1 -> refused(endings, refusal)
        else -> endings.chunked((endings.size + 1) / 2).fold(emptyMap()) { settled, half -> settled + settleHalf(half, write) }
    }
}

// The other half may be written already: what goes wrong now must not hide that.
private fun settleHalf(half: List<Ending>, write: (List<Ending>) -> Map<UUID, SettledJob>): Map<UUID, SettledJob> = try {
    settleEach(half, write)
} catch (refusal: RunledgerException) {
    refused(half, refusal)
}

private fun refused(endings: List<Ending>, refusal: RunledgerException) =
    endings.associate { it.lease.leaseId() to SettledJob(it.lease, Result.REFUSED, null, refusal) }
