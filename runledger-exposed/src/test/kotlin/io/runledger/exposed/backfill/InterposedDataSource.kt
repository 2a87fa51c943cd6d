package io.runledger.exposed.backfill

import java.sql.Connection
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

/** Calls [before] with the number of each connection before it is opened. A backfill opens one to plan, and one per transaction. */
class InterposedDataSource(private val real: DataSource, private val before: (Int) -> Unit) : DataSource by real {
    private val opened = AtomicInteger()

    override fun getConnection(): Connection {
        before(opened.incrementAndGet())
        return real.connection
    }
}
