package io.runledger.exposed.ledgers

import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.Ledgers
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.lifecycle.LedgerRoles
import io.runledger.exposed.schema.SchemaName
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import org.postgresql.ds.PGSimpleDataSource
import java.util.UUID

/** The roles of a tenant have no rights outside its schema. */
class LedgerRolesSpec :
    FunSpec({
        val mail = JobType.of("mail", Map::class.java)

        /** Roles belong to the server, so every test uses its own names. */
        fun tenant() = "t" + UUID.randomUUID().toString().replace("-", "").take(12)

        test("the roles are named after the schema, and making them again changes nothing") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)
            val schema = tenant()
            ledgers.create(schema)

            repeat(2) {
                ledgers.createRoles(schema) shouldContainExactly
                    listOf("reader", "producer", "worker", "operator", "migrator").map { "${schema}_$it" }
            }
        }

        test("a member of a tenant's role works in that tenant's ledger, and can neither see nor change another") {
            val ledger = emptyLedger()
            val owner = Ledgers.of(ledger.dataSource)
            val (mine, other) = List(2) { tenant() }
            listOf(mine, other).forEach {
                owner.create(it)
                owner.createRoles(it)
                owner.client(it).definitions.sync(listOf(mail))
            }
            val request = JobRequest.builder("mail", Json.EMPTY_OBJECT).build()
            val claim = ClaimRequest.of(listOf("mail"), "w1", lease, 1)

            for (role in listOf("worker", "operator", "migrator")) {
                val member = Ledgers.of(ledger.asRole { listOf("GRANT ${mine}_$role TO $it") })
                member.client(mine).jobs.enqueue(request)
                member.client(mine).leases.claim(claim) shouldHaveSize 1

                val foreign = member.client(other)
                val calls: List<() -> Any?> = listOf(
                    { foreign.jobs.enqueue(request) },
                    { foreign.leases.claim(claim) },
                    { foreign.jobs.openDeadLetters(Scope.everything(), 1) },
                    { foreign.requireCompatibleSchema() },
                    { member.drop(other) },
                    { member.create(tenant()) },
                )
                calls.forAll { call -> shouldRefuse(ErrorCode.PERMISSION_DENIED) { call() } }
            }
            owner.client(other).metrics.jobs(Scope.everything()).forAll { it.pending() shouldBe 0 }
        }

        test("a role of such a name that is somebody else's is refused, and nothing is made or granted") {
            val ledger = emptyLedger()
            val ledgers = Ledgers.of(ledger.dataSource)
            val schema = tenant()
            ledgers.create(schema)
            ledger.run("CREATE ROLE ${schema}_worker NOLOGIN")
            fun roles() = ledger.rows("SELECT rolname FROM pg_roles WHERE rolname LIKE '${schema}_%'")

            val refusal = shouldRefuse(ErrorCode.SCHEMA_ROLE_TAKEN) { ledgers.createRoles(schema) }

            refusal.message.orEmpty() shouldContain "The role ${schema}_worker exists and was not made for this ledger"
            roles() shouldContainExactly listOf("${schema}_worker")
            ledger.value("SELECT has_schema_privilege('${schema}_worker', '$schema', 'USAGE')") shouldBe "f"
            ledger.run("ALTER ROLE ${schema}_worker RENAME TO ${schema}_worker_login")
            ledgers.createRoles(schema)
            ledger.value("SELECT pg_has_role('${schema}_operator', '${schema}_worker_login', 'USAGE')") shouldBe "f"
        }

        test("a role of the ledger's that was made a login is refused until it is none") {
            val ledger = emptyLedger()
            val ledgers = Ledgers.of(ledger.dataSource)
            val schema = tenant()
            ledgers.create(schema)
            ledgers.createRoles(schema)
            ledger.run("ALTER ROLE ${schema}_reader LOGIN")

            shouldRefuse(ErrorCode.SCHEMA_ROLE_TAKEN) { ledgers.createRoles(schema) }
                .message.orEmpty() shouldContain "ALTER ROLE ${schema}_reader NOLOGIN"
            ledger.run("ALTER ROLE ${schema}_reader NOLOGIN")
            ledgers.createRoles(schema) shouldHaveSize 5
        }

        test("what others put on the search path is not called by who makes roles") {
            val ledger = emptyLedger()
            val schema = tenant()
            ledger.run(
                "CREATE SCHEMA trap",
                "CREATE FUNCTION trap.format(text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE ''format''; END'",
                "CREATE FUNCTION trap.hashtextextended(text, integer) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RAISE ''hash''; END'",
                "CREATE VIEW trap.pg_roles AS SELECT 'nobody'::name AS rolname, true AS rolcanlogin, 0::oid AS oid",
            )
            val trapped = (ledger.dataSource as PGSimpleDataSource).also { it.currentSchema = "trap, pg_catalog" }
            Ledgers.of(ledger.dataSource).create(schema)

            repeat(2) { Ledgers.of(trapped).createRoles(schema) shouldHaveSize 5 }
            repeat(2) {
                trapped.connection.use { connection ->
                    connection.createStatement().use { it.execute(LedgerRoles(SchemaName(schema)).script()) }
                }
            }
        }

        test("a schema whose roles would have names too long is refused before anything is made") {
            val ledgers = Ledgers.of(emptyLedger().dataSource)

            shouldRefuse(ErrorCode.SCHEMA_NAME) { ledgers.createRoles("t".repeat(55)) }
        }
    })
