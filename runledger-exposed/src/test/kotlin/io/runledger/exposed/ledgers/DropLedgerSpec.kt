package io.runledger.exposed.ledgers

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.Ledgers
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.catalog.BundledMigration
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.lifecycle.Destroying
import io.runledger.exposed.lifecycle.DroppedLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.until
import io.runledger.exposed.upkeep
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import org.postgresql.ds.PGSimpleDataSource
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException

private val mail = JobType.of("mail", Map::class.java)

class DropLedgerSpec :
    FunSpec({
        class Bench(val ledger: TestLedger, val ledgers: Ledgers) {
            val acme: RunledgerClient = ledgers.client("acme")

            fun schemas() = ledgers.list().map { it.schema }
        }

        /** Two tenants, each with a job type. */
        fun bench(): Bench {
            val ledger = emptyLedger()
            val ledgers = Ledgers.of(ledger.dataSource)
            listOf("acme", "globex").forEach {
                ledgers.create(it)
                ledgers.client(it).definitions.sync(listOf(mail))
            }
            return Bench(ledger, ledgers)
        }

        fun RunledgerClient.mail() = jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).build()).id()

        fun RunledgerClient.claim(limit: Int = 10) = leases.claim(ClaimRequest.of(listOf("mail"), "w1", lease, limit))

        test("a ledger whose jobs have ended goes, and nothing else does") {
            val bench = bench()
            bench.acme.mail()
            bench.acme.leases.settle(bench.acme.claim().associate { it.lease() to Verdict.Succeed(null) })

            bench.ledgers.drop("acme") shouldBe DroppedLedger("acme", 0, 0, 0)

            bench.schemas() shouldContainExactly listOf("globex")
            bench.ledger.rows("SELECT 1 FROM pg_namespace WHERE nspname = 'acme'").shouldBeEmpty()
            bench.ledgers.client("globex").requireCompatibleSchema()
            bench.ledgers.create("acme").applied.size shouldBe BundledMigration.all.size
        }

        test("jobs that wait, runs that wait and jobs that workers hold must be given up by name") {
            val bench = bench()
            bench.acme.mail()
            val waiting = shouldRefuse(ErrorCode.SCHEMA_IN_USE) { bench.ledgers.drop("acme") }
            waiting.message shouldContain "1 jobs that have not ended, of which workers hold 0, and 0 runs"

            bench.acme.claim()
            val running = shouldRefuse(ErrorCode.SCHEMA_IN_USE) { bench.ledgers.drop("acme", Destroying.UNFINISHED_JOBS) }
            running.message shouldContain "Destroying.RUNNING_JOBS"
            bench.acme.requireCompatibleSchema()

            bench.ledger.run("UPDATE acme.job_queue SET lease_expires_at = now() - interval '1 second'")
            bench.ledgers.drop("acme", Destroying.UNFINISHED_JOBS) shouldBe DroppedLedger("acme", 1, 0, 0)

            val globex = bench.ledgers.client("globex")
            globex.workflows.enqueue(workflow { externalGate("approval") { } })
            shouldRefuse(ErrorCode.SCHEMA_IN_USE) { bench.ledgers.drop("globex") }
            globex.mail()
            globex.claim()
            bench.ledgers.drop("globex", Destroying.RUNNING_JOBS) shouldBe DroppedLedger("globex", 1, 1, 1)
            bench.schemas().shouldBeEmpty()
        }

        test("one who dies in the middle of it leaves the whole ledger, which the next call drops") {
            val bench = bench()
            val job = bench.acme.mail()
            bench.ledger.run(
                "CREATE FUNCTION hold() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(42); END'",
                "CREATE EVENT TRIGGER hold ON sql_drop WHEN TAG IN ('DROP TABLE') EXECUTE FUNCTION hold()",
            )
            val doomed = (bench.ledger.dataSource as PGSimpleDataSource).also { it.applicationName = "doomed" }

            bench.ledger.database.connect().use { obstacle ->
                obstacle.createStatement().use { it.execute("SELECT pg_advisory_lock(42)") }
                val dying = CompletableFuture.runAsync { Ledgers.of(doomed).drop("acme", Destroying.UNFINISHED_JOBS) }
                val isHeld = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 42 AND NOT granted"
                until("its tables are dropped, and not yet for others") { bench.ledger.value(isHeld) == "1" }
                bench.ledger.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'doomed'")
                shouldThrow<CompletionException> { dying.join() }
            }

            bench.acme.requireCompatibleSchema()
            bench.acme.claim().map { it.lease().jobId() } shouldContainExactly listOf(job)
            bench.ledger.run("DROP EVENT TRIGGER hold")
            bench.ledgers.drop("acme", Destroying.RUNNING_JOBS) shouldBe DroppedLedger("acme", 1, 1, 0)
        }

        test("what is no ledger is left alone") {
            val bench = bench()
            bench.ledger.run("CREATE SCHEMA notes", "CREATE TABLE notes.job_queue (id int)")

            listOf("notes", "missing", "public").forAll { schema ->
                shouldRefuse(ErrorCode.SCHEMA_MISSING) { bench.ledgers.drop(schema, Destroying.RUNNING_JOBS) }
            }
            bench.ledger.value("SELECT count(*) FROM notes.job_queue") shouldBe "0"
        }

        test("nothing of anybody else's goes along, wherever it is") {
            val bench = bench()
            val foreign = mapOf(
                "CREATE TABLE acme.notes (id int)" to "DROP TABLE acme.notes",
                "CREATE SEQUENCE acme.numbers" to "DROP SEQUENCE acme.numbers",
                "CREATE FUNCTION acme.is_visible(int) RETURNS int LANGUAGE sql AS 'SELECT 1'" to
                    "DROP FUNCTION acme.is_visible(int)",
                "CREATE VIEW public.mails AS SELECT id FROM acme.job_queue" to "DROP VIEW public.mails",
                "CREATE TABLE public.bills (job uuid REFERENCES acme.job_queue (id))" to "DROP TABLE public.bills",
                "CREATE TABLE public.states (state acme.job_status)" to "DROP TABLE public.states",
            )

            for ((make, remove) in foreign) {
                bench.ledger.run(make)
                val refusal = shouldRefuse(ErrorCode.SCHEMA_NOT_ALONE) { bench.ledgers.drop("acme") }
                refusal.internalMessage() shouldContain "acme"
                bench.acme.requireCompatibleSchema()
                bench.ledger.run(remove)
            }
            bench.ledgers.drop("acme")
        }

        test("a ledger that was never finished can be dropped") {
            val bench = bench()
            bench.ledger.run(
                "DELETE FROM acme.runledger_schema_history WHERE version IN ('4', '5', '6')",
                "DROP VIEW acme.job_events, acme.job_metrics_rollup, acme.workflow_step_events",
            )

            bench.ledgers.drop("acme")

            bench.schemas() shouldContainExactly listOf("globex")
        }

        test("who may not drop it changes nothing") {
            val bench = bench()
            val stranger = bench.ledger.asRole {
                listOf("GRANT USAGE ON SCHEMA acme TO $it", "GRANT ALL ON ALL TABLES IN SCHEMA acme TO $it")
            }

            shouldRefuse(ErrorCode.PERMISSION_DENIED) { Ledgers.of(stranger).drop("acme", Destroying.RUNNING_JOBS) }

            bench.acme.requireCompatibleSchema()
        }

        test("a job that was being enqueued when the drop began is seen by it") {
            val bench = bench()

            val refusal = bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                bench.acme.within(connection).jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).build())
                val drop = CompletableFuture.supplyAsync { bench.ledgers.drop("acme") }
                until("the drop waits for the transaction") {
                    bench.ledger.rows("SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted").isNotEmpty()
                }
                connection.commit()
                drop.handle { _, failure -> (failure as CompletionException).cause }.join()
            }

            (refusal as RunledgerException).code() shouldBe ErrorCode.SCHEMA_IN_USE
            bench.acme.requireCompatibleSchema()
        }

        test("workers that claim and settle while it is dropped lose the whole ledger at once, and are told why") {
            val bench = bench()
            repeat(500) { bench.acme.mail() }
            fun work(): RunledgerException {
                val client = bench.ledgers.client("acme")
                while (true) {
                    try {
                        client.leases.settle(client.claim(2).associate { it.lease() to Verdict.Succeed(null) })
                        client.mail()
                    } catch (refusal: RunledgerException) {
                        if (!refusal.isTransient) return refusal
                    }
                }
            }
            val workers = List(3) { CompletableFuture.supplyAsync(::work) }
            until("they are at work") { bench.ledger.value("SELECT count(*) > 20 FROM acme.job_attempts") == "t" }

            bench.ledgers.drop("acme", Destroying.RUNNING_JOBS)

            workers.map { it.join().code() }.forAll { it shouldBe ErrorCode.SCHEMA_MISSING }
            bench.schemas() shouldContainExactly listOf("globex")
        }

        test("a client of a ledger that was dropped is told so, whatever it asks") {
            val bench = bench()
            bench.acme.mail()
            bench.acme.claim()
            bench.ledgers.drop("acme", Destroying.RUNNING_JOBS)

            val calls: List<() -> Any?> = listOf(
                { bench.acme.mail() },
                { bench.acme.claim() },
                { bench.acme.leases.untilDue(listOf("mail")) },
                { bench.acme.leases.reap(10, lease) },
                { bench.acme.dueSchedules.fire(10) },
                { bench.acme.upkeep.isNeeded() },
                { bench.acme.health() },
                { bench.acme.verify() },
                { bench.acme.requireCompatibleSchema() },
                { bench.acme.jobs.openDeadLetters(Scope.everything(), 10) },
            )

            calls.forAll { call -> shouldRefuse(ErrorCode.SCHEMA_MISSING) { call() } }
        }
    })
