package io.runledger.coroutines

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.Spec
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.catalog.MigrationBundle
import io.runledger.model.job.Job
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import io.runledger.postgres.DatabaseTemplate
import io.runledger.postgres.TestDatabase
import io.runledger.postgres.TestPostgres
import java.util.UUID
import javax.sql.DataSource

/** A ledger in its own database, with a pool, and the plain SQL that a test needs to check it. */
class TestLedger(val database: TestDatabase, poolSize: Int = 10) : AutoCloseable {
    val pool = HikariDataSource(
        HikariConfig().apply {
            dataSource = database.dataSource()
            maximumPoolSize = poolSize
            minimumIdle = 0
        },
    )
    val client: RunledgerClient = RunledgerClient.create(pool)

    fun clientOn(dataSource: DataSource): RunledgerClient = RunledgerClient.create(dataSource)

    fun define(vararg types: JobType<*>) {
        client.definitions.sync(types.toList())
    }

    fun <P : Any> enqueue(type: JobType<P>, payload: P, settings: JobRequest.Builder.() -> Unit = {}): UUID =
        client.jobs.enqueue(JobRequest.builder(type, payload).apply(settings).build()).id()

    fun job(id: UUID): Job = client.jobs.get(Scope.everything(), id)

    fun run(sql: String) = database.connect().use { connection -> connection.createStatement().use { it.execute(sql) } }

    fun rows(sql: String): List<String> = database.connect().use { connection ->
        connection.createStatement().executeQuery(sql).use { rows ->
            buildList {
                while (rows.next()) add((1..rows.metaData.columnCount).joinToString("|") { rows.getString(it) ?: "" })
            }
        }
    }

    fun value(sql: String): String = rows(sql).single()

    /** Whatever a test did to its workers, the ledger must have no contradictions at the end. */
    override fun close() {
        val verification = RunledgerClient.create(database.dataSource()).verify()
        pool.close()
        database.close()
        check(verification.isSound) { "A test left this behind: $verification" }
    }
}

private val migrated = DatabaseTemplate("coroutines ${MigrationBundle.fingerprint}") {
    RunledgerClient.create(it.dataSource()).migrate()
}

fun Spec.freshLedger(poolSize: Int = 10): TestLedger =
    autoClose(TestLedger(TestPostgres.shared().freshDatabase(migrated), poolSize))
