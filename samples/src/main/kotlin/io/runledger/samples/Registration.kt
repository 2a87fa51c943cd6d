package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.JobOutcome
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.core.eq
import org.jetbrains.exposed.v1.core.java.javaUUID
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.insert
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import org.jetbrains.exposed.v1.jdbc.update
import java.sql.Connection
import java.util.UUID

object Accounts : Table("accounts") {
    val id = javaUUID("id")
    val mail = text("mail")
    val isWelcomed = bool("welcomed").default(false)
    override val primaryKey = PrimaryKey(id)
}

data class Welcome(val account: UUID)

val welcome = jobType<Welcome>("accounts.welcome")

/** A service that stores its rows with Exposed. Its jobs are enqueued and completed in its own transactions. */
class Registration(private val database: Database, private val client: RunledgerClient) {
    /** The account and its welcome job are committed together, or neither. No cleanup is needed. */
    fun register(mail: String): UUID = transaction(database) {
        val account = UUID.randomUUID()
        client.within(this).jobs.enqueue(welcome, Welcome(account))
        Accounts.insert {
            it[id] = account
            it[Accounts.mail] = mail
        }
        account
    }

    /** The account exists when this runs, because both were committed together. The mark and the success share a commit too. */
    fun welcoming(): Handlers = handlers {
        blocking(welcome) { job ->
            transaction(database) {
                Accounts.update({ Accounts.id eq job.payload().account }) { it[isWelcomed] = true }
                job.settleIn(connection.connection as Connection)
            }
            JobOutcome.succeeded()
        }
    }
}
