package io.runledger.coroutines

import io.kotest.core.spec.Spec
import io.kotest.matchers.collections.shouldBeEmpty
import io.runledger.exposed.Ledgers
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobType
import java.util.UUID

/** The tenants of one database, each with a ledger of its own. */
class Tenants(val ledger: TestLedger) : AutoCloseable {
    val ledgers: Ledgers = Ledgers.of(ledger.pool)

    fun tenant(schema: String, vararg types: JobType<*>): RunledgerClient {
        ledgers.create(schema)
        return ledgers.client(schema).apply { definitions.sync(types.toList()) }
    }

    /** Runs [test] while another session has locked the jobs of [schema]. */
    inline fun whileLocked(schema: String, test: () -> Unit) = ledger.database.connect().use { connection ->
        connection.autoCommit = false
        connection.createStatement().use { it.execute("LOCK TABLE $schema.job_queue IN ACCESS EXCLUSIVE MODE") }
        test()
        connection.rollback()
    }

    suspend fun awaitHangingClaim(schema: String) {
        val hanging = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '$schema.job_queue'::regclass"
        until("a claim hangs") { ledger.value(hanging) != "0" }
    }

    /** Whatever a test did to its workers, every ledger must have no contradictions at the end. */
    override fun close() {
        ledgers.list().map { it.schema }.forEach { ledgers.client(it).verify().contradictions().shouldBeEmpty() }
    }
}

fun Spec.freshTenants(): Tenants = freshLedger(poolSize = 20).let { autoClose(Tenants(it)) }

fun <P : Any> RunledgerClient.enqueue(type: JobType<P>, payload: P): UUID = jobs.enqueue(type, payload).id()
