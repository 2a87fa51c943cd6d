package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.runledger.exposed.define
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.model.lease.ClaimRequest
import java.time.Duration

class ClaimLimitsSpec :
    FunSpec({
        test("a type with a limit of its own leaves places to others, whatever its priorities") {
            val ledger = freshLedger()
            ledger.define("bulk", "mail")
            repeat(4) { ledger.enqueue("bulk") { priority(200) } }
            val urgent = List(2) { ledger.enqueue("bulk") { priority(300) }.id() }
            val mails = List(3) { ledger.enqueue("mail").id() }

            val claimed = ledger.client.leases.claim(
                ClaimRequest.of(listOf("bulk", "mail"), "w1", lease, 5).withTypeLimits(mapOf("bulk" to 2)),
            )

            claimed.map { it.lease().jobId() } shouldContainExactlyInAnyOrder urgent + mails
        }

        test("the next due time is that of the first job of the asked types, by the database's clock") {
            val ledger = freshLedger()
            ledger.define("mail", "crawl", "paused")
            ledger.enqueue("mail") { delay(Duration.ofHours(2)) }
            ledger.enqueue("mail") {
                delay(Duration.ofHours(1))
                priority(7)
            }
            ledger.enqueue("paused")
            ledger.client.definitions.pause("paused")

            val until = checkNotNull(ledger.client.leases.untilDue(listOf("mail", "paused")))

            until shouldBeGreaterThan Duration.ofMinutes(50)
            until shouldBeLessThanOrEqualTo Duration.ofHours(1)
            ledger.client.leases.untilDue(listOf("crawl")) shouldBe null
            ledger.client.leases.untilDue(emptyList()) shouldBe null
        }

        test("a job that is due already is due in zero") {
            val ledger = freshLedger()
            ledger.define("mail")
            ledger.enqueue("mail")

            ledger.client.leases.untilDue(listOf("mail")) shouldBe Duration.ZERO
        }

        test("the next fire is that of the first active schedule") {
            val ledger = freshLedger()
            ledger.define("mail")

            ledger.client.dueSchedules.untilNextFire() shouldBe null
            ledger.run(
                "INSERT INTO runledger.job_schedules (name, job_type, cron_expr, next_fire_at) " +
                    "VALUES ('hourly', 'mail', '0 0 * * * *', now() - interval '1 minute')",
            )
            ledger.client.dueSchedules.untilNextFire() shouldBe Duration.ZERO
        }
    })
