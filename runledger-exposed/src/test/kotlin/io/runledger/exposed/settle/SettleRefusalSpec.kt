package io.runledger.exposed.settle

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.refuse
import io.runledger.exposed.refuseNoMore
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict

/** A row that only the database refuses, for example by a trigger of the service, does not affect other rows. */
class SettleRefusalSpec :
    FunSpec({
        test("a row the database refuses comes back as refused, still leased, and its neighbours are settled") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(100) { ledger.enqueue() }
            val jobs = ledger.claim()
            val bad = jobs[37]
            ledger.refuse("INSERT", "job_attempts", bad.lease().jobId())
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)

            counting.count {
                val settled = client.leases.settle(jobs.associate { it.lease() to Verdict.Succeed(null) })

                settled.filter { it.result() == Result.SUCCEEDED }.size shouldBe 99
                val refused = settled.single { it.result() == Result.REFUSED }
                refused.lease() shouldBe bad.lease()
                refused.refusal()?.code() shouldBe ErrorCode.DB_RULE
            } shouldBeLessThanOrEqual 20
            ledger.rows("SELECT id FROM runledger.job_queue WHERE status = 'LEASED'") shouldContainExactly
                listOf(bad.lease().jobId().toString())

            ledger.refuseNoMore("job_attempts")
            ledger.settle(bad, Verdict.Succeed(null)).result() shouldBe Result.SUCCEEDED
        }

        test("in the caller's transaction the whole call is refused, and the transaction stays usable") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(3) { ledger.enqueue() }
            val jobs = ledger.claim()
            ledger.refuse("INSERT", "job_attempts", jobs[1].lease().jobId())

            ledger.database.connect().use { connection ->
                connection.autoCommit = false
                val leases = ledger.client.within(connection).leases
                shouldRefuse(ErrorCode.DB_RULE) {
                    leases.settle(jobs.associate { it.lease() to Verdict.Succeed(null) })
                }
                leases.settle(mapOf(jobs[0].lease() to Verdict.Succeed(null))).single().result() shouldBe
                    Result.SUCCEEDED
                connection.commit()
            }
            ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'SUCCEEDED'") shouldBe "1"
        }

        test("what any row would suffer from is thrown, not told row by row") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(2) { ledger.enqueue() }
            val jobs = ledger.claim()
            val reader = RunledgerClient.create(
                ledger.asRole { role ->
                    listOf("GRANT USAGE ON SCHEMA runledger TO $role", "GRANT SELECT ON ALL TABLES IN SCHEMA runledger TO $role")
                },
            )

            shouldRefuse(ErrorCode.PERMISSION_DENIED) {
                reader.leases.settle(jobs.associate { it.lease() to Verdict.Succeed(null) })
            }
        }
    })
