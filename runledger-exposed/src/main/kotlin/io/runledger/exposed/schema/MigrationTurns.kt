package io.runledger.exposed.schema

import java.util.WeakHashMap
import java.util.concurrent.locks.ReentrantLock
import javax.sql.DataSource
import kotlin.concurrent.withLock

/**
 * One migration at a time over each data source. Whoever waits holds no connection, so that as many as like can wait for one
 * that needs several from the same pool.
 */
internal object MigrationTurns {
    private val turns = WeakHashMap<DataSource, ReentrantLock>()

    fun <T> take(dataSource: DataSource, work: () -> T): T = turn(dataSource).withLock(work)

    private fun turn(dataSource: DataSource): ReentrantLock = synchronized(turns) { turns.getOrPut(dataSource, ::ReentrantLock) }
}
