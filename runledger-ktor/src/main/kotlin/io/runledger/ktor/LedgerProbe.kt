package io.runledger.ktor

import io.runledger.exposed.RunledgerClient
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.ledger.Health
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Reads the health of a ledger for callers that cannot wait long. A read that hangs, because the database does not answer or the
 * pool is empty, occupies one thread however often it is asked for: callers share it.
 */
internal class LedgerProbe(private val client: RunledgerClient, private val patience: Duration = 2.seconds) : AutoCloseable {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.IO)
    private val lock = Any()
    private var reading: Deferred<LedgerAnswer>? = null

    suspend fun read(): LedgerAnswer =
        withTimeoutOrNull(patience) { current().await() } ?: LedgerAnswer(null, ErrorCode.DB_UNREACHABLE)

    private fun current(): Deferred<LedgerAnswer> = synchronized(lock) {
        reading?.takeIf { it.isActive } ?: scope.async { ask() }.also { reading = it }
    }

    private fun ask(): LedgerAnswer = try {
        LedgerAnswer(client.health(), null)
    } catch (failure: RunledgerException) {
        LedgerAnswer(null, failure.code())
    }

    override fun close() {
        scope.cancel()
    }
}

/** The health of a ledger, or the code of the error with which it could not be read. */
internal class LedgerAnswer(val health: Health?, val code: ErrorCode?)
