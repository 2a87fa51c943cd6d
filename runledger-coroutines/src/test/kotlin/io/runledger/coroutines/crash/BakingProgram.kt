package io.runledger.coroutines.crash

import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.stepMachine
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobType
import kotlinx.coroutines.awaitCancellation
import java.time.Duration

internal sealed interface Baking {
    data object Knead : Baking

    data class Bake(val loaves: Int) : Baking
}

internal val baking = JobType.of("baking", Baking::class.java)

/** A worker whose machine stops at its oven step. */
object BakingProgram {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val machine = stepMachine(baking) {
            on<Baking.Knead> { goTo(Baking.Bake(loaves = 12)) }
            on<Baking.Bake> {
                DoomedJvm.say("bakes")
                awaitCancellation()
            }
        }
        RunledgerWorker.builder(RunledgerClient.create(doomedPool(size = 5)))
            .handlers(handlers { machine(machine) })
            .config(quick { workerId("doomed").lease(Duration.ofSeconds(2)) })
            .start()
        DoomedJvm.listen()
    }
}
