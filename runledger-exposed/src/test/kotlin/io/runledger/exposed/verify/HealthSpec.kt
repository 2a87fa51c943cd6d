package io.runledger.exposed.verify

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSingleElement
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.ledger.Health
import java.sql.Connection
import java.time.Duration

class HealthSpec :
    FunSpec({
        test("a ledger with nothing to do is well") {
            val ledger = freshLedger().define("mail")
            ledger.enqueue { delay(Duration.ofHours(1)) }

            val health = ledger.client.health()

            health.longestWait() shouldBe null
            health.expiredLeases() shouldBe 0
            health.longestExpiry() shouldBe null
            health.tables().map { it.name() } shouldContainExactly
                listOf("job_attempts", "job_queue", "workflow_runs", "workflow_step_rows")
            health.concerns().shouldBeEmpty()
        }

        test("the longest wait is that of the job due first, whatever its type and priority, unless its type is paused") {
            val ledger = freshLedger().define("mail", "slow", "paused")
            listOf("mail" to 3, "slow" to 7, "paused" to 60).forEach { (type, minutes) ->
                repeat(3) { n -> ledger.enqueue(type) { priority(n) } }
                ledger.run(
                    "UPDATE runledger.job_queue SET next_run_at = now() - interval '$minutes minutes' " +
                        "WHERE job_type = '$type' AND priority = 1",
                )
            }
            ledger.client.definitions.pause("paused")

            val health = ledger.client.health()

            health.longestWait().shouldNotBeNull().toMinutes() shouldBe 7
            health.concerns().single() shouldContain "PT7M"
        }

        test("leases that have expired and were not reaped are counted") {
            val ledger = freshLedger().define("mail")
            repeat(3) { ledger.enqueue() }
            ledger.claim(limit = 2)
            ledger.client.health().expiredLeases() shouldBe 0
            ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '5 minutes' WHERE status = 'LEASED'")

            val health = ledger.client.health()

            health.expiredLeases() shouldBe 2
            health.longestExpiry().shouldNotBeNull().toMinutes() shouldBe 5
            health.concerns() shouldHaveSingleElement { "2 leases have expired" in it }
        }

        test("a transaction that somebody keeps open shows, with what happened since") {
            val ledger = freshLedger().define("mail")
            ledger.database.connect().use { old ->
                old.autoCommit = false
                old.transactionIsolation = Connection.TRANSACTION_REPEATABLE_READ
                old.createStatement().use { it.executeQuery("SELECT 1").close() }
                repeat(20) { ledger.enqueue() }

                val health = ledger.client.health()

                health.snapshotTransactions() shouldBeGreaterThan 19
                health.snapshotAge().shouldNotBeNull().isNegative shouldBe false
            }
        }

        test("workers that are told to drain are named where jobs wait, and by themselves once they have been for long") {
            val ledger = freshLedger().define("mail")
            ledger.enqueue()
            ledger.run("UPDATE runledger.job_queue SET next_run_at = now() - interval '3 minutes'")
            ledger.client.workers.drain(WorkerSelection.labelled("eu"), "Deploy 4.2")
            ledger.client.workers.drain(WorkerSelection.all(), "Forgotten.", Duration.ofHours(1))

            ledger.client.health().concerns().single() shouldStartWith
                "A job has been due for PT3M: resume the drained workers"
            ledger.run("UPDATE runledger.worker_orders SET ordered_at = now() - interval '20 minutes' WHERE label = 'eu'")
            val health = ledger.client.health()
            ledger.run("UPDATE runledger.worker_orders SET ends_at = now()")
            val later = ledger.client.health()

            health.standingDrains() shouldBe 2
            health.longestDrain().shouldNotBeNull().toMinutes() shouldBe 20
            health.concerns().last() shouldStartWith "2 drain orders are in effect, the oldest for PT20M"
            later.standingDrains() to later.longestDrain() shouldBe (0L to null)
        }

        test("what is out of hand becomes a sentence that says what to do") {
            val health = Health(
                Duration.ofHours(2),
                3,
                Duration.ofMinutes(5),
                0,
                null,
                1_000_000,
                Duration.ofHours(1),
                listOf(Health.Table("job_queue", 10, 200_000, null), Health.Table("job_attempts", 500_000, 200_000, null)),
            )

            health.concerns() shouldContainExactly listOf(
                "A job has been due for PT2H: start more workers, or check the running ones.",
                "3 leases have expired, the first PT5M ago, and were not reaped: run a worker with its reaper enabled.",
                "A transaction has been open for PT1H and prevents vacuum: end it " +
                    "(pg_stat_activity, oldest backend_xmin).",
                "job_queue has 200000 dead rows and 10 live rows: check that autovacuum runs and that no old transaction blocks it.",
            )
        }
    })
