package io.runledger.exposed

import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.transactions.currentOrNull
import org.jetbrains.exposed.v1.jdbc.transactions.transactionManager
import java.sql.Connection

/**
 * Finds the transaction that is current on the calling thread, for [RunledgerClient.Builder.joinCurrentTransaction]. An
 * implementation asks the framework that manages the transactions of the service. It must be safe for use by many threads.
 */
public fun interface CurrentTransaction {
    /**
     * The connection of the current transaction on the ledger's database, or null if there is none. A connection in auto-commit
     * mode counts as none. Called at least once for each call of the client, so it should be cheap. The ledger neither closes
     * the connection nor ends its transaction.
     */
    public fun connection(): Connection?

    public companion object {
        /**
         * The transaction of Exposed's `transaction(database)` that is open on the thread, as a nested call of it would find.
         * [database] must use the ledger's data source. Transactions of other databases are ignored.
         */
        @JvmStatic
        public fun exposed(database: Database): CurrentTransaction = CurrentTransaction {
            database.transactionManager.currentOrNull()?.connection?.connection as Connection?
        }
    }
}
