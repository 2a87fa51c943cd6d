package io.runledger.exposed.settle

import io.runledger.exposed.leases

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.runledger.exposed.Plan
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.plan
import io.runledger.exposed.planRows
import io.runledger.exposed.sql.Binder
import java.util.UUID

/**
 * The cost per lease of a statement about many leases does not grow with their number. The statistics are those
 * of a queue in which nothing ran when it was last analyzed, so that the planner believes there are no leases.
 */
class LeasePlansSpec :
    FunSpec({
        fun TestLedger.lease(count: Int): List<Pair<UUID, UUID>> {
            run(
                "UPDATE runledger.job_queue SET status = 'LEASED', attempt = 1, lease_id = gen_random_uuid(), worker_id = 'w', " +
                    "leased_at = now(), lease_seconds = 60, claim_origin = 'DIRECT', lease_expires_at = now() + interval '1 hour' " +
                    "WHERE id IN (SELECT id FROM runledger.job_queue WHERE status = 'PENDING' LIMIT $count)",
            )
            val leases = value("SELECT string_agg(id || ' ' || lease_id, ',') FROM runledger.job_queue WHERE status = 'LEASED'")
            return leases.split(',').map { it.split(' ') }.map { (id, lease) -> UUID.fromString(id) to UUID.fromString(lease) }
        }

        fun Binder.leases(leases: List<Pair<UUID, UUID>>) {
            uuids("job_ids", leases.map { it.first })
            uuids("lease_ids", leases.map { it.second })
        }

        fun <T> List<*>.nulls(): List<T?> = map { null }

        val successes: Binder.(List<Pair<UUID, UUID>>) -> Unit = { leases ->
            leases(leases)
            texts("outputs", leases.nulls())
            bool("is_step", false)
            int("jobs", leases.size)
        }

        val statements = mapOf<String, Binder.(List<Pair<UUID, UUID>>) -> Unit>(
            "settle/settle" to { leases ->
                leases(leases)
                texts("verdicts", leases.map { "SUCCEED" })
                texts("outcomes", leases.map { "SUCCEEDED" })
                listOf("reasons", "error_codes", "error_messages", "details", "outputs", "payloads", "checkpoints").forEach {
                    texts(it, leases.nulls())
                }
                listOf("delays_us", "not_before_us", "progress_done", "progress_total").forEach { longs(it, leases.nulls()) }
                instants("not_before", leases.nulls())
                bool("is_step", false)
                listOf("counts_code", "counts_message").forEach { text(it, "not used") }
            },
            "settle/succeed" to successes,
            "settle/succeed_before_18" to successes,
            "claim/heartbeat" to { leases ->
                leases(leases)
                int("lease_seconds", 60)
            },
            "control/progress" to { leases ->
                leases(leases)
                texts("stages", leases.nulls())
                longs("done", leases.map { 1 })
                longs("total", leases.map { 2 })
                texts("checkpoints", leases.nulls())
            },
            "settle/release" to { leases ->
                leases(leases)
                text("reason", "SHUTDOWN")
                long("delay_us", 0)
            },
        )
        statements.forEach { (name, bind) ->
            test("$name costs as much for each lease, be they 50 or 500") {
                val ledger = freshLedger().apply { define("mail") }
                if (name == "settle/succeed" && ledger.value("SHOW server_version_num").toInt() < 180_000) return@test
                ledger.run(
                    "INSERT INTO runledger.job_queue (id, job_type, max_attempts) SELECT gen_random_uuid(), 'mail', 3 " +
                        "FROM generate_series(1, $planRows)",
                    "VACUUM ANALYZE runledger.job_queue",
                )

                fun planOf(count: Int): Plan = ledger.lease(count).let { leases -> ledger.plan(name) { bind(leases) } }
                val few = planOf(50)
                val many = planOf(500)

                println("PLAN $name beside $planRows: ${few.pages} pages for 50, ${many.pages} for 500")
                many.pages shouldBeLessThan few.pages * 20
            }
        }
    })
