package io.runledger.exposed.flow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Plan
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claimPlan
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.plan
import io.runledger.exposed.planRows
import io.runledger.model.flow.KeyedBy
import io.runledger.model.flow.LimitValues
import java.util.UUID

/** The pages that claims read must not grow with the jobs that limits keep waiting. */
class FlowPlanSpec :
    FunSpec({
        /** Jobs of [type] with the limit key [key], an expression in which `n` counts the jobs. */
        fun TestLedger.jobs(count: Long, type: String, key: String?, status: String = "PENDING") = run(
            """
            INSERT INTO runledger.job_queue (job_type, max_attempts, next_run_at, limit_keys, flow_group, status, attempt, lease_id,
                worker_id, leased_at, lease_expires_at, lease_seconds, claim_origin)
            SELECT '$type', 1, now() - interval '1 minute' + n * interval '1 ms',
                CASE WHEN k.key IS NOT NULL THEN ARRAY[k.key] END, md5(k.key)::uuid, '$status', l.is_leased::int,
                CASE WHEN l.is_leased THEN gen_random_uuid() END, CASE WHEN l.is_leased THEN 'w0' END,
                CASE WHEN l.is_leased THEN now() END, CASE WHEN l.is_leased THEN now() + interval '1 hour' END,
                CASE WHEN l.is_leased THEN 60 END, CASE WHEN l.is_leased THEN 'DIRECT' END
            FROM generate_series(1, $count) n, LATERAL (SELECT ${key ?: "NULL::text"} AS key) k, (SELECT ${status == "LEASED"} AS is_leased) l
            """,
        )

        fun TestLedger.pickPlan(type: String): Plan = plan("claim/pick_flow") {
            texts("job_types", listOf(type))
            ints("type_limits", listOf(null))
            textsOrNull("queues", null)
            int("limit", 100)
            uuids("starts", listOf(UUID(0, 0)))
            bool("is_beside", false)
        }

        /** The permit of a key is in use, and a great many jobs wait for it. */
        fun TestLedger.hotKey(waiting: Long = planRows): TestLedger = apply {
            jobs(1, "push", "'customer:hot'", "LEASED")
            jobs(waiting, "push", "'customer:hot'")
        }

        fun TestLedger.ready(): TestLedger = apply {
            run("VACUUM ANALYZE runledger.job_queue", "VACUUM ANALYZE runledger.limit_keys")
        }

        fun ledger(): TestLedger = freshLedger().define("mail", "push", "sync").apply {
            putLimit("customer", LimitValues.permits(1), KeyedBy.KEY)
        }

        listOf("mail", "push").forEach { type ->
            test(
                "a claim of plain jobs does not read more beside a hot key of ${if (type == "mail") "another" else "the same"} type",
            ) {
                val alone = ledger().apply { jobs(200, type, null) }.ready().claimPlan(type)

                val beside = ledger().hotKey().apply { jobs(200, type, null) }.ready().claimPlan(type)

                println(
                    "PLAN claim of 100 plain jobs beside $planRows that wait for a key: ${beside.pages} pages, alone: ${alone.pages}",
                )
                beside.text shouldNotContain "Seq Scan on job_queue"
                // Deeper indexes cost a page for each job and index.
                beside.pages shouldBeLessThan alone.pages * 2 + 300
            }

            test("a claim that finds no plain jobs reads only a few pages more beside a hot key, type $type") {
                val alone = ledger().ready().claimPlan(type)

                val beside = ledger().hotKey().ready().claimPlan(type)

                println("PLAN empty claim beside $planRows that wait for a key: ${beside.pages} pages, alone: ${alone.pages}")
                beside.pages shouldBeLessThan alone.pages + 20
            }
        }

        test("a claim passes a hot key with as few pages as one that few jobs wait for") {
            val few = ledger().hotKey(waiting = 200).ready().pickPlan("push")

            val many = ledger().hotKey().ready().pickPlan("push")

            println("PLAN choice among $planRows jobs that wait for one key: ${many.pages} pages, among 200: ${few.pages}")
            many.pages shouldBeLessThan few.pages + 50
        }

        test("a claim of other jobs with limits does not read more beside a hot key") {
            val alone = ledger().apply { jobs(200, "sync", "'customer:' || n") }.ready().pickPlan("sync")

            val beside = ledger().hotKey().apply { jobs(200, "sync", "'customer:' || n") }.ready().pickPlan("sync")

            println(
                "PLAN choice of 100 keys beside $planRows jobs that wait for another one: ${beside.pages} pages, alone: ${alone.pages}",
            )
            beside.pages shouldBeLessThan alone.pages * 2 + 300
        }

        test("a claim does not read more beside keys of the same type that have had their turn") {
            fun TestLedger.finished(count: Long) = run(
                "INSERT INTO runledger.job_queue (job_type, max_attempts, limit_keys, flow_group, status, finished_at) " +
                    "SELECT 'sync', 1, ARRAY['customer:' || n], md5('customer:' || n)::uuid, 'SUCCEEDED', now() " +
                    "FROM generate_series(1, $count) n",
                "INSERT INTO runledger.limit_keys (limit_key) SELECT 'customer:' || n FROM generate_series(1, $count) n",
            )
            val alone = ledger().apply { jobs(200, "sync", "'customer:' || n") }.ready().pickPlan("sync")

            val beside = ledger().apply {
                finished(planRows)
            }.apply { jobs(200, "sync", "'customer:' || n") }.ready().pickPlan("sync")

            println("PLAN choice of 100 keys beside $planRows that ended: ${beside.pages} pages, alone: ${alone.pages}")
            beside.pages shouldBeLessThan alone.pages * 2 + 300
        }

        test("however many keys wait for their permits, a claim looks at a bounded number of them") {
            val some = ledger().apply {
                jobs(4_000, "push", "'customer:' || n", "LEASED")
                jobs(4_000, "push", "'customer:' || n")
            }.ready()
            val many = ledger().apply {
                jobs(planRows, "push", "'customer:' || n", "LEASED")
                jobs(planRows, "push", "'customer:' || n")
            }.ready()

            val few = some.pickPlan("push")
            val plan = many.pickPlan("push")

            println("PLAN choice among $planRows keys without permits: ${plan.pages} pages; among 4000: ${few.pages}")
            // The permits in use are read as well: one row for each lease.
            plan.pages shouldBeLessThan few.pages * 2 + planRows * 2
        }
    })
