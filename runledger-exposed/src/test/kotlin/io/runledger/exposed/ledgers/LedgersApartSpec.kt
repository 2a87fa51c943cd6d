package io.runledger.exposed.ledgers

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledgers
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.emptyLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Heard
import io.runledger.exposed.signal.Signal
import io.runledger.exposed.until
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration
import java.util.UUID
import javax.sql.DataSource

/** Two tenants with the same names, keys and ids never see, change or notify each other. */
class LedgersApartSpec :
    FunSpec({
        val everything = Scope.everything()

        class Tenants(val ledger: TestLedger, pool: DataSource) {
            val ledgers: Ledgers = Ledgers.of(ledger.dataSource)
            private val onOneConnection = Ledgers.of(pool) { it.notifications(false) }
            val acme: RunledgerClient = onOneConnection.client("acme")
            val globex: RunledgerClient = onOneConnection.client("globex")

            init {
                listOf("acme", "globex").forEach(ledgers::create)
                val types = listOf("mail", "work").map { JobType.of(it, Map::class.java) }
                listOf(acme, globex).forEach { it.definitions.sync(types) }
            }

            fun fingerprint(schema: String): List<String> =
                ledger.rows("SELECT tablename FROM pg_tables WHERE schemaname = '$schema' ORDER BY 1").map { table ->
                    table + ledger.rows("SELECT t::text FROM $schema.$table t ORDER BY 1")
                }
        }

        /** Both ledgers use one connection, so that they share the state of the session. */
        fun tenants(): Tenants {
            val ledger = emptyLedger()
            val config = HikariConfig().also {
                it.dataSource = ledger.dataSource
                it.maximumPoolSize = 1
            }
            return Tenants(ledger, autoClose(HikariDataSource(config)))
        }

        fun job(key: String? = null) = JobRequest.builder("mail", Json.EMPTY_OBJECT).apply { key?.let(::idempotencyKey) }.build()

        fun RunledgerClient.claim() = leases.claim(ClaimRequest.of(listOf("mail"), "w1", lease, 10))

        test("the same keys, ids, schedules and active keys are two of each") {
            val tenants = tenants()
            val schedule = ScheduleRequest.builder("nightly", "mail", null).every(Duration.ofHours(1)).build()
            val alone = workflow {
                work("only")
                activeKey("one at a time")
            }

            val ids = listOf(tenants.acme, tenants.globex).map { client ->
                client.schedules.upsert(schedule)
                client.workflows.enqueueUnlessActive(alone)
                client.jobs.enqueue(job("once")).also { it.isNew shouldBe true }.id()
            }
            tenants.ledger.run("UPDATE globex.job_queue SET id = '${ids[0]}' WHERE id = '${ids[1]}'")
            val before = tenants.fingerprint("globex")

            tenants.acme.jobs.enqueue(job("once")).isNew shouldBe false
            tenants.acme.schedules.pause(Scope.global(), "nightly", "No.")
            tenants.acme.definitions.pause("work")
            tenants.acme.jobs.cancel(everything, ids[0])

            tenants.fingerprint("globex") shouldContainExactly before
            tenants.globex.jobs.get(everything, ids[0]).status() shouldBe JobStatus.PENDING
            tenants.acme.claim().shouldBeEmpty()
            tenants.globex.claim() shouldHaveSize 1
            shouldRefuse(ErrorCode.JOB_NOT_FOUND) { tenants.acme.jobs.get(everything, ids[1]) }
        }

        test("statements that a session has prepared for one tenant never answer for the other") {
            val tenants = tenants()

            // The driver prepares a statement on the server when it is sent for the fifth time.
            val acme = List(12) {
                val id = tenants.acme.jobs.enqueue(job()).id()
                tenants.globex.claim().shouldBeEmpty()
                tenants.acme.jobs.get(everything, id).id()
            }

            tenants.globex.metrics.jobs(everything).forAll { it.pending() shouldBe 0 }
            tenants.acme.claim().map { it.lease().jobId() }.toSet() shouldBe acme.take(10).toSet()
        }

        test("the tenants of one process listen over one connection, and each hears its own alone") {
            val tenants = tenants()
            val (acme, globex) = listOf("acme", "globex").map(tenants.ledgers::client)
            val (here, there) = List(2) { Heard() }
            fun listeners() = tenants.ledger.value(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
            ).toInt()

            val first = acme.signals.subscribe(here)
            here.shouldHear(Signal.Resumed)
            globex.signals.isListening shouldBe false
            globex.signals.subscribe(there).use {
                there.shouldHear(Signal.Resumed)
                listOf(acme, globex).forAll { it.signals.isListening shouldBe true }
                listeners() shouldBe 1

                acme.jobs.enqueue(job())
                here.shouldHear(Signal.DueJobs("mail"))
                val id = UUID.randomUUID()
                tenants.ledger.run("NOTIFY runledger_globex, 'r:$id'")
                there.shouldHear(Signal.EndedRun(id))

                first.close()
                until("acme is not listened to") { !acme.signals.isListening }
                globex.signals.isListening shouldBe true
            }
            until("nobody listens") { !globex.signals.isListening }
        }

        test("two whose names are alike in the beginning are migrated, told and dropped apart") {
            val ledger = emptyLedger()
            val ledgers = Ledgers.of(ledger.dataSource)
            val (one, two) = listOf("a", "b").map { "t".repeat(62) + it }
            listOf(one, two).forEach(ledgers::create)
            val (here, there) = List(2) { Heard() }

            ledgers.client(one).signals.subscribe(here).use {
                ledgers.client(two).signals.subscribe(there).use {
                    here.shouldHear(Signal.Resumed)
                    there.shouldHear(Signal.Resumed)
                    ledgers.client(two).definitions.sync(listOf(JobType.of("mail", Map::class.java)))
                    ledgers.client(two).jobs.enqueue(job())
                    there.shouldHear(Signal.DueJobs("mail"))
                    here.shouldHaveHeardNothing()
                }
            }
            ledgers.drop(one)

            ledgers.list().map { it.schema } shouldContainExactly listOf(two)
        }
    })
