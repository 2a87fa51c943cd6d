package io.runledger.exposed

import io.runledger.exposed.lifecycle.Destroying
import io.runledger.exposed.lifecycle.DropLedger
import io.runledger.exposed.lifecycle.DroppedLedger
import io.runledger.exposed.lifecycle.LedgerRoles
import io.runledger.exposed.lifecycle.ListLedgers
import io.runledger.exposed.lifecycle.ListedLedger
import io.runledger.exposed.migration.MigrationReport
import io.runledger.exposed.migration.SchemaMigration
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.SqlErrors
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.SchemaException
import java.util.concurrent.ConcurrentHashMap
import java.util.function.Consumer
import javax.sql.DataSource

/**
 * The ledgers of one database, one per schema: creates, lists and drops them, and provides their clients. For services that
 * keep each tenant in a separate schema. Safe for use by many threads.
 *
 * All clients have the same settings and share one listener connection. Every method refuses a name that is not a plain
 * identifier with `schema.invalid_name`.
 */
public class Ledgers private constructor(
    private val dataSource: DataSource,
    private val settings: Consumer<RunledgerClient.Builder>,
) {
    private val errors = SqlErrors()
    private val notificationHub by lazy { builder().newNotificationHub() }
    private val clients = ConcurrentHashMap<String, RunledgerClient>()

    /**
     * The client of the ledger in [schema]. The first call creates the client; later calls return the same one until [drop]
     * drops the ledger. Does not access the database, so the ledger need not exist yet.
     */
    public fun client(schema: String): RunledgerClient =
        clients.computeIfAbsent(schema) { builder().schema(it).notificationHub(notificationHub).build() }

    /**
     * Creates the ledger in [schema], or migrates it to the version of this build; see [RunledgerClient.migrate]. If the
     * ledger is current, nothing changes. Any number of processes may create the same ledger at once. If a process dies during
     * the migration, the next call continues it.
     */
    public fun create(schema: String): MigrationReport {
        val migration = SchemaMigration(dataSource, SchemaName(schema), errors)
        return try {
            migration.run()
        } catch (missing: SchemaException) {
            // Another session dropped the schema between two reads.
            if (missing.code() != ErrorCode.SCHEMA_MISSING) throw missing
            migration.run()
        }
    }

    /**
     * Creates the roles of `roles.sql` for the ledger in [schema], and grants them their rights on that schema only. For
     * `acme` they are `acme_reader`, `acme_producer`, `acme_worker`, `acme_operator` and `acme_migrator`. The call may be
     * repeated, and must be repeated after every upgrade. It needs a role that owns the schema and may create roles. The name
     * of the schema may have at most 54 characters. Roles belong to the server: they stay when the ledger is dropped, and
     * ledgers of the same name in two databases of a server share them.
     *
     * Refused with `schema.role_taken`, without any change, if a role of such a name exists that Runledger did not create or
     * that can log in.
     */
    public fun createRoles(schema: String): List<String> = LedgerRoles(SchemaName(schema)).create(dataSource, errors)

    /**
     * Every ledger of the database with its compatibility with this build, in order of name. Includes ledgers that are
     * incomplete. The list is not paged, because the catalog of the database is read as a whole.
     */
    public fun list(): List<ListedLedger> = ListLedgers(dataSource, errors).list()

    /**
     * Drops the ledger in [schema] with all its data in one transaction. The call waits for running statements of workers and
     * blocks new ones. Afterwards, calls of its workers and clients fail with `schema.missing`.
     *
     * Refused without any change: with `schema.in_use` while jobs or runs have not ended, unless [destroying] allows it; with
     * `schema.missing` if there is no ledger; with `schema.not_alone` if the schema contains objects that the migrations did
     * not create, or if objects elsewhere depend on it; with `db.lock_not_available` if a transaction holds a lock on it for
     * ten seconds.
     */
    @JvmOverloads
    public fun drop(schema: String, destroying: Destroying = Destroying.HISTORY): DroppedLedger =
        DropLedger(dataSource, SchemaName(schema), errors).run(destroying).also { clients.remove(schema) }

    private fun builder() = RunledgerClient.builder(dataSource).also(settings::accept)

    public companion object {
        /** The ledgers of the database of [dataSource]. [settings] is applied to the builder of each client. */
        @JvmStatic
        @JvmOverloads
        public fun of(dataSource: DataSource, settings: Consumer<RunledgerClient.Builder> = Consumer { }): Ledgers =
            Ledgers(dataSource, settings)
    }
}
