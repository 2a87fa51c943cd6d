package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode
import java.sql.Connection
import java.sql.SQLException
import javax.sql.DataSource

/** Runs statements in a short transaction of the library, or in the caller's transaction. */
internal sealed interface Transactions {
    /** Whether the transaction is the caller's. */
    val isJoined: Boolean

    /** Runs [work] in one transaction, or behind a savepoint of the caller's. If [work] throws, its changes are rolled back. */
    fun <T> run(work: (Connection) -> T): T

    /**
     * Like [run], but refuses the work with `db.lock_not_available` if it waits longer than [wait] for a lock. In the caller's
     * transaction the caller's setting applies.
     */
    fun <T> runBriefly(wait: LockWait, work: (Connection) -> T): T

    /** Runs a single statement, which is atomic and needs no explicit transaction. */
    fun <T> statement(work: (Connection) -> T): T

    /** Runs reads that must be consistent: on one read-only snapshot, or in the caller's transaction as it is. */
    fun <T> snapshot(work: (Connection) -> T): T

    /** Runs [work] behind a savepoint in the open transaction of [connection]. If it throws, only its changes are rolled back. */
    fun <T> part(connection: Connection, work: (Connection) -> T): T

    /** Refuses with [code] if the transaction is not READ COMMITTED. A read after a lock wait must see committed changes. */
    fun requireReadCommitted(connection: Connection, code: ErrorCode)
}

/** Opens a READ COMMITTED transaction on its own connection, whatever the default of the pool, and commits it. */
internal class OwnTransactions(private val dataSource: DataSource, private val errors: SqlErrors) : Transactions {
    override val isJoined: Boolean get() = false

    /** Read once: whether connections are READ COMMITTED by default, so that nothing has to be set. */
    @Volatile
    private var plain: Boolean? = null

    override fun <T> run(work: (Connection) -> T): T = connected { connection ->
        transaction(connection, READ_COMMITTED.takeUnless { isPlain(connection) }, work)
    }

    override fun <T> runBriefly(wait: LockWait, work: (Connection) -> T): T = run { connection ->
        wait.limit(connection)
        work(connection)
    }

    override fun <T> snapshot(work: (Connection) -> T): T = connected { connection ->
        transaction(connection, "repeatable read, read only", work)
    }

    override fun <T> statement(work: (Connection) -> T): T = connected { connection ->
        if (!isPlain(connection)) {
            transaction(connection, READ_COMMITTED, work)
        } else {
            val given = connection.autoCommit
            if (!given) connection.autoCommit = true
            try {
                work(connection)
            } finally {
                if (!given) connection.autoCommit = false
            }
        }
    }

    override fun <T> part(connection: Connection, work: (Connection) -> T): T = JoinedTransaction(connection, errors).run(work)

    override fun requireReadCommitted(connection: Connection, code: ErrorCode) = Unit

    private fun <T> connected(work: (Connection) -> T): T = errors.translating { dataSource.connection.use(work) }

    private fun <T> transaction(connection: Connection, isolation: String?, work: (Connection) -> T): T {
        val given = connection.autoCommit
        if (given) connection.autoCommit = false
        try {
            if (isolation != null) connection.createStatement().use { it.execute("SET TRANSACTION ISOLATION LEVEL $isolation") }
            return work(connection).also { connection.commit() }
        } catch (failure: Throwable) {
            rollback(connection, failure)
            throw failure
        } finally {
            if (given && !connection.isClosed) connection.autoCommit = true
        }
    }

    private fun rollback(connection: Connection, failure: Throwable) = try {
        connection.rollback()
    } catch (second: SQLException) {
        failure.addSuppressed(second)
    }

    private fun isPlain(connection: Connection): Boolean = plain ?: (isolationOf(connection) == READ_COMMITTED).also {
        // With auto-commit off, the query opened a transaction. The next transaction must start after it.
        if (!connection.autoCommit) connection.rollback()
        plain = it
    }
}

/**
 * Works on the caller's [connection]. Never commits, rolls back or changes the isolation level. A savepoint around each
 * operation keeps the caller's transaction usable if the operation is refused.
 */
internal class JoinedTransaction(private val connection: Connection, private val errors: SqlErrors) : Transactions {
    override val isJoined: Boolean get() = true

    override fun <T> run(work: (Connection) -> T): T = errors.translating {
        requireTransaction()
        val savepoint = connection.setSavepoint()
        val result = try {
            work(connection)
        } catch (failure: Throwable) {
            try {
                connection.rollback(savepoint)
            } catch (second: SQLException) {
                failure.addSuppressed(second)
            }
            throw failure
        }
        connection.releaseSavepoint(savepoint)
        result
    }

    override fun <T> runBriefly(wait: LockWait, work: (Connection) -> T): T = run(work)

    override fun <T> statement(work: (Connection) -> T): T = run(work)

    override fun <T> snapshot(work: (Connection) -> T): T = run(work)

    override fun <T> part(connection: Connection, work: (Connection) -> T): T = run(work)

    override fun requireReadCommitted(connection: Connection, code: ErrorCode) {
        if (isolationOf(connection) !in setOf(READ_COMMITTED, "read uncommitted")) {
            throw code.exception("${code.message()} Start the transaction with that isolation level.")
        }
    }

    private fun requireTransaction() {
        if (connection.autoCommit) {
            throw ErrorCode.INVALID_ARGUMENT.exception(
                "The connection is in auto-commit mode, so there is no transaction to join. Turn auto-commit off first, " +
                    "or call the client without a connection.",
            )
        }
    }
}

/** Joins the transaction that is current when an operation starts. Without one, the operation runs in one of the library's. */
internal class CurrentTransactions(
    private val own: OwnTransactions,
    private val errors: SqlErrors,
    private val current: () -> Connection?,
) : Transactions {
    override val isJoined: Boolean get() = joined() != null

    override fun <T> run(work: (Connection) -> T): T = effective().run(work)

    override fun <T> runBriefly(wait: LockWait, work: (Connection) -> T): T = effective().runBriefly(wait, work)

    override fun <T> statement(work: (Connection) -> T): T = effective().statement(work)

    override fun <T> snapshot(work: (Connection) -> T): T = effective().snapshot(work)

    override fun <T> part(connection: Connection, work: (Connection) -> T): T = own.part(connection, work)

    override fun requireReadCommitted(connection: Connection, code: ErrorCode) =
        effective().requireReadCommitted(connection, code)

    private fun effective(): Transactions = joined() ?: own

    /** A connection in auto-commit mode is not a transaction. */
    private fun joined(): JoinedTransaction? = errors.translating {
        current()?.takeUnless { it.autoCommit }?.let { JoinedTransaction(it, errors) }
    }
}

private const val READ_COMMITTED = "read committed"

private fun isolationOf(connection: Connection): String =
    checkNotNull(connection.row("SELECT current_setting('transaction_isolation')") { getString(1) })
