package io.runledger.coroutines.crash

import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.withTimeout
import java.sql.Connection
import javax.sql.DataSource
import kotlin.time.Duration.Companion.seconds

/** Counts the requests for a connection, successful or not. */
class CountedDoor(private val real: DataSource) : DataSource by real {
    private val knocks = MutableStateFlow(0)

    val count: Int get() = knocks.value

    /** Returns once there were [more] from now on. */
    suspend fun await(more: Int) {
        val enough = knocks.value + more
        withTimeout(30.seconds) { knocks.first { it >= enough } }
    }

    override fun getConnection(): Connection {
        knocks.update { it + 1 }
        return real.connection
    }
}
