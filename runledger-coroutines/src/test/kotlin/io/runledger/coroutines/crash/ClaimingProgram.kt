package io.runledger.coroutines.crash

import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import java.time.Duration

/** A worker whose process ends at the moment when the server has run its first claim. */
object ClaimingProgram {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val losing = LosingDataSource(doomedPool(size = 5)) {
            Runtime.getRuntime().halt(0)
            true
        }
        RunledgerWorker.builder(RunledgerClient.create(losing.dataSource))
            .handlers(handlers { on(wait) { DoomedJvm.say("started ${it.jobId()}") } })
            .config(quick { workerId("doomed").lease(Duration.ofSeconds(2)) })
            .start()
        DoomedJvm.listen()
    }
}
