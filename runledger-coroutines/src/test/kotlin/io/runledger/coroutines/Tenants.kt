package io.runledger.coroutines

import io.kotest.core.spec.Spec
import io.kotest.matchers.collections.shouldBeEmpty
import io.runledger.exposed.Ledgers
import io.runledger.exposed.RunledgerClient
import io.runledger.model.spec.JobType
import java.util.UUID

/** The tenants of one database, each with a ledger of its own. */
class Tenants(val ledger: TestLedger) : AutoCloseable {
    val ledgers: Ledgers = Ledgers.of(ledger.pool)

    fun tenant(schema: String, vararg types: JobType<*>): RunledgerClient {
        ledgers.create(schema)
        return ledgers.client(schema).apply { definitions.sync(types.toList()) }
    }

    /** Whatever a test did to its workers, every ledger it leaves behind must agree with itself. */
    override fun close() {
        ledgers.list().map { it.schema }.forEach { ledgers.client(it).verify().contradictions().shouldBeEmpty() }
    }
}

fun Spec.freshTenants(): Tenants = freshLedger(poolSize = 20).let { autoClose(Tenants(it)) }

fun <P : Any> RunledgerClient.enqueue(type: JobType<P>, payload: P): UUID = jobs.enqueue(type, payload).id()
