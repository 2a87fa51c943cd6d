package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import java.sql.Connection

/**
 * How long housekeeping waits for a row that another session holds, in a transaction of its own. It serves everything that is
 * due, so it must not wait for as long as the other session likes.
 */
internal enum class LockWait(private val limit: String) {
    /** For many rows at once, or for a call about one row alone. */
    TOGETHER("500ms"),

    /** For each of many rows one by one, after one of them was held: the sum of the waits counts. */
    ONE_BY_ONE("20ms"),
    ;

    /** Counts for the rest of the transaction, unless what the role or the database has set is shorter. */
    fun limit(connection: Connection) {
        connection.row(
            LIMIT,
            {
                text(limit)
                text(limit)
            },
        ) { getString(1) }
    }

    private companion object {
        const val LIMIT = """
            SELECT set_config('lock_timeout', CASE WHEN t.given::interval BETWEEN '1 ms' AND ?::interval THEN t.given ELSE ? END, true)
            FROM (SELECT current_setting('lock_timeout') AS given OFFSET 0) t
        """
    }
}

/** Whether another session held a row for longer than was waited: others may still be written. */
internal val RunledgerException.isHeldElsewhere: Boolean get() = code() == ErrorCode.DB_LOCK_TIMEOUT
