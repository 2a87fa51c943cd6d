package io.runledger.exposed.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.flow.AfterDeadLetter
import io.runledger.model.flow.ResolvedFlow
import io.runledger.model.flow.ResolvedFlow.LimitKey
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.util.UUID

class ResolvedFlowSpec :
    FunSpec({
        val everything = Scope.everything()
        val acme = UUID.randomUUID()
        val push = JobType.builder("push", String::class.java)
            .limit("api") { it.permits(8) }
            .limit("customer") { limit -> limit.permits(1).by { it } }
            .limit("tenant") { it.permits(2).byOrganization() }
            .orderedBy({ it }) { it.afterDeadLetter(AfterDeadLetter.GO_ON).named("customer") }
            .fairByOrganization()
            .queue("crm")
            .build()

        test("a job keeps the queue, limits, order and share of its enqueue, also after it has ended and its type has changed") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(push)
            val id = ledger.client.jobs.enqueue(JobRequest.builder(push, "a:b").organization(acme).build()).id()
            val flow = ResolvedFlow(
                "crm",
                listOf(LimitKey("api", null), LimitKey("customer", "a:b"), LimitKey("tenant", "$acme")),
                "customer:a:b",
                AfterDeadLetter.GO_ON,
                "$acme",
            )

            ledger.client.jobs.flow(everything, id) shouldBe flow
            ledger.settle(ledger.claim("push").single(), Verdict.Succeed(null))
            ledger.run("UPDATE runledger.job_definitions SET flow = NULL")

            ledger.client.jobs.flow(everything, id) shouldBe flow
        }

        test("a key can be empty of everything but a colon, and a dead letter holds by default") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue { orderKey(":") }.id()

            ledger.client.jobs.flow(everything, id) shouldBe
                ResolvedFlow(null, emptyList(), "mail::", AfterDeadLetter.HOLD, null)
        }

        test("a job without any of it has none, and a job that is not in the scope is refused") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue().id()

            ledger.client.jobs.flow(everything, id) shouldBe ResolvedFlow.NONE
            shouldRefuse(ErrorCode.JOB_NOT_FOUND) { ledger.client.jobs.flow(Scope.organization(acme), id) }
        }
    })
