package io.runledger.exposed

import io.runledger.exposed.await.AwaitRuns
import io.runledger.exposed.await.LookUp
import io.runledger.exposed.catalog.SchemaCheck
import io.runledger.exposed.catalog.inspecting
import io.runledger.exposed.context.HeaderRules
import io.runledger.exposed.context.LedgerContext
import io.runledger.exposed.context.SizeLimits
import io.runledger.exposed.json.JacksonCodec
import io.runledger.exposed.migration.MigrationReport
import io.runledger.exposed.migration.SchemaMigration
import io.runledger.exposed.read.ReadChanges
import io.runledger.exposed.schema.Channel
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.signal.ListenerConnection
import io.runledger.exposed.signal.NotificationHub
import io.runledger.exposed.signal.Signals
import io.runledger.exposed.sql.ConstraintErrors
import io.runledger.exposed.sql.CurrentTransactions
import io.runledger.exposed.sql.JoinedTransaction
import io.runledger.exposed.sql.OwnTransactions
import io.runledger.exposed.sql.SqlErrors
import io.runledger.exposed.sql.Statements
import io.runledger.exposed.start.Starters
import io.runledger.exposed.table.LedgerTables
import io.runledger.exposed.verify.ReadDatabase
import io.runledger.exposed.verify.ReadHealth
import io.runledger.exposed.verify.VerifyLedger
import io.runledger.model.json.PayloadCodec
import io.runledger.model.ledger.ChangeMarks
import io.runledger.model.ledger.DatabaseReport
import io.runledger.model.ledger.Health
import io.runledger.model.ledger.Verification
import io.runledger.model.value.HeaderSource
import io.runledger.model.value.Headers
import org.jetbrains.exposed.v1.jdbc.JdbcTransaction
import java.sql.Connection
import java.util.UUID
import javax.sql.DataSource

/**
 * The entry point to one ledger: a schema in a PostgreSQL database of the service. Safe for use by many threads.
 *
 * The client has no global state, so several clients can exist side by side. It holds no connection, except one for the
 * listener while there are subscriptions to its [signals]. The service owns the data source, so there is nothing to close.
 * Creating a client does not access the database.
 */
