package io.runledger.exposed.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryTerms
import io.runledger.model.retry.RetryTerms.Source
import java.time.Duration
import java.util.UUID

class RetryTermsSpec :
    FunSpec({
        val everything = Scope.everything()
        val slow = RetryPolicy.fixed(Duration.ofHours(1))
        val quick = RetryPolicy.fixed(Duration.ofSeconds(1))

        test("the job's own policy comes first, then that of its type as it is now, then the standard one") {
            val ledger = freshLedger().define("mail")
            val jobs = ledger.client.jobs
            val plain = ledger.enqueue { maxAttempts(4) }.id()
            val own = ledger.enqueue { retryPolicy(quick) }.id()

            jobs.retryTerms(everything, plain) shouldBe RetryTerms(RetryPolicy.standard(), 4, Source.STANDARD)
            jobs.retryTerms(everything, own) shouldBe RetryTerms(quick, 8, Source.JOB)

            ledger.client.definitions.change("mail", DefinitionChange.builder().retryPolicy(slow).build())
            jobs.retryTerms(everything, plain) shouldBe RetryTerms(slow, 4, Source.TYPE)
            jobs.retryTerms(everything, own).source() shouldBe Source.JOB
        }

        test("what somebody edited into no policy is refused, and so is a job that is not there") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue().id()
            ledger.run("""UPDATE runledger.job_queue SET retry_policy = '{"backoff":"sometimes"}'""")

            shouldRefuse(ErrorCode.INVALID_RETRY_POLICY) { ledger.client.jobs.retryTerms(everything, id) }
            shouldRefuse(ErrorCode.JOB_NOT_FOUND) { ledger.client.jobs.retryTerms(everything, UUID.randomUUID()) }
        }
    })
