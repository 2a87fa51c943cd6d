package io.runledger.exposed.definition

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.plan
import io.runledger.exposed.planRows
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.gate
import io.runledger.model.error.ErrorCode
import io.runledger.model.fleet.FleetMetrics.LimitLoad
import io.runledger.model.fleet.FleetMetrics.QueueLoad
import io.runledger.model.fleet.FleetMetrics.TypeLoad
import io.runledger.model.fleet.FleetMetrics.Workers
import io.runledger.model.flow.KeyedBy
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRequest
import java.time.Duration

class FleetMetricsSpec :
    FunSpec({
        fun TestLedger.pending(type: String, due: String, count: Int = 1, priority: String = "100", isPaused: Boolean = false) =
            run(
                "INSERT INTO runledger.job_queue (job_type, max_attempts, priority, next_run_at, is_paused) " +
                    "SELECT '$type', 1, $priority, $due, $isPaused FROM generate_series(1, $count) n",
            )

        fun TestLedger.leased(type: String, expires: String, count: Int) = run(
            """INSERT INTO runledger.job_queue (job_type, max_attempts, status, attempt, lease_id, worker_id, leased_at, lease_expires_at,
                lease_seconds, claim_origin, started_at)
                SELECT '$type', 1, 'LEASED', 1, gen_random_uuid(), 'w', now(), $expires, 60, 'DIRECT', now() FROM generate_series(1, $count)""",
        )

        fun TestLedger.dead(type: String, count: Int) = run(
            "INSERT INTO runledger.job_queue (job_type, max_attempts, status, attempt, finished_at) " +
                "SELECT '$type', 1, 'DEAD_LETTERED', 1, now() FROM generate_series(1, $count)",
        )

        fun TestLedger.worker(state: String, beat: String, slots: Int, busy: Int) = run(
            """INSERT INTO runledger.workers (id, worker_id, process_id, beat_ms, slots, busy_slots, held_jobs, state, host, library_version,
                labels, job_types, beat_at) VALUES (gen_random_uuid(), 'w', 1, 5000, $slots, $busy, 1, '$state', 'h', '1', '{}', '{}', $beat)""",
        )

        fun TestLedger.load(type: String): TypeLoad = client.metrics.fleet().types().single { it.jobType() == type }

        test("a ledger without types, workers and runs has zeros and no ages") {
            val fleet = freshLedger().client.metrics.fleet()

            fleet.types().shouldBeEmpty()
            fleet.workers() shouldBe Workers(0, 0, 0, 0, 0, 0, 0)
            listOf(fleet.expiredLeases(), fleet.lateSchedules(), fleet.openRuns(), fleet.waitingGates()).sum() shouldBe 0
            listOf(fleet.longestExpiry(), fleet.longestLateness(), fleet.longestGateWait()).forEach { it.shouldBeNull() }
            fleet.limit() shouldBe 10_000
        }

        test("jobs count by type as due, scheduled, paused, running and dead, whether or not they were delayed") {
            val ledger = freshLedger().define("crawl", "mail")
            ledger.pending("mail", "now() - interval '1 hour'", 3)
            ledger.pending("mail", "now() + interval '1 hour'", 2)
            ledger.run(
                "UPDATE runledger.job_queue SET next_run_at = now() - interval '2 hours', updated_at = now() - interval '3 hours' WHERE id = (SELECT id FROM runledger.job_queue WHERE next_run_at > now() LIMIT 1)",
            )
            ledger.pending("mail", "now()", 4, isPaused = true)
            ledger.leased("mail", "now() + interval '1 hour'", 5)
            ledger.leased("crawl", "now() - interval '10 minutes'", 1)
            ledger.dead("mail", 6)

            val fleet = ledger.client.metrics.fleet()

            val mail = fleet.types().single { it.jobType() == "mail" }
            mail.oldestDue().shouldNotBeNull() shouldBeGreaterThanOrEqualTo Duration.ofHours(2)
            mail shouldBe TypeLoad("mail", 4, 1, 4, 5, 6, mail.oldestDue(), false)
            fleet.types().map { it.jobType() } shouldContainExactly listOf("crawl", "mail")
            fleet.types().first() shouldBe TypeLoad("crawl", 0, 0, 0, 1, 0, null, false)
            fleet.expiredLeases() shouldBe 1
            fleet.longestExpiry().shouldNotBeNull() shouldBeGreaterThanOrEqualTo Duration.ofMinutes(10)
        }

        test("due jobs of a paused type count as paused and have no age") {
            val ledger = freshLedger().define("mail")
            ledger.pending("mail", "now() - interval '1 hour'", 3)
            ledger.client.definitions.pause("mail")

            ledger.load("mail") shouldBe TypeLoad("mail", 0, 0, 3, 0, 0, null, false)
        }

        test("the oldest due job is found in any priority, and times set to infinity by hand have no age") {
            val ledger = freshLedger().define("crawl", "mail", "sync")
            ledger.pending("mail", "now() - interval '1 minute'", 50, priority = "100 + n")
            ledger.pending("mail", "now() - interval '5 hours'", 1, priority = "120")
            ledger.pending("crawl", "'-infinity'")
            ledger.pending("sync", "'infinity'")

            ledger.load("mail").oldestDue().shouldNotBeNull() shouldBeGreaterThanOrEqualTo Duration.ofHours(5)
            ledger.load("crawl") shouldBe TypeLoad("crawl", 1, 0, 0, 0, 0, null, false)
            ledger.load("sync") shouldBe TypeLoad("sync", 0, 1, 0, 0, 0, null, false)
        }

        test("a count stops at the limit and says so") {
            val ledger = freshLedger().define("mail")
            ledger.pending("mail", "now() - interval '1 hour'", 30)
            ledger.dead("mail", 5)

            ledger.client.metrics.fleet(10).types().single().let { it.due() to it.isCapped } shouldBe (10L to true)
            ledger.client.metrics.fleet(31).types().single().let { it.due() to it.isCapped } shouldBe (30L to false)
        }

        test("workers count by state, and lost ones only as lost") {
            val ledger = freshLedger()
            ledger.worker("WORKING", "now()", 8, 3)
            ledger.worker("WORKING", "now()", 8, 8)
            ledger.worker("DRAINING", "now()", 4, 1)
            ledger.worker("DRAINED", "now()", 4, 0)
            ledger.worker("STOPPING", "now()", 2, 1)
            ledger.worker("WORKING", "now() - interval '1 hour'", 100, 100)

            ledger.client.metrics.fleet().workers().let {
                it shouldBe Workers(2, 2, 1, 1, 26, 13, 5)
                it.alive() shouldBe 5
            }
        }

        test("a schedule is late after a minute, a paused one never") {
            val ledger = freshLedger().define("mail")
            listOf("late", "soon", "paused").forEach { name ->
                ledger.client.schedules.upsert(ScheduleRequest.builder(name, "mail", null).every(Duration.ofHours(1)).build())
            }
            ledger.run(
                "UPDATE runledger.job_schedules SET next_fire_at = now() - interval '10 minutes' WHERE name <> 'soon'",
                "UPDATE runledger.job_schedules SET next_fire_at = now() - interval '10 seconds' WHERE name = 'soon'",
                "UPDATE runledger.job_schedules SET is_active = false WHERE name = 'paused'",
            )

            val fleet = ledger.client.metrics.fleet()

            fleet.lateSchedules() shouldBe 1
            fleet.longestLateness().shouldNotBeNull().let {
                it shouldBeGreaterThanOrEqualTo Duration.ofMinutes(10)
                (it < Duration.ofMinutes(60)) shouldBe true
            }
        }

        test("open runs and waiting gates count, ended runs do not") {
            val ledger = freshLedger().define("mail")
            val flow = WorkflowRequest.builder("flow").also { it.gate("approval") }.build()
            repeat(2) { ledger.client.workflows.enqueue(flow) }
            val third = ledger.client.workflows.enqueue(flow).runId()
            ledger.client.workflows.cancel(Scope.everything(), third, "Enough.")
            ledger.run("UPDATE runledger.workflow_step_rows SET released_at = released_at - interval '1 day' WHERE is_open_gate")

            val fleet = ledger.client.metrics.fleet()

            fleet.openRuns() to fleet.waitingGates() shouldBe (2L to 2L)
            fleet.longestGateWait().shouldNotBeNull() shouldBeGreaterThanOrEqualTo Duration.ofDays(1)
        }

        test("limits count the running and due jobs of all their keys, and queues their live jobs") {
            val ledger = freshLedger().define("mail", "crawl")
            ledger.run(
                "INSERT INTO runledger.limits (name, permits, keyed_by) VALUES ('api', 1, 'NONE'), ('customer', 1, 'KEY'), ('idle', NULL, 'NONE')",
            )
            repeat(3) { ledger.enqueue { limit("api").queue("imports") } }
            listOf("1", "1", "2").forEach { key -> ledger.enqueue("crawl") { limit("customer", key) } }
            ledger.enqueue { queue("later").delay(Duration.ofHours(1)) }
            ledger.claim("mail", "crawl").size shouldBe 3
            ledger.run("UPDATE runledger.job_queue SET next_run_at = now() - interval '2 hours' WHERE queue = 'imports'")
            ledger.client.queues.pause("exports", "Maintenance.")

            val fleet = ledger.client.metrics.fleet()

            fleet.limits() shouldContainExactly listOf(
                LimitLoad("api", KeyedBy.NONE, 1, 1, 2, false),
                LimitLoad("customer", KeyedBy.KEY, 1, 2, 1, false),
                LimitLoad("idle", KeyedBy.NONE, null, 0, 0, false),
            )
            val imports = fleet.queues().single { it.name() == "imports" }
            imports.oldestDue().shouldNotBeNull() shouldBeGreaterThanOrEqualTo Duration.ofHours(2)
            fleet.queues() shouldContainExactly listOf(
                QueueLoad("exports", 0, 0, null, true, false),
                QueueLoad("imports", 2, 1, imports.oldestDue(), false, false),
                QueueLoad("later", 1, 0, null, false, false),
            )
            ledger.client.metrics.fleet(1).let { capped ->
                capped.limits().first() shouldBe LimitLoad("api", KeyedBy.NONE, 1, 1, 1, true)
                capped.queues()[1].let { it.waiting() to it.isCapped } shouldBe (1L to true)
            }
        }

        test("of limits and queues the first hundred names are read, and a bounded part of their jobs") {
            val ledger = freshLedger().define("mail")
            ledger.run(
                "INSERT INTO runledger.limits (name, permits, keyed_by) SELECT 'l' || 1000 + n, 1, 'NONE' FROM generate_series(1, 150) n",
                """INSERT INTO runledger.job_queue (max_attempts, job_type, flow_group, queue, limit_keys)
                    SELECT 1, 'mail', md5((n % 150)::text)::uuid, 'q' || n % 150, ARRAY['l' || 1001 + n % 150, 'queue:q' || n % 150]
                    FROM generate_series(1, $planRows) n""",
                "VACUUM ANALYZE runledger.job_queue",
            )

            val fleet = ledger.client.metrics.fleet(10)
            val plans = listOf("metrics/fleet_limits", "metrics/fleet_queues").map { statement ->
                ledger.plan(statement) {
                    int("limit", 10)
                    int("names", 100)
                }
            }

            fleet.limits().size to fleet.queues().size shouldBe (100 to 100)
            plans.forEach { plan ->
                withClue(plan.text) {
                    plan.text shouldNotContain "Seq Scan on job_queue"
                    // A hundred queues, ten jobs of each.
                    plan.pages shouldBeLessThan 3_000
                }
            }
        }

        listOf(0, -1, 1_000_001).forEach { limit ->
            test("a limit of $limit is refused") {
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { freshLedger().client.metrics.fleet(limit) }
            }
        }

        test("its statement on types reads a bounded number of pages, however many jobs wait, are scheduled, dead or done") {
            val ledger = freshLedger().define("mail", "crawl")
            fun plan(limit: Int) = ledger.plan("metrics/fleet") {
                int("limit", limit)
                long("late_us", 60_000_000)
            }
            val values = listOf(
                "'mail', 'PENDING', 100, now() - n * interval '1 ms', NULL::timestamptz",
                "'mail', 'PENDING', n, now() + interval '1 day', NULL",
                "'crawl', 'PENDING', n, now() - n * interval '1 ms', NULL",
                "'crawl', 'DEAD_LETTERED', 100, now(), now()",
                "'crawl', 'SUCCEEDED', 100, now(), now()",
            )
            values.forEach { columns ->
                ledger.run(
                    "INSERT INTO runledger.job_queue (max_attempts, job_type, status, priority, next_run_at, finished_at) " +
                        "SELECT 1, $columns FROM generate_series(1, $planRows) n",
                )
            }
            ledger.run("ANALYZE runledger.job_queue")

            val plan = plan(1_000)

            println(
                "PLAN fleet metrics of at most 1000 rows per count beside ${values.size} * $planRows jobs: ${plan.pages} pages",
            )
            withClue(plan.text) {
                plan.text shouldNotContain "Seq Scan on job_queue"
                // Ten counts of at most 1000 entries, each of which may have its row on another page, and 2 * 100 priorities.
                plan.pages shouldBeLessThan 12_000
            }
        }
    })