public class RunledgerClient private constructor(
    private val dataSource: DataSource,
    context: LedgerContext,
    ownContext: LedgerContext,
    private val errors: SqlErrors,
    private val awaits: AwaitRuns,
    /** Notifications of changes in the ledger. */
    @get:JvmName("signals")
    public val signals: Signals,
) : Ledger(context, awaits) {
    private val schemaName: SchemaName get() = context.schema

    /** The ledger in transactions of its own. */
    @get:JvmSynthetic
    internal val own: Ledger = if (ownContext === context) this else LedgerView(ownContext, awaits)

    /** Encodes payloads as JSON and decodes them. */
    @get:JvmName("codec")
    public val codec: PayloadCodec get() = context.codec

    /** The schema of the ledger. */
    @get:JvmName("schema")
    public val schema: String get() = schemaName.text

    /** The ledger's tables and views for Exposed queries. */
    @get:JvmName("tables")
    public val tables: LedgerTables = LedgerTables(schemaName)

    /**
     * Creates the ledger, or migrates it to the version of this build. If the ledger is current, the call changes nothing and
     * needs no right to change the schema. Any number of processes may call it at once: one migrates, the others wait until it
     * has finished. The call changes nothing outside the ledger's schema and restores the `search_path` of its connections. A
     * failed migration is rolled back completely. The data source must be able to provide four connections at once.
     *
     * Connect to the server directly, not through a pooler that shares sessions between transactions.
     *
     * Fails with `schema.unsupported_postgres`, `schema.altered`, `schema.too_new`, `schema.migration_failed`,
     * `db.permission_denied`, `db.read_only`, `db.unreachable` or `db.authentication_failed`.
     */
    public fun migrate(): MigrationReport = SchemaMigration(dataSource, schemaName, errors).run()

    /**
     * Checks that this build can work with the ledger. The check only reads. It is for services whose DDL runs elsewhere. The
     * role needs USAGE on the schema and SELECT on its two history tables. Additional tables, columns and indexes are allowed,
     * and so are newer migrations that are compatible with this build.
     *
     * Fails with `schema.missing`, `schema.outdated` (naming the missing migrations), `schema.too_new`, `schema.altered`
     * (naming the differences), `schema.unsupported_postgres`, `db.permission_denied`, `db.unreachable` or
     * `db.authentication_failed`.
     */
    public fun requireCompatibleSchema() {
        errors.translating { dataSource.inspecting(SchemaCheck(schemaName)::requireCompatible) }
    }

    /**
     * The ledger inside the transaction that is open on [connection]. Its changes take effect when the caller commits, and are
     * discarded when the caller rolls back. Runledger does not commit, roll back or change the isolation level. A connection
     * in auto-commit mode is refused. With Spring, pass the connection bound to its transaction:
     * `DataSourceUtils.getConnection(dataSource)`.
     */
    public fun within(connection: Connection): Ledger = LedgerView(context.within(JoinedTransaction(connection, errors)), awaits)

    /** The ledger inside an Exposed transaction on the ledger's database. Works like [within] with a connection. */
    public fun within(transaction: JdbcTransaction): Ledger = within(transaction.connection.connection as Connection)

    /**
     * The ledger in short transactions of its own, also while a transaction is current that this client would join. Use it for a
     * job that must exist even if the caller's transaction is rolled back. Without [Builder.joinCurrentTransaction] it does the
     * same as the client.
     */
    public fun inOwnTransactions(): Ledger = own

    /**
     * Checks the whole ledger for contradictions: attempts with gaps, a job that succeeded twice, a step that started before
     * its dependencies ended, counters that differ from a recount, attempts that began beyond a limit, a rate or an order.
     * Reads one snapshot and takes no locks, but reads every row.
     * Use it in tests, after an incident, or at times of low load. Reports at most 100 contradictions of each kind.
     */
    public fun verify(): Verification = VerifyLedger(own.context).verify()

    /**
     * The health of the ledger. The call is cheap enough to repeat every few seconds. Sessions of other roles, and the
     * transactions they keep open, are visible only to members of `pg_read_all_stats`.
     */
    public fun health(): Health = ReadHealth(own.context).health()

    /**
     * Marks by which a reader that asks repeatedly sees that the ledger, one of the jobs [jobIds] or one of the runs [runIds] has
     * changed. One statement, whose cost grows with the number of ids and the steps of these runs. Also works on a replica.
     */
    public fun changes(jobIds: Collection<UUID>, runIds: Collection<UUID>): ChangeMarks =
        ReadChanges(own.context).marks(jobIds, runIds)

    /**
     * The database of the ledger: server version, sizes of the database and of the ledger's tables, rows as estimated, the last
     * vacuum and analyze, connections, and the oldest snapshot. Reads the catalog and no table, except for the first entries of
     * an index. The server looks at each file of the database to sum its size, so call it at most every few seconds.
     */
    public fun database(): DatabaseReport = ReadDatabase(own.context).database()

    /** Whether [other] uses the same schema over the same data source. Does not access the database. */
    public fun isSameLedger(other: RunledgerClient): Boolean = schema == other.schema && dataSource === other.dataSource

    override fun toString(): String = "RunledgerClient($schema)"

    public companion object {
        /** A client of the ledger in schema `runledger`, with the standard codec. */
        @JvmStatic
        public fun create(dataSource: DataSource): RunledgerClient = builder(dataSource).build()

        /** A builder for a client with other settings than those of [create]. */
        @JvmStatic
        public fun builder(dataSource: DataSource): Builder = Builder(dataSource)
    }

    /** Settings for a client. Every setting has a default. Not safe for use by several threads. */
    public class Builder internal constructor(private val dataSource: DataSource) {
        private var schema = SchemaName.DEFAULT
        private var codec: PayloadCodec? = null
        private var constraintErrors = ConstraintErrors.NONE
        private var maxPayloadBytes = MEBIBYTE
        private var maxOutputBytes = MEBIBYTE
        private var maxCheckpointBytes = MEBIBYTE
        private var maxContextBytes = MEBIBYTE
        private var maxFactsBytes = DEFAULT_FACTS_BYTES
        private var maxLogLines = DEFAULT_LOG_LINES
        private var maxHeadersBytes = HeaderRules.DEFAULT_MAX_BYTES
        private var headerSource: HeaderSource? = null
        private var notifications = true
        private var listenWith: DataSource? = null
        private var notificationHub: NotificationHub? = null
        private var currentTransaction: CurrentTransaction? = null

        /**
         * The schema of the ledger, by default `runledger`. A name that is not a plain identifier is refused with
         * `schema.invalid_name`.
         */
        public fun schema(name: String): Builder = apply { schema = SchemaName(name) }

        /** Encodes payloads as JSON and decodes them. The default is [JacksonCodec]. */
        public fun codec(codec: PayloadCodec): Builder = apply { this.codec = codec }

        /** Error codes for constraints that the service added to the ledger's tables. */
        public fun constraintErrors(errors: ConstraintErrors): Builder = apply { constraintErrors = errors }

        /**
         * The maximum size of a payload, of a run's metadata and of a runtime config, in bytes of UTF-8. The default is one
         * mebibyte. A larger one is refused with `job.payload_too_large`.
         */
        public fun maxPayloadBytes(bytes: Int): Builder = apply { maxPayloadBytes = positive("maxPayloadBytes", bytes) }

        /**
         * The maximum size of the output of a job or gate, in bytes of UTF-8. The default is one mebibyte. If a handler
         * returns a larger output, the job becomes a dead letter with `job.output_too_large`. The completion of a gate with a
         * larger output is refused with the same code.
         */
        public fun maxOutputBytes(bytes: Int): Builder = apply { maxOutputBytes = positive("maxOutputBytes", bytes) }

        /**
         * The maximum size of a checkpoint, in bytes of UTF-8. The default is one mebibyte. Saving a larger one is refused
         * with `job.checkpoint_too_large`. A job that continues in a further run with a larger one becomes a dead letter.
         */
        public fun maxCheckpointBytes(bytes: Int): Builder = apply { maxCheckpointBytes = positive("maxCheckpointBytes", bytes) }

        /**
         * The maximum size of the context of a workflow run, including the additions of its steps, in bytes of its text as
         * PostgreSQL writes it. The default is one mebibyte. A run that starts with a larger context is refused with
         * `workflow.context_too_large`. A step that would exceed the limit becomes a dead letter and adds nothing.
         */
        public fun maxContextBytes(bytes: Int): Builder = apply { maxContextBytes = positive("maxContextBytes", bytes) }

        /**
         * The maximum size of the structured facts of a log line or a failure, in bytes of UTF-8. The default is 64 KiB. A log
         * line with larger facts is refused with `job.facts_too_large`. A failure is always written; instead of larger facts
         * it keeps their size.
         */
        public fun maxFactsBytes(bytes: Int): Builder = apply { maxFactsBytes = positive("maxFactsBytes", bytes) }

        /**
         * The maximum number of log lines of one run of a job. The default is 10,000. The last line says that further lines
         * were omitted. Lines that are written at the same time may exceed the limit by a few.
         */
        public fun maxLogLines(lines: Int): Builder = apply { maxLogLines = positive("maxLogLines", lines) }

        /**
         * The maximum size of the headers of a job, run or schedule, names and values together, in bytes of UTF-8. The default
         * is 16 KiB. Larger headers are refused with `headers.too_large`.
         */
        public fun maxHeadersBytes(bytes: Int): Builder = apply { maxHeadersBytes = positive("maxHeadersBytes", bytes) }

        /**
         * Adds headers to everything that the client enqueues, for example a correlation id of the current request. The source
         * is called on the thread of the caller. If it throws, the call is refused with `headers.source_failed` and writes
         * nothing. With several sources, the first one wins where two add a header of the same name.
         */
        public fun headers(source: HeaderSource): Builder = apply {
            val before = headerSource
            headerSource = if (before == null) source else HeaderSource { Headers.merged(before.headers(it), source.headers(it)) }
        }

        /**
         * Whether the client sends and receives notifications with LISTEN and NOTIFY. The default is true. If false, the
         * client sends no notifications and never opens a connection to listen. Waiting workers then find new jobs by polling,
         * so everything still happens, but later. Turn notifications off if the service prepares transactions for a two-phase
         * commit: PostgreSQL cannot prepare a transaction that notifies.
         */
        public fun notifications(enabled: Boolean): Builder = apply { notifications = enabled }

        /**
         * The data source of the listener connection. The default is the client's own data source. Use it if the service has a
         * small pool, or if its connections go through a pooler that shares sessions between transactions: such a connection
         * cannot listen.
         */
        public fun listenWith(dataSource: DataSource): Builder = apply { listenWith = dataSource }

        /**
         * Lets the calls of the client join the transaction that is current on their thread, as the ledger [within] its
         * connection does. Without a current transaction, and by default, each call has a transaction of its own. Workers,
         * [migrate], [verify], [health], [database], the waits of [Workflows] and [inOwnTransactions] never join.
         */
        public fun joinCurrentTransaction(current: CurrentTransaction): Builder = apply { currentTransaction = current }

        /** Creates the client. The builder may be used again. */
        public fun build(): RunledgerClient {
            val errors = SqlErrors(constraintErrors)
            val transactions = OwnTransactions(dataSource, errors)
            val statements = Statements(schema, notifications)
            val codec = codec ?: JacksonCodec()
            val signals = Signals(Channel(schema), if (notifications) notificationHub ?: newNotificationHub() else null)
            val awaits = AwaitRuns(LookUp(statements, transactions), codec, signals)
            val limits =
                SizeLimits(maxPayloadBytes, maxOutputBytes, maxCheckpointBytes, maxContextBytes, maxFactsBytes, maxLogLines)
            val headers = HeaderRules(headerSource, maxHeadersBytes)
            val own = LedgerContext(schema, statements, transactions, codec, limits, signals, headers, Starters())
            val current = currentTransaction
            val context =
                if (current == null) own else own.within(CurrentTransactions(transactions, errors, current::connection))
            return RunledgerClient(dataSource, context, own, errors, awaits, signals)
        }

        /** For clients that share one listener connection. */
        @JvmSynthetic
        internal fun notificationHub(notificationHub: NotificationHub): Builder = apply { this.notificationHub = notificationHub }

        @JvmSynthetic
        internal fun newNotificationHub() =
            NotificationHub(ListenerConnection(listenWith ?: dataSource, isShared = listenWith == null))

        private fun positive(name: String, value: Int): Int {
            require(value > 0) { "$name is $value, but must be at least 1." }
            return value
        }

        private companion object {
            const val MEBIBYTE = 1 shl 20
            const val DEFAULT_FACTS_BYTES = 64 * 1024
            const val DEFAULT_LOG_LINES = 10_000
        }
    }
}
