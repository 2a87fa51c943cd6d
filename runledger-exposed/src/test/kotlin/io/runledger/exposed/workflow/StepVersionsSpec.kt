package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict

/** A step says nothing that its job says: the work on the job writes no row of a step. */
class StepVersionsSpec :
    FunSpec({
        val flow = flow()

        fun Ledger.claimAll(): List<ClaimedJob> = leases.claim(ClaimRequest.of(listOf(Flow.TYPE), "w1", lease, STEPS))

        fun Ledger.succeedAll(jobs: List<ClaimedJob>) = leases.settle(jobs.associate { it.lease() to Verdict.Succeed(null) })

        /** The changes of steps by [work]: new versions, and those of them that needed no new entry in any index. */
        fun changes(work: (Ledger) -> Unit): Pair<Long, Long> = flow.ledger.database.connect().use { connection ->
            connection.autoCommit = false
            work(flow.client.within(connection))
            connection.createStatement().use { statement ->
                statement.executeQuery(
                    "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables WHERE relname = 'workflow_step_rows'",
                ).use { rows ->
                    rows.next()
                    rows.getLong(1) to rows.getLong(2)
                }
            }.also { connection.commit() }
        }

        beforeTest { flow.cancelEverything() }

        test("neither a claim nor an ending writes a step") {
            val run = flow.start { repeat(STEPS) { work("step-$it") } }

            lateinit var claimed: List<ClaimedJob>
            changes { claimed = it.claimAll() } shouldBe (0L to 0L)
            changes { ledger -> ledger.leases.settle(claimed.take(9).associate { it.lease() to again }) } shouldBe (0L to 0L)
            changes { ledger -> ledger.leases.release(claimed.drop(9).take(9).map { it.lease() }, "SHUTDOWN") } shouldBe
                (0L to 0L)
            changes { it.succeedAll(claimed.drop(18)) } shouldBe (0L to 0L)
            changes { it.succeedAll(it.claimAll()) } shouldBe (0L to 0L)

            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("a release writes no step, and a fan-in only the one that goes on waiting, without an entry in any index") {
            val run = flow.start {
                val first = work("first")
                work("last", *List(STEPS) { work("step-$it", first) }.toTypedArray())
            }

            changes { it.succeedAll(it.claimAll()) } shouldBe (0L to 0L)
            val wide = flow.claim().values.toList()
            changes { it.succeedAll(wide.dropLast(1)) } shouldBe (1L to 1L)
            changes { it.succeedAll(wide.takeLast(1)) } shouldBe (0L to 0L)
            flow.finish("last")

            flow.status(run) shouldBe "SUCCEEDED"
        }
    })

private const val STEPS = 200
