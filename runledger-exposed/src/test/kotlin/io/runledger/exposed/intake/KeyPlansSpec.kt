package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.plan
import io.runledger.exposed.planRows
import io.runledger.exposed.sql.Binder
import java.util.UUID

/** The cost per key of the statements for keys grows neither with the number of keys in a call nor with those in the ledger. */
class KeyPlansSpec :
    FunSpec({
        fun TestLedger.fill() = run(
            "INSERT INTO runledger.job_queue (job_type, max_attempts) SELECT 'mail', 3 FROM generate_series(1, $planRows)",
            "INSERT INTO runledger.job_keys (job_id, is_payload, job_type, key) " +
                "SELECT id, false, 'mail', 'k' || row_number() OVER (ORDER BY id) FROM runledger.job_queue",
        )

        fun TestLedger.ids(count: Int): List<UUID> =
            rows("SELECT id FROM runledger.job_queue ORDER BY md5(id::text) LIMIT $count").map(UUID::fromString)

        fun <T> List<*>.nulls(): List<T?> = map { null }

        fun Binder.keysOf(count: Int) = keys(List(count) { JobKey("k${it * 7 + 1}", false, "mail", null) })

        val statements = mapOf<String, Binder.(List<UUID>) -> Unit>(
            "intake/key_take" to { ids ->
                texts("all_types", listOf("mail"))
                uuids("job_ids", ids.map { UUID.randomUUID() })
                longs("windows_us", ids.nulls())
                keysOf(ids.size)
            },
            "intake/key_jobs" to { ids -> keysOf(ids.size) },
            "intake/key_replace" to { ids ->
                uuids("job_ids", ids)
                texts("payloads", ids.map { "7" })
                texts("headers", ids.nulls())
                bools("time_flags", ids.map { true })
                instants("run_times", ids.nulls())
                listOf("delays_us", "pauses_us", "most_us").forEach { longs(it, ids.map { 1_000_000 }) }
                bools("priority_flags", ids.map { true })
                ints("priorities", ids.nulls())
                bools("debounce_flags", ids.map { true })
                text("actor", null)
                uuid("action", null)
            },
            "intake/key_move" to { ids ->
                uuids("job_ids", ids)
                uuids("new_job_ids", ids.map { UUID.randomUUID() })
                longs("windows_us", ids.nulls())
            },
        )
        mapOf("fresh statistics" to true, "the statistics of an empty ledger" to false).forEach { (statistics, isAnalyzed) ->
            val ledger by lazy {
                freshLedger().define("mail").apply {
                    run("ANALYZE runledger.job_queue, runledger.job_keys")
                    fill()
                    if (isAnalyzed) run("VACUUM ANALYZE runledger.job_queue, runledger.job_keys")
                }
            }
            statements.forEach { (name, bind) ->
                test("$name costs as much for each key, be they 50 or 500, with $statistics") {
                    val (few, many) = listOf(50, 500).map { count -> ledger.plan(name) { bind(ledger.ids(count)) } }

                    // To move many of few keys, it is cheaper to read all of them once.
                    if (name != "intake/key_move") many.text shouldNotContain "Seq Scan on job_keys"
                    many.text shouldNotContain "Seq Scan on job_queue"
                    many.pages shouldBeLessThan few.pages * 10 + 500
                }
            }
        }
    })
