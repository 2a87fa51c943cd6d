package io.runledger.exposed.sql

import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import java.sql.Connection

/**
 * How long maintenance work waits for a row that another session holds, in a transaction of its own. It handles many rows, so one
 * session must not block it for an unlimited time.
 */
internal enum class LockWait(private val limit: String) {
    /** For many rows at once, or for a call that concerns a single row. */
    TOGETHER("500ms"),

    /** For many rows one by one, after one of them was held: the waits add up. */
    ONE_BY_ONE("20ms"),
    ;

    /** Applies to the rest of the transaction, unless the setting of the role or the database is shorter. */
    fun limit(connection: Connection) {
        connection.row(LIMIT, { text("limit", limit) }) { getString(1) }
    }

    private companion object {
        const val LIMIT = """
            SELECT set_config(
                'lock_timeout', CASE WHEN t.given::interval BETWEEN '1 ms' AND :limit::interval THEN t.given ELSE :limit END, true
            )
            FROM (SELECT current_setting('lock_timeout') AS given OFFSET 0) t
        """
    }
}

/** Whether another session held a row for longer than the limit. Other rows can still be written. */
internal val RunledgerException.isHeldElsewhere: Boolean get() = code() == ErrorCode.DB_LOCK_TIMEOUT
