package io.runledger.console.action

import io.runledger.console.Console
import io.runledger.console.ConsoleBench
import io.runledger.coroutines.handlers
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.job.Job
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorAction
import java.time.Duration
import java.util.UUID

/** A console with jobs in the states that actions need. */
class ActionBench(settings: Console.Builder.() -> Unit = {}) : AutoCloseable {
    val bench = ConsoleBench(settings)
    val client get() = bench.client

    init {
        client.definitions.sync(listOf(mail, failing))
    }

    fun waiting(payload: String = "{\"to\":\"ada\"}", delay: Duration = Duration.ZERO, organization: UUID? = null): UUID {
        val request = JobRequest.builder(mail.name(), Json.of(payload)).delay(delay)
        organization?.let { request.organization(it) }
        return client.jobs.enqueue(request.build()).id()
    }

    fun running(): UUID = waiting().also {
        WorkerLedger.of(client).leases.claim(ClaimRequest.of(listOf(mail.name()), "w1", Duration.ofMinutes(5), 1))
    }

    fun succeeded(): UUID = waiting().also { bench.ledger.work(handlers { on(mail) { } }) }

    fun deadLetter(): UUID = client.jobs.enqueue(failing, Json.of("{}")).id().also { giveUp() }

    /** Runs all jobs of the type [failing], which fails each of them. */
    fun giveUp() {
        bench.ledger.work(handlers { on(failing) { error("The server of the mail is down.") } })
    }

    fun canceled(): UUID = waiting().also { client.jobs.cancel(Scope.everything(), it) }

    fun job(id: UUID): Job = client.jobs.get(Scope.everything(), id)

    /** The recorded actions, newest first. */
    fun audit(): List<OperatorAction> = client.audit.list(Scope.everything(), AuditQuery.all()).items()

    override fun close() = bench.close()

    companion object {
        val mail: JobType<Json> = JobType.json("mail.send")
        val failing: JobType<Json> = JobType.builder("mail.fail", Json::class.java).maxAttempts(1).build()
    }
}
