package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase

/** What a job does where each has a thread of its own. */
internal fun Task.runOnThread() {
    onJob()
    if (waitMillis > 0) Thread.sleep(waitMillis)
}

/** Lets the driver send the rows of a JDBC batch in few statements, for those who insert in batches. */
internal fun BenchDatabase.rewritingBatches() = BenchDatabase("$jdbcUrl?reWriteBatchedInserts=true", user, password)
