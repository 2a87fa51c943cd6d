package io.runledger.exposed.verify

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSingleElement
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.fleet.beat
import io.runledger.exposed.fleet.card
import io.runledger.exposed.freshLedger
import io.runledger.exposed.membership
import io.runledger.exposed.plan
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.ledger.Health
import io.runledger.model.value.UuidV7
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

        test("a limit without permits and one that is in use are named once a job has waited long, and so are paused queues") {
            val ledger = freshLedger().define("mail", "paused")
            ledger.client.membership.enter(card("w1"))
            ledger.run(
                "INSERT INTO runledger.limits (name, permits, keyed_by) VALUES ('api', 0, 'NONE'), ('customer', 1, 'KEY'), ('idle', 0, 'NONE')",
            )
            ledger.enqueue { limit("customer", "42") }
            ledger.claim().size shouldBe 1
            ledger.enqueue { limit("api") }
            ledger.enqueue { limit("customer", "42") }
            ledger.enqueue { limit("customer", "43") }
            ledger.enqueue { queue("imports") }
            ledger.client.queues.pause("imports", "Maintenance.")
            ledger.enqueue("paused") { limit("idle") }
            ledger.client.definitions.pause("paused")

            ledger.client.health().concerns().shouldBeEmpty()
            ledger.client.health().stoppedLimits().map { it.name() } shouldContainExactlyInAnyOrder
                listOf("api", "customer", "imports")
            ledger.run("UPDATE runledger.job_queue SET next_run_at = now() - interval '5 minutes' WHERE status = 'PENDING'")
            val health = ledger.client.health()

            health.concerns() shouldContainExactlyInAnyOrder listOf(
                "Limit 'api' has 0 permits, and a job has waited for it for PT5M: give it permits.",
                "A job has waited for limit 'customer' for PT5M: raise its permits or its rate, or check the running jobs.",
                "Queue 'imports' is paused, and a job in it has been due for PT5M: resume the queue.",
            )
            health.stoppedLimits().single { it.isQueue }.let { it.name() to it.isPaused } shouldBe ("imports" to true)
        }

        test("a queue with due jobs that no live worker serves is named") {
            val ledger = freshLedger().define("mail")
            listOf("imports", "exports").forEach { ledger.enqueue { queue(it) } }
            val worker =
                WorkerCard(UuidV7.next(), "w1", emptySet(), listOf("mail"), setOf("exports"), 1, "1", null, "pod", 1, beat)
            ledger.client.membership.enter(worker)
            ledger.run("UPDATE runledger.job_queue SET next_run_at = now() - interval '5 minutes'")

            val health = ledger.client.health()

            health.unservedQueues().map { it.name() } shouldContainExactly listOf("imports")
            health.concerns() shouldContainExactly
                listOf("No live worker serves queue 'imports', and a job in it has been due for PT5M: start a worker for it.")
            ledger.run("UPDATE runledger.workers SET queues = NULL")
            ledger.client.health().concerns().shouldBeEmpty()
            ledger.run("UPDATE runledger.workers SET job_types = '{other}'")
            ledger.client.health().unservedQueues().map { it.name() } shouldContainExactlyInAnyOrder listOf("exports", "imports")
        }

        test("one job of each flow group is read, of a bounded number of groups") {
            val ledger = freshLedger().define("mail")
            ledger.run(
                "INSERT INTO runledger.limits (name, permits, keyed_by) VALUES ('customer', 0, 'KEY')",
                """INSERT INTO runledger.job_queue (job_type, max_attempts, flow_group, limit_keys, next_run_at)
                    SELECT 'mail', 1, md5((n % 2000)::text)::uuid, ARRAY['customer:' || n % 2000], now() - interval '5 minutes'
                    FROM generate_series(1, 40000) n""",
                "VACUUM ANALYZE runledger.job_queue",
            )
            val plan = ledger.plan("verify/health_flow") {
                int("most", 500)
                int("limit", 20)
            }

            withClue(plan.text) {
                plan.text shouldNotContain "Seq Scan on job_queue"
                // 500 groups, each found by a few pages of the index, twice where a step looks for the next priority.
                plan.pages shouldBeLessThan 8_000
            }
            ledger.client.health().stoppedLimits().single().name() shouldBe "customer"
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
                emptyList(),
                emptyList(),
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
