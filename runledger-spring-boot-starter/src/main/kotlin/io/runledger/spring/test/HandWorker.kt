package io.runledger.spring.test

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.WorkerReport
import io.runledger.test.TestLedger
import java.time.Duration

/** Runs the jobs of a test's ledger with the handlers of the application, when the test says so. */
public class HandWorker internal constructor(private val ledger: TestLedger, private val handlers: Handlers) {
    /** Works until no job is running or due, and returns a report; see `TestLedger.work`. */
    @JvmOverloads
    public fun work(patience: Duration = Duration.ofMinutes(1)): WorkerReport = ledger.work(handlers, patience)

    /** Lets [time] pass, so that what becomes due within it is due now, and works; see `TestLedger.advance`. */
    public fun workAfter(time: Duration): WorkerReport {
        ledger.advance(time)
        return work()
    }
}
