package io.runledger.exposed.flow

import io.kotest.core.spec.style.FunSpec
import io.runledger.exposed.claim
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.lease.Verdict
import java.util.UUID

class TurnsScratchSpec :
    FunSpec({
        test("turns") {
            val push = JobType.builder("push", String::class.java).orderedBy { it }.fairByOrganization().build()
            val ledger = freshLedger()
            ledger.client.definitions.declare(push)
            val acme = UUID.randomUUID()
            ledger.client.jobs.enqueueAll(List(80) { JobRequest.builder(push, "c${it % 8}").organization(acme).build() })
            val seen = ArrayList<String>()
            repeat(30) {
                ledger.claim("push", limit = 2).forEach { job ->
                    seen += job.payload().text()
                    ledger.settle(job, Verdict.Succeed(null))
                }
            }
            println("TURNS $seen ${seen.groupingBy { it }.eachCount()}")
        }
    })
