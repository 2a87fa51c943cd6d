package io.runledger.coroutines.crash

import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.worker.SharedWorker
import io.runledger.exposed.Ledgers
import kotlinx.coroutines.awaitCancellation
import java.time.Duration

/** One worker of two ledgers, with places for two jobs of each, whose handlers begin and do not end. */
object SharingProgram {
    val schemas = listOf("acme", "globex")

    @JvmStatic
    fun main(arguments: Array<String>) {
        val ledgers = Ledgers.of(doomedPool(size = 20))
        val worker = SharedWorker.start(places = 4) { worker, ledger ->
            val waiting = handlers {
                on(wait) { job ->
                    DoomedJvm.say("${job.payload()} in ${ledger.schema}")
                    awaitCancellation()
                }
            }
            worker.handlers(waiting)
                .config(quick { workerId("doomed").maxConcurrency(2).lease(Duration.ofSeconds(2)) })
        }
        schemas.forEach { worker.serve(ledgers.client(it)) }
        DoomedJvm.listen()
    }
}
