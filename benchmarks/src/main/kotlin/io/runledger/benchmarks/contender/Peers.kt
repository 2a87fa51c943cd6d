package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase

/** The work of a job for contenders with a thread per job. */
internal fun Task.runOnThread() {
    onJob()
    if (waitMillis > 0) Thread.sleep(waitMillis)
}

/** Lets the driver send the rows of a JDBC batch in few statements, for contenders that insert in batches. */
internal fun BenchDatabase.rewritingBatches() = BenchDatabase("$jdbcUrl?reWriteBatchedInserts=true", user, password)
