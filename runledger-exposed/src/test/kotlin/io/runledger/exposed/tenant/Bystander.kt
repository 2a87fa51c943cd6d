package io.runledger.exposed.tenant

import com.zaxxer.hikari.HikariDataSource
import io.runledger.exposed.Ledger
import io.runledger.exposed.TestLedger
import java.sql.Connection

/** Calls functions of a ledger in a transaction that is rolled back, so that the ledger does not change. */
class Bystander(private val ledger: TestLedger) : AutoCloseable {
    private val pool = HikariDataSource().also {
        it.dataSource = ledger.dataSource
        it.maximumPoolSize = 2
    }

    fun <T> trying(isolation: Int, work: (Connection, Ledger) -> T): T = pool.connection.use { connection ->
        connection.autoCommit = false
        connection.transactionIsolation = isolation
        try {
            work(connection, ledger.client.within(connection))
        } finally {
            connection.rollback()
        }
    }

    override fun close() = pool.close()
}
