package io.runledger.coroutines.crash

import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import kotlinx.coroutines.awaitCancellation
import java.time.Duration

/** A worker whose jobs fail at once, and whose hook prints the dead letter that it received and never returns. */
object HookingProgram {
    @JvmStatic
    fun main(arguments: Array<String>) {
        RunledgerWorker.builder(RunledgerClient.create(doomedPool(size = 5)))
            .handlers(handlers { on(wait) { JobOutcome.failed("test.broken", "It is broken.") } })
            .config(quick { hookTimeout(Duration.ofSeconds(1)).stopGrace(Duration.ofMillis(1)) })
            .onDeadLetter("pager") { letter ->
                DoomedJvm.say("handed ${letter.jobId()}")
                awaitCancellation()
            }
            .start()
        DoomedJvm.listen()
    }
}
