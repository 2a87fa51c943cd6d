package io.runledger.samples.demo

import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.history.WorkflowStory
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowStepStatus
import io.runledger.postgres.PostgresDatabase
import io.runledger.samples.OrderDesk
import io.runledger.samples.OrderJobs
import io.runledger.samples.Receipt
import kotlinx.coroutines.delay
import java.util.UUID
import kotlin.time.Duration.Companion.milliseconds

/** One order, from charge to parcel: a person approves it, a step is retried, a process is killed and another takes over. */
internal class OrderRun(private val client: RunledgerClient, private val database: PostgresDatabase, private val stage: Stage) {
    private val desk = OrderDesk(client)

    /** A suspending handler in Kotlin, a blocking one in Java. */
    private val office = handlers {
        on(OrderJobs.charge) { job ->
            delay(800.milliseconds)
            Receipt(job.payload().order, job.payload().cents)
        }
        blocking(OrderJobs.ship, ShippingDesk())
        on(OrderJobs.refund) { }
    }

    fun play(): WorkflowStory {
        client.definitions.sync(office.jobTypes + Warehouse.handlers.jobTypes)
        val doomed = WarehouseProcess.start("warehouse-1", database)
        val worker = RunledgerWorker.builder(client).handlers(office)
            .config { it.workerId("office") }.start()
        val run = desk.start(ORDER, cents = 4_990, items = listOf("lamp", "shade", "bulb"))
        doomed.use {
            worker.use {
                follow(run) { story -> story.status("approval") == WorkflowStepStatus.WAITING_FOR_EXTERNAL }
                stage.tell("The run waits for a person, and holds no thread and no connection. Ada looks at the order …")
                pause(run)
                desk.approve(run, "Ada")
                stage.tell("Ada approves.")
                follow(run) { story -> done(story, "pick-lamp") >= KILLED_AT }
                doomed.kill()
                stage.tell(
                    "kill -9: warehouse-1 is gone, its jobs half done. warehouse-2 gets them when the leases run out.",
                )
                Warehouse.open(client, "warehouse-2").use { follow(run) { it.run().isTerminal } }
            }
        }
        return client.workflows.story(Scope.global(), run)
    }

    /** Shows the state of the ledger continuously, until [isEnough]. */
    private fun follow(run: UUID, isEnough: (WorkflowStory) -> Boolean) {
        do {
            val story = client.workflows.story(Scope.global(), run)
            val working = story.steps().filter { it.status() == WorkflowStepStatus.RUNNING }.map { it.stepKey() }
            stage.show(story, working.associateWith { done(story, it) }.filterValues { it > 0 })
            Thread.sleep(FRAME_MILLIS)
        } while (!isEnough(story))
    }

    private fun pause(run: UUID) {
        var frames = 0
        follow(run) { ++frames > FRAMES_TO_THINK }
    }

    private fun done(story: WorkflowStory, key: String): Double {
        val job = story.steps().first { it.stepKey() == key }.job()?.jobId() ?: return 0.0
        val progress = client.jobs.get(Scope.global(), job).progress()
        return (progress.done() ?: 0).toDouble() / (progress.total() ?: 1)
    }

    private fun WorkflowStory.status(key: String) = steps().first { it.stepKey() == key }.status()

    companion object {
        const val ORDER = "A-1001"
        private const val KILLED_AT = 0.4
        private const val FRAME_MILLIS = 80L
        private const val FRAMES_TO_THINK = 15
    }
}
