package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.claim
import io.runledger.exposed.claimPlan
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.planRows
import io.runledger.model.lease.Verdict
import java.sql.Connection

/** While a session holds an old snapshot, PostgreSQL cannot remove newer dead rows, and a queue creates them all the time. */
class PinnedSnapshotSpec :
    FunSpec({
        test(
            "under an old snapshot every job is still claimed, once, and a claim reads no more than what was claimed before it",
        ) {
            val ledger = freshLedger().define("mail")
            ledger.run(
                """
                INSERT INTO runledger.job_queue (id, job_type, max_attempts, next_run_at)
                SELECT gen_random_uuid(), 'mail', 1, now() - interval '1 hour' + n * interval '1 ms' FROM generate_series(1, $planRows) n
                """,
                "VACUUM ANALYZE runledger.job_queue",
            )
            ledger.database.connect().use { old ->
                old.autoCommit = false
                old.transactionIsolation = Connection.TRANSACTION_REPEATABLE_READ
                old.createStatement().use { it.executeQuery("SELECT count(*) FROM runledger.job_queue").close() }
                val first = ledger.claimPlan().pages
                var done = 0L
                while (done < planRows - BATCH) {
                    val jobs = ledger.claim(limit = BATCH)
                    ledger.client.leases.settle(jobs.associate { it.lease() to Verdict.Succeed(null) })
                    done += jobs.size
                }
                ledger.run("VACUUM runledger.job_queue")
                val last = ledger.claimPlan().pages

                println("PLAN claim of 100 under a snapshot older than $done jobs: $last pages, before: $first")
                ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'SUCCEEDED'").toLong() shouldBe done
                ledger.value("SELECT count(*) FROM runledger.job_attempts").toLong() shouldBe done
                last shouldBeLessThan first + done / 4
                val health = ledger.client.health()
                health.snapshotTransactions() shouldBeGreaterThan done / BATCH
                health.snapshotAge().shouldNotBeNull()
            }
        }
    })

private const val BATCH = 500
