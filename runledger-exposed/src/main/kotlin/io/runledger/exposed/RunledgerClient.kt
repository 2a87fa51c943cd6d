package io.runledger.exposed

import io.runledger.exposed.await.AwaitRuns
import io.runledger.exposed.await.LookUp
import io.runledger.exposed.json.JacksonCodec
import io.runledger.exposed.schema.LedgerTables
import io.runledger.exposed.schema.MigrationReport
import io.runledger.exposed.schema.SchemaCheck
import io.runledger.exposed.schema.SchemaMigration
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.schema.inspecting
import io.runledger.exposed.signal.Channel
import io.runledger.exposed.signal.Hearing
import io.runledger.exposed.signal.Listening
import io.runledger.exposed.signal.Signals
import io.runledger.exposed.sql.ConstraintErrors
import io.runledger.exposed.sql.JoinedTransaction
import io.runledger.exposed.sql.OwnTransactions
import io.runledger.exposed.sql.SqlErrors
import io.runledger.exposed.sql.Statements
import io.runledger.exposed.verify.ReadHealth
import io.runledger.exposed.verify.VerifyLedger
import io.runledger.model.json.PayloadCodec
import io.runledger.model.state.Health
import io.runledger.model.state.Verification
import org.jetbrains.exposed.v1.jdbc.JdbcTransaction
import java.sql.Connection
import javax.sql.DataSource

/**
 * The door to one ledger: a schema in a PostgreSQL database that the service already has. Safe for use by many threads.
 *
 * It keeps no global state, so several clients live side by side, and no connection, save the one that listens while somebody
 * has subscribed to its [signals]. So there is nothing to close: the data source stays the service's own. Making a client does
 * not touch the database.
 */
