package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.model.lease.ClaimRequest

class StepVersionsSpec :
    FunSpec({
        val flow = flow()

        test("a step that starts gets a new version on the same page, and no new entry in any index") {
            flow.start { repeat(STEPS) { work("step-$it") } }

            val (updates, hotUpdates) = flow.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                flow.client.within(connection).leases.claim(ClaimRequest.of(listOf(Flow.TYPE), "w1", lease, STEPS))
                connection.createStatement().use { statement ->
                    statement.executeQuery(
                        "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables WHERE relname = 'workflow_steps'",
                    ).use { rows ->
                        rows.next()
                        rows.getLong(1) to rows.getLong(2)
                    }
                }
            }

            updates shouldBe STEPS.toLong()
            // A version is a little larger than the one before, so the last one on a page may have to move.
            hotUpdates shouldBeGreaterThan STEPS * 3 / 4L
        }
    })

private const val STEPS = 200
