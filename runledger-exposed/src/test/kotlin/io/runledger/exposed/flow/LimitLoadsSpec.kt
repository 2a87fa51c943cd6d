package io.runledger.exposed.flow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.runledger.exposed.claim
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.model.flow.LimitLoad
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.lease.Verdict
import java.time.Duration

class LimitLoadsSpec :
    FunSpec({
        val push = JobType.builder("push", String::class.java)
            .limit("api") { it.permits(2) }
            .limit("customer") { limit -> limit.permits(1).by { it } }
            .queue("crm")
            .build()

        fun request(customer: String, delay: Duration = Duration.ZERO) = JobRequest.builder(push, customer).delay(delay).build()

        test("the use of all limits has the jobs of all keys, neither those that are due later nor queues") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(push)
            ledger.client.limits.loads().shouldBeEmpty()
            ledger.client.jobs.enqueueAll(
                listOf("ada", "ada", "bob", "cleo").map {
                    request(it)
                } + request("dora", Duration.ofHours(1)),
            )

            val claimed = ledger.claim("push", limit = 10)

            ledger.client.limits.loads() shouldContainExactly
                listOf(LimitLoad("api", 2, 2, false), LimitLoad("customer", 2, 2, false))
            claimed.forEach { ledger.settle(it, Verdict.Succeed(null)) }
            ledger.client.limits.loads() shouldContainExactly
                listOf(LimitLoad("api", 0, 2, false), LimitLoad("customer", 0, 2, false))
        }

        test("of each type, 5,000 waiting jobs are counted, and it says that there may be more") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(push)
            ledger.client.jobs.enqueueAll(List(5_001) { request("ada") })

            ledger.client.limits.loads() shouldContainExactly
                listOf(LimitLoad("api", 0, 5_000, true), LimitLoad("customer", 0, 5_000, true))
        }
    })