public class RunledgerClient private constructor(
    private val dataSource: DataSource,
    private val context: LedgerContext,
    private val errors: SqlErrors,
    /** What happens in the ledger, told as it happens. */
    @get:JvmName("signals")
    public val signals: Signals,
) : Ledger(context) {
    private val schemaName: SchemaName get() = context.schema

    /** Turns payloads into JSON and back. */
    @get:JvmName("codec")
    public val codec: PayloadCodec get() = context.codec

    /** The schema the ledger lives in. */
    @get:JvmName("schema")
    public val schema: String get() = schemaName.text

    /** The ledger's tables and views for Exposed queries. */
    @get:JvmName("tables")
    public val tables: LedgerTables = LedgerTables(schemaName)

    /**
     * Creates the ledger or brings it up to this build. Does nothing when there is nothing to do, and then needs no right to
     * change the schema. Any number of processes may call it at once: one migrates, the others wait and find it done. Nothing
     * outside the ledger's schema is touched; connections go back with the `search_path` they came with. A failed migration
     * leaves nothing of itself behind. Needs a data source that can give four connections at once.
     *
     * Connect to the server itself, not through a pooler that shares sessions between transactions.
     *
     * Fails with `schema.unsupported_postgres`, `schema.altered`, `schema.too_new`, `schema.migration_failed`,
     * `db.permission_denied`, `db.read_only`, `db.unreachable` or `db.authentication_failed`.
     */
    public fun migrate(): MigrationReport = SchemaMigration(dataSource, schemaName, errors).run()

    /**
     * Checks, by reading alone, that the ledger is one this build can work with; for services whose DDL is run elsewhere. The
     * role needs USAGE on the schema and SELECT on its two history tables. Tables, columns and indexes that somebody added are
     * fine, and so are newer migrations that do not break this build.
     *
     * Fails with `schema.missing`, `schema.outdated` (naming the missing migrations), `schema.too_new`, `schema.altered` (naming
     * what differs), `schema.unsupported_postgres`, `db.permission_denied`, `db.unreachable` or `db.authentication_failed`.
     */
    public fun requireCompatibleSchema() {
        errors.translating { dataSource.inspecting(SchemaCheck(schemaName)::requireCompatible) }
    }

    /**
     * The ledger inside the transaction that is open on [connection]: what is done with it happens when the caller commits,
     * and did not happen when the caller rolls back. Commits nothing, rolls nothing back, leaves the isolation alone. A
     * connection in auto-commit mode is refused. For Spring, pass the connection bound to its transaction:
     * `DataSourceUtils.getConnection(dataSource)`.
     */
    public fun within(connection: Connection): Ledger = JoinedLedger(context.within(JoinedTransaction(connection, errors)))

    /** The ledger inside an Exposed transaction on the ledger's database; as [within] a connection. */
    public fun within(transaction: JdbcTransaction): Ledger = within(transaction.connection.connection as Connection)

    /**
     * Looks through the whole ledger for what cannot be true: attempts with gaps, a job that succeeded twice, a step that
     * began before what it waits for had ended, counters that a recount gives otherwise. Reads one snapshot and locks nothing,
     * but reads every row: for tests, after a disaster, and for the night. Names at most 100 contradictions of a kind.
     */
    public fun verify(): Verification = VerifyLedger(context).verify()

    /**
     * How the ledger fares, cheap enough to ask every few seconds. Sessions of other roles, and so the transactions they keep
     * open, show only to a member of `pg_read_all_stats`.
     */
    public fun health(): Health = ReadHealth(context).health()

    /** Whether [other] leads to the same schema over the same data source. Does not touch the database. */
    public fun isSameLedger(other: RunledgerClient): Boolean = schema == other.schema && dataSource === other.dataSource

    override fun toString(): String = "RunledgerClient($schema)"

    public companion object {
        /** A client of the ledger in schema `runledger`, with the standard codec. */
        @JvmStatic
        public fun create(dataSource: DataSource): RunledgerClient = builder(dataSource).build()

        /** Starts a client that differs from [create]'s in something. */
        @JvmStatic
        public fun builder(dataSource: DataSource): Builder = Builder(dataSource)
    }

    /** Choices for a client; each has a default. Not safe for use by several threads. */
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
        private var notifications = true
        private var listenWith: DataSource? = null
        private var hearing: Hearing? = null

        /** The schema the ledger lives in, `runledger` unless given; `schema.invalid_name` unless it is a plain identifier. */
        public fun schema(name: String): Builder = apply { schema = SchemaName(name) }

        /** What turns payloads into JSON and back; [JacksonCodec] unless given. */
        public fun codec(codec: PayloadCodec): Builder = apply { this.codec = codec }

        /** The service's own word on constraints it added to the ledger's tables. */
        public fun constraintErrors(errors: ConstraintErrors): Builder = apply { constraintErrors = errors }

        /**
         * The largest payload, metadata of a run and runtime config the client accepts, in bytes of UTF-8; one mebibyte unless
         * given. What is larger is refused with `job.payload_too_large`.
         */
        public fun maxPayloadBytes(bytes: Int): Builder = apply { maxPayloadBytes = positive("maxPayloadBytes", bytes) }

        /**
         * The largest output of a job or gate, in bytes of UTF-8; one mebibyte unless given. A job whose handler returns a larger
         * one is a dead letter with `job.output_too_large`; the completion of a gate with a larger one is refused with it.
         */
        public fun maxOutputBytes(bytes: Int): Builder = apply { maxOutputBytes = positive("maxOutputBytes", bytes) }

        /**
         * The largest checkpoint, in bytes of UTF-8; one mebibyte unless given. Saving a larger one is refused with
         * `job.checkpoint_too_large`, and a job that goes on in a further run with a larger one is a dead letter.
         */
        public fun maxCheckpointBytes(bytes: Int): Builder = apply { maxCheckpointBytes = positive("maxCheckpointBytes", bytes) }

        /**
         * The largest context of a workflow run with all that its steps add to it, in bytes of its text as PostgreSQL writes it;
         * one mebibyte unless given. A run that begins with a larger one is refused with `workflow.context_too_large`, and a step
         * that would make it larger is a dead letter and adds nothing.
         */
        public fun maxContextBytes(bytes: Int): Builder = apply { maxContextBytes = positive("maxContextBytes", bytes) }

        /**
         * The most structured facts beside a log line or a failure, in bytes of UTF-8; 64 KiB unless given. A log line with more
         * is refused with `job.facts_too_large`. A failure is always written: of larger facts it keeps the size.
         */
        public fun maxFactsBytes(bytes: Int): Builder = apply { maxFactsBytes = positive("maxFactsBytes", bytes) }

        /**
         * How many lines the log of one run of a job has at most; 10,000 unless given. The last one says that the others were
         * left out. Lines that are written at the same moment may be a few more.
         */
        public fun maxLogLines(lines: Int): Builder = apply { maxLogLines = positive("maxLogLines", lines) }

        /**
         * Whether the client tells others what it does, and hears them, over LISTEN and NOTIFY; on unless said. Off, it sends
         * nothing and never opens a connection to listen: waiting workers then find new work by looking, at their interval.
         * Everything still happens, only later. Switch it off where the service prepares transactions for a two-phase commit:
         * PostgreSQL does not prepare one that notifies.
         */
        public fun notifications(enabled: Boolean): Builder = apply { notifications = enabled }

        /**
         * Where the one connection that listens comes from; the client's own data source unless given. For a service whose pool
         * is small, or whose connections go through a pooler that shares sessions between transactions, which cannot listen.
         */
        public fun listenWith(dataSource: DataSource): Builder = apply { listenWith = dataSource }

        /** The client. The builder may be used again. */
        public fun build(): RunledgerClient {
            val errors = SqlErrors(constraintErrors)
            val transactions = OwnTransactions(dataSource, errors)
            val statements = Statements(schema, notifications)
            val codec = codec ?: JacksonCodec()
            val signals = Signals(Channel(schema), if (notifications) hearing ?: newHearing() else null)
            val awaits = AwaitRuns(LookUp(statements, transactions), codec, signals)
            val limits =
                SizeLimits(maxPayloadBytes, maxOutputBytes, maxCheckpointBytes, maxContextBytes, maxFactsBytes, maxLogLines)
            val context = LedgerContext(schema, statements, transactions, codec, limits, awaits)
            return RunledgerClient(dataSource, context, errors, signals)
        }

        /** For clients that share the connection that listens. */
        @JvmSynthetic
        internal fun hearing(hearing: Hearing): Builder = apply { this.hearing = hearing }

        @JvmSynthetic
        internal fun newHearing() = Hearing(Listening(listenWith ?: dataSource, isShared = listenWith == null))

        private fun positive(name: String, value: Int): Int {
            require(value > 0) { "$name is $value: give 1 or more." }
            return value
        }

        private companion object {
            const val MEBIBYTE = 1 shl 20
            const val DEFAULT_FACTS_BYTES = 64 * 1024
            const val DEFAULT_LOG_LINES = 10_000
        }
    }
}
