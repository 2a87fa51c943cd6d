package io.runledger.exposed.await

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.throwables.shouldThrow
import io.runledger.exposed.TestLedger
import io.runledger.exposed.json.JacksonCodec
import io.runledger.exposed.schema.Channel
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.signal.Signals
import io.runledger.exposed.sql.OwnTransactions
import io.runledger.exposed.sql.SqlErrors
import io.runledger.exposed.sql.Statements
import io.runledger.exposed.until
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import java.sql.Connection
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

/** Longer than any test: a result before that has another cause. */
val never: Duration = Duration.ofDays(1)

/** A run with one step, which runs until the test ends it. */
fun TestLedger.startRun(resultStep: String? = "answer", organization: UUID? = null): UUID {
    val run = UUID.randomUUID()
    val (owner, result) = listOf(organization, resultStep).map { if (it == null) "NULL" else "'$it'" }
    run(
        "WITH run AS (INSERT INTO runledger.workflow_runs (id, organization_id, workflow_type, result_step_key, open_steps, " +
            "waiting_steps, status) VALUES ('$run', $owner, 'w', $result, 1, 1, 'WAITING_FOR_EXTERNAL')) " +
            "INSERT INTO runledger.workflow_step_rows (workflow_run_id, organization_id, ordinal, step_key, execution_kind, status) " +
            "VALUES ('$run', $owner, 0, 'answer', 'EXTERNAL', 'WAITING_FOR_EXTERNAL')",
    )
    return run
}

/** Ends a run without a notification. */
fun TestLedger.endRun(run: UUID, status: String = "SUCCEEDED", result: String? = "42") = run(
    "UPDATE runledger.workflow_runs SET status = '$status', finished_at = now(), open_steps = 0, waiting_steps = 0, " +
        "result = ${if (result == null) "NULL" else "'$result'"} WHERE id = '$run'",
)

fun TestLedger.tell(run: UUID) = run("NOTIFY runledger_runledger, 'r:$run'")

fun TestLedger.pool(size: Int, timeout: Duration = Duration.ofSeconds(30)) = HikariDataSource(
    HikariConfig().also {
        it.dataSource = dataSource
        it.maximumPoolSize = size
        it.connectionTimeout = timeout.toMillis()
    },
)

internal fun awaits(
    dataSource: DataSource,
    signals: Signals = Signals(Channel(SchemaName.DEFAULT), null),
    interval: Duration = never,
    patience: Duration = Duration.ofMinutes(1),
): AwaitRuns {
    val lookUp = LookUp(Statements(SchemaName.DEFAULT), OwnTransactions(dataSource, SqlErrors()))
    return AwaitRuns(lookUp, JacksonCodec(), signals, interval, patience)
}

/** The result of a future, which must complete within the time limit of the test. */
fun <T> CompletableFuture<T>.outcome(): T = get(1, TimeUnit.MINUTES)

fun CompletableFuture<*>.refusal(): ErrorCode =
    (shouldThrow<ExecutionException> { outcome() }.cause as RunledgerException).code()

/** Counts the connections that were opened and closed: without a pool, and after the first, one for each look-up. */
class CountedConnections(private val real: DataSource) : DataSource by real {
    private val taken = AtomicInteger()
    private val refused = AtomicInteger()
    private val returned = AtomicInteger()

    val count: Int get() = taken.get()

    override fun getConnection(): Connection {
        taken.incrementAndGet()
        return Counted(runCatching { real.connection }.onFailure { refused.incrementAndGet() }.getOrThrow())
    }

    /** Returns when [number] look-ups are over. */
    fun await(number: Int) = until("$number look-ups are over") { returned.get() >= number }

    /** Returns when a look-up was refused its connection. */
    fun awaitRefusal() = until("a look-up gets no connection") { refused.get() > 0 }

    private inner class Counted(private val connection: Connection) : Connection by connection {
        override fun close() {
            connection.close()
            returned.incrementAndGet()
        }
    }
}
