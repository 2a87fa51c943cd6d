package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.run.JobOutcome
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

/** A service that keeps its rows with Exposed; its jobs begin and end in its own transactions. */
class Registration(private val database: Database, private val client: RunledgerClient) {
    /** No account without its welcome, no welcome for an account that was rolled back, and nobody has to sweep up. */
    fun register(mail: String): UUID = transaction(database) {
        val account = UUID.randomUUID()
        client.within(this).jobs.enqueue(welcome, Welcome(account))
        Accounts.insert {
            it[id] = account
            it[Accounts.mail] = mail
        }
        account
    }

    /** The account is there when this runs, for the job came with it; the mark and the job's success are one commit again. */
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
