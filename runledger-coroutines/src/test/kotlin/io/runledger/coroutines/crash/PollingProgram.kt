package io.runledger.coroutines.crash

import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import kotlinx.coroutines.awaitCancellation
import java.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A worker whose trigger prints that it was polled and never returns. */
object PollingProgram {
    @JvmStatic
    fun main(arguments: Array<String>) {
        RunledgerWorker.builder(RunledgerClient.create(doomedPool(size = 5)))
            .config(quick { triggerTimeout(Duration.ofSeconds(3)).stopGrace(Duration.ofMillis(1)) })
            .trigger("files", every = 1.seconds) {
                DoomedJvm.say("polled")
                awaitCancellation()
            }
            .start()
        DoomedJvm.listen()
    }
}
