package io.runledger.exposed.signal

import io.runledger.exposed.TestLedger
import io.runledger.exposed.schema.Channel
import io.runledger.exposed.schema.SchemaName
import org.postgresql.PGConnection

/** Listens to the channel of a ledger with the driver alone, and so receives every message as it was sent. */
class Ear(private val ledger: TestLedger, schema: String = "runledger") : AutoCloseable {
    private val channel = Channel(SchemaName(schema))
    private val connection = ledger.database.connect()

    init {
        connection.createStatement().use { it.execute("LISTEN ${channel.quoted}") }
    }

    /** The messages that are sent while [work] runs. The test sends a message before and after it, so it need not wait. */
    fun heard(work: () -> Unit): List<String> {
        hearUntilMark()
        work()
        return hearUntilMark()
    }

    private fun hearUntilMark(): List<String> {
        ledger.run("NOTIFY ${channel.quoted}, '$MARK'")
        val heard = mutableListOf<String>()
        while (MARK !in heard) connection.unwrap(PGConnection::class.java).getNotifications(0).mapTo(heard) { it.parameter }
        return heard - MARK
    }

    override fun close() = connection.close()

    private companion object {
        const val MARK = "mark"
    }
}
