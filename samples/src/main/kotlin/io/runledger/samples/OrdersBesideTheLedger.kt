package io.runledger.samples

import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobStatus
import org.jetbrains.exposed.v1.core.JoinType
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.core.eq
import org.jetbrains.exposed.v1.core.java.javaUUID
import org.jetbrains.exposed.v1.jdbc.JdbcTransaction
import org.jetbrains.exposed.v1.jdbc.insert
import org.jetbrains.exposed.v1.jdbc.select
import java.util.UUID

/** A table of the service with the job of each order. */
object Orders : Table("orders") {
    val number = text("number")
    val jobId = javaUUID("job_id")
    override val primaryKey = PrimaryKey(number)
}

/** Writes the order and enqueues its shipping in one transaction of the service: both are committed, or neither. */
fun JdbcTransaction.placeOrder(client: RunledgerClient, order: String): UUID {
    val job = client.within(this).jobs.enqueue(OrderJobs.ship, OrderRef(order))
    Orders.insert {
        it[number] = order
        it[jobId] = job.id()
    }
    return job.id()
}

/** Orders whose job became a dead letter: one query over the service's table and the ledger. */
fun JdbcTransaction.ordersInTrouble(client: RunledgerClient): List<String> {
    val jobs = client.tables.jobQueue
    return Orders.join(jobs, JoinType.INNER, Orders.jobId, jobs.id)
        .select(Orders.number)
        .where { jobs.status eq JobStatus.DEAD_LETTERED }
        .orderBy(Orders.number)
        .map { it[Orders.number] }
}
