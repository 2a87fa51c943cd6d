package io.runledger.spring

import io.runledger.exposed.CurrentTransaction
import org.springframework.core.Ordered
import org.springframework.jdbc.datasource.ConnectionHolder
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy
import org.springframework.transaction.TransactionExecution
import org.springframework.transaction.TransactionExecutionListener
import org.springframework.transaction.support.TransactionSynchronization
import org.springframework.transaction.support.TransactionSynchronizationManager
import org.springframework.util.ReflectionUtils
import java.lang.reflect.Method
import java.sql.Connection
import javax.sql.DataSource

/**
 * Spring's transaction on [dataSource] that is current on the thread: of a `DataSourceTransactionManager`, or of a
 * `JpaTransactionManager` for the same data source. A transaction on another data source is not joined, and neither is one
 * that has just been committed or rolled back and runs its callbacks: a call in an `afterCommit` method has a transaction of
 * its own. Distributed transactions (JTA) are not recognized.
 */
public class SpringTransaction(dataSource: DataSource) : CurrentTransaction {
    private val resource: DataSource = dataSource.withoutTransactions()

    override fun connection(): Connection? {
        // Without synchronization, the transaction has ended and runs its afterCompletion callbacks.
        if (!TransactionSynchronizationManager.isActualTransactionActive() ||
            !TransactionSynchronizationManager.isSynchronizationActive()
        ) {
            return null
        }
        val holder = TransactionSynchronizationManager.getResource(resource) as? ConnectionHolder ?: return null
        return if (holder.isTransaction && !TransactionPhase.ofThread().isOver) holder.connection else null
    }
}

/** The data source below a proxy that itself joins transactions. The ledger must be able to open connections beside them. */
internal fun DataSource.withoutTransactions(): DataSource =
    generateSequence(this) { (it as? TransactionAwareDataSourceProxy)?.targetDataSource }.last()

/**
 * Whether the holder has the connection of a transaction. `DataSourceUtils` also binds one during transactions of other data
 * sources, without beginning a transaction on it. Those of other transaction managers than Spring's JDBC one are not marked as
 * active, and are not synchronized either.
 */
private val ConnectionHolder.isTransaction: Boolean
    get() = !isSynchronizedWithTransaction || isTransactionActive.invoke(this) as Boolean

internal val isTransactionActive: Method =
    checkNotNull(ReflectionUtils.findMethod(ConnectionHolder::class.java, "isTransactionActive")).also(
        ReflectionUtils::makeAccessible,
    )

/** How far the current transaction of the thread has come. After its commit, its connection is still bound to the thread. */
private class TransactionPhase :
    TransactionSynchronization,
    Ordered {
    var isOver = false
        private set

    /** Before other callbacks, so that they see that the transaction is over. */
    override fun getOrder(): Int = Ordered.HIGHEST_PRECEDENCE

    override fun suspend() {
        TransactionSynchronizationManager.unbindResourceIfPossible(KEY)
    }

    override fun resume() = TransactionSynchronizationManager.bindResource(KEY, this)

    override fun afterCommit() {
        isOver = true
    }

    override fun afterCompletion(status: Int) {
        TransactionSynchronizationManager.unbindResourceIfPossible(KEY)
    }

    companion object {
        private val KEY = Any()

        fun ofThread(): TransactionPhase =
            TransactionSynchronizationManager.getResource(KEY) as TransactionPhase? ?: TransactionPhase().also {
                TransactionSynchronizationManager.bindResource(KEY, it)
                TransactionSynchronizationManager.registerSynchronization(it)
            }
    }
}

/** Watches every transaction from its beginning. Without it, only those that have made a call of the ledger are watched. */
internal class TransactionPhaseListener : TransactionExecutionListener {
    override fun afterBegin(transaction: TransactionExecution, beginFailure: Throwable?) {
        if (beginFailure == null && TransactionSynchronizationManager.isSynchronizationActive()) TransactionPhase.ofThread()
    }
}
