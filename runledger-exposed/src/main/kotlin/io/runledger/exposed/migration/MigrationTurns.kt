package io.runledger.exposed.migration

import java.util.WeakHashMap
import java.util.concurrent.locks.ReentrantLock
import javax.sql.DataSource
import kotlin.concurrent.withLock

/**
 * Allows one migration at a time per data source. A waiting thread holds no connection, because the running migration needs
 * several connections from the same pool.
 */
internal object MigrationTurns {
    private val turns = WeakHashMap<DataSource, ReentrantLock>()

    fun <T> take(dataSource: DataSource, work: () -> T): T = turn(dataSource).withLock(work)

    private fun turn(dataSource: DataSource): ReentrantLock = synchronized(turns) { turns.getOrPut(dataSource, ::ReentrantLock) }
}
