package io.runledger.samples.demo

import io.runledger.coroutines.RunledgerWorker
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.handlers
import io.runledger.exposed.RunledgerClient
import io.runledger.model.render.WorkflowGraph
import io.runledger.model.run.JobOutcome
import io.runledger.model.spec.ClaimRequest
import io.runledger.model.state.Scope
import io.runledger.model.state.StepEvent
import io.runledger.model.state.WorkflowRunStatus
import io.runledger.samples.OrderDesk
import io.runledger.samples.OrderJobs
import java.time.Duration
import java.time.ZoneId
import java.util.UUID

data class Receipt(val order: String, val cents: Long)

data class Parcel(val order: String, val tracking: String)

/** One order, from charge to parcel: a worker that vanishes, a failure that is tried again, a person who approves. */
internal class OrderRun(private val client: RunledgerClient) {
    private val desk = OrderDesk(client)

    private val orderHandlers = handlers {
        on(OrderJobs.charge) { job -> Receipt(job.payload().order, job.payload().cents) }
        on(OrderJobs.pick) { job ->
            if (job.payload().item == "shade" && job.attempt() == 1) {
                JobOutcome.retry("warehouse.busy", "Aisle 7 is blocked.")
            } else {
                JobOutcome.succeeded()
            }
        }
        on(OrderJobs.ship) { job -> Parcel(job.payload().order, "RL-${job.payload().order}") }
        on(OrderJobs.refund) { }
    }

    fun show() {
        client.definitions.sync(orderHandlers.jobTypes)
        val run = desk.start("A-1001", cents = 4_990, items = listOf("lamp", "shade", "bulb"))
        client.leases.claim(ClaimRequest.of(listOf(OrderJobs.charge.name()), "worker-that-vanishes", Duration.ofSeconds(1), 1))
        println("A worker claimed 'charge' and vanished. Another one starts and takes over when the lease has run out.\n")
        val worker = RunledgerWorker.builder(client).handlers(orderHandlers).config(
            WorkerConfig.builder().workerId("worker-2").reaperInterval(Duration.ofMillis(500))
                .reaperRetryDelay(Duration.ofMillis(100)).build(),
        ).start()
        worker.use { follow(run) }

        val parcel = client.workflows.awaitResult(Scope.global(), run, Parcel::class.java).join()
        println("\nThe run's result: $parcel\n")
        println(desk.picture(run))
        charge(run)
    }

    /** Prints what the ledger tells while it happens, and approves when the gate opens. */
    private fun follow(run: UUID) {
        var told = 0L
        var isApproved = false
        do {
            val status = client.workflows.get(Scope.global(), run).status()
            client.workflows.events(Scope.global(), run, told).forEach { event ->
                tell(event)
                told = event.number()
            }
            if (status == WorkflowRunStatus.WAITING_FOR_EXTERNAL && !isApproved) {
                println("            … the run waits for a person; Ada approves")
                desk.approve(run, "Ada")
                isApproved = true
            }
            Thread.sleep(POLL)
        } while (!status.isTerminal)
    }

    private fun tell(event: StepEvent) =
        println("  %tT.%<tL  %-12s %s".format(event.occurredAt().atZone(ZoneId.systemDefault()), event.stepKey(), event.type()))

    private fun charge(run: UUID) {
        val job = client.workflows.step(Scope.global(), run, "charge")!!.job()!!.jobId()!!
        println("The attempts of 'charge', as the ledger tells them:")
        client.jobs.story(Scope.global(), job).attempts().forEach { attempt ->
            println("  attempt ${attempt.attempt()} by ${attempt.workerId()}: ${attempt.outcome()}")
        }
    }

    private companion object {
        const val POLL = 50L
    }
}
