package io.runledger.exposed

import io.runledger.exposed.schema.Destroying
import io.runledger.exposed.schema.DropLedger
import io.runledger.exposed.schema.DroppedLedger
import io.runledger.exposed.schema.LedgerRoles
import io.runledger.exposed.schema.ListLedgers
import io.runledger.exposed.schema.ListedLedger
import io.runledger.exposed.schema.MigrationReport
import io.runledger.exposed.schema.SchemaMigration
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.sql.SqlErrors
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.SchemaException
import java.util.concurrent.ConcurrentHashMap
import java.util.function.Consumer
import javax.sql.DataSource

/**
 * The ledgers of one database, one per schema: makes them, lists them, drops them, and gives clients of them. For services that
 * keep each tenant in a schema of its own. Safe for use by many threads.
 *
 * Every client it gives has the same settings, and all of them together listen over one connection. A name that is no plain
 * identifier is refused with `schema.invalid_name` everywhere.
 */
public class Ledgers private constructor(
    private val dataSource: DataSource,
    private val settings: Consumer<RunledgerClient.Builder>,
) {
    private val errors = SqlErrors()
    private val hearing by lazy { builder().newHearing() }
    private val clients = ConcurrentHashMap<String, RunledgerClient>()

    /**
     * The client of the ledger in [schema]: made at the first call, the same one at every later call, until the ledger is dropped
     * here. So it may be asked for wherever it is needed. Does not touch the database, so the ledger need not be there yet.
     */
    public fun client(schema: String): RunledgerClient =
        clients.computeIfAbsent(schema) { builder().schema(it).hearing(hearing).build() }

    /**
     * Makes the ledger in [schema], or brings it up to this build; see [RunledgerClient.migrate]. Does nothing when there is
     * nothing to do. Any number of processes may make the same ledger at once. When one dies in the middle, the next call goes
     * on where it ended.
     */
    public fun create(schema: String): MigrationReport {
        val migration = SchemaMigration(dataSource, SchemaName(schema), errors)
        return try {
            migration.run()
        } catch (missing: SchemaException) {
            // Somebody dropped it between two looks.
            if (missing.code() != ErrorCode.SCHEMA_MISSING) throw missing
            migration.run()
        }
    }

    /**
     * Makes the roles of `roles.sql` for the ledger in [schema], named after it, and grants them what they need of that schema
     * and of no other: `acme_reader`, `acme_producer`, `acme_worker`, `acme_operator` and `acme_migrator` for `acme`. May be
     * repeated, and must be after every upgrade. Needs a role that owns the schema and may create roles; the schema's name may
     * have at most 54 characters. Roles belong to the server: they stay when the ledger is dropped, and ledgers of the same name
     * in two databases of a server share them.
     *
     * Refused with `schema.role_taken`, and nothing has happened, when a role of such a name exists that was not made so, or that
     * can log in.
     */
    public fun createRoles(schema: String): List<String> = LedgerRoles(SchemaName(schema)).create(dataSource, errors)

    /** Every ledger of the database and how it stands to this build, by name; those that are not finished, too. */
    public fun list(): List<ListedLedger> = ListLedgers(dataSource, errors).list()

    /**
     * Drops the ledger in [schema] with everything in it, in one transaction: afterwards it is gone, or all of it is there.
     * Waits for statements of workers that are under way, and none comes between: what workers and clients of it do next fails
     * with `schema.missing`.
     *
     * Refused with `schema.in_use` while jobs or runs have not ended, unless [destroying] says that they may go; with
     * `schema.missing` when there is no ledger; with `schema.not_alone` when the schema holds anything that the migrations did
     * not make, or when anything elsewhere depends on it; with `db.lock_not_available` when a transaction holds on to it for
     * ten seconds. Then nothing has happened.
     */
    @JvmOverloads
    public fun drop(schema: String, destroying: Destroying = Destroying.HISTORY): DroppedLedger =
        DropLedger(dataSource, SchemaName(schema), errors).run(destroying).also { clients.remove(schema) }

    private fun builder() = RunledgerClient.builder(dataSource).also(settings::accept)

    public companion object {
        /** The ledgers of the database that [dataSource] leads to; [settings] are those of every client, asked for each. */
        @JvmStatic
        @JvmOverloads
        public fun of(dataSource: DataSource, settings: Consumer<RunledgerClient.Builder> = Consumer { }): Ledgers =
            Ledgers(dataSource, settings)
    }
}
