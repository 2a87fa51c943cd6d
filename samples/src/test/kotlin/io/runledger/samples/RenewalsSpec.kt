package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryTerms
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import java.time.Duration
import java.util.UUID

class RenewalsSpec :
    FunSpec({
        fun TestLedger.renewal(customer: String = "ada"): UUID {
            client.definitions.declare(renew)
            return client.jobs.enqueue(renew, Renewal(customer)).id()
        }

        fun TestLedger.firstDelay(job: UUID) = client.jobs.attempts(Scope.global(), job).first().retryDelay()

        test("a busy bank is asked again after a minute, a refused card not at all") {
            val ledger = freshLedger()
            val busy = ledger.renewal("patient")
            val refused = ledger.renewal("broke")

            ledger.work(renewals { customer -> throw BankException(if (customer == "broke") 402 else 503) })

            ledger.firstDelay(busy) shouldBe Duration.ofMinutes(1)
            ledger.client.jobs.get(Scope.global(), busy).lastErrorCode() shouldBe "bank.busy"
            ledger.client.jobs.get(Scope.global(), refused).status() shouldBe JobStatus.DEAD_LETTERED
            ledger.client.jobs.deadLetters(Scope.global(), refused).items().single().errorCode() shouldBe "bank.refused"
        }

        test("a job's own policy comes before that of its type, and can be seen") {
            val ledger = freshLedger()
            val plain = ledger.renewal()
            val renewals = Renewals(ledger.client)
            val hurried = renewals.renewNow("ada").id()

            renewals.terms(plain) shouldBe RetryTerms(renew.settings().retryPolicy()!!, 6, RetryTerms.Source.TYPE)
            renewals.terms(hurried) shouldBe RetryTerms(RetryPolicy.fixed(Duration.ofSeconds(1)), 3, RetryTerms.Source.JOB)

            ledger.work(renewals { throw BankException(503) })
            ledger.firstDelay(hurried) shouldBe Duration.ofSeconds(1)
        }

        test("an operator's change to the type counts for the jobs that wait already") {
            val ledger = freshLedger()
            val job = ledger.renewal()
            val calm = RetryPolicy.fixed(Duration.ofHours(1))

            ledger.client.definitions.change("subscriptions.renew", DefinitionChange.builder().retryPolicy(calm).build())

            Renewals(ledger.client).terms(job).policy() shouldBe calm
            ledger.work(renewals { throw BankException(503) })
            ledger.firstDelay(job) shouldBe Duration.ofHours(1)
        }

        test("a workflow's step may have a policy of its own") {
            val ledger = freshLedger()
            ledger.client.definitions.declare(renew)
            val run = ledger.client.workflows.enqueue(subscription("ada")).runId()
            val job = ledger.client.workflows.steps(Scope.global(), run).items().single().job()!!.jobId()!!

            Renewals(ledger.client).terms(job).source() shouldBe RetryTerms.Source.JOB
            ledger.work(renewals { throw BankException(503) })
            ledger.firstDelay(job) shouldBe Duration.ofSeconds(1)
        }
    })
