package io.runledger.samples

import io.kotest.assertions.nondeterministic.eventually
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.awaitRun
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.handler.JobOutcome
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.render.WorkflowGraph
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.run.GateCompletion
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.test.CrashPoints
import io.runledger.test.freshLedger
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration.Companion.seconds

private fun RunledgerClient.standing(run: UUID): List<String> =
    workflows.allSteps(Scope.global(), run).map { "${it.stepKey()} ${it.status()}" }

private fun RunledgerClient.output(run: UUID, step: String): Json? = workflows.getStep(Scope.global(), run, step).output()

class LoanDecisionSpec :
    FunSpec({
        val soon = RetryPolicy.fixed(Duration.ofMillis(1))
        val ada = Applicant("Ada", income = 500_000)
        val bob = Applicant("Bob", income = 1)

        test("the Kotlin and the Java sample declare the same workflow") {
            loanDecision(ada, 100) shouldBe LoanDecisionInJava.loanDecision(ada, 100)
            loanHandlers.jobTypes shouldBe LoanDecisionInJava.handlers().jobTypes
        }

        mapOf("Kotlin" to loanHandlers, "Java" to LoanDecisionInJava.handlers()).forEach { (language, handlers) ->
            test("who is safe is paid at once, who is risky after a review, and what is not paid is released, in $language") {
                val client = freshLedger().client
                client.definitions.sync(handlers.jobTypes)
                fun start(applicant: Applicant, cents: Long) = client.workflows.enqueue(loanDecision(applicant, cents)).runId()
                val safe = start(ada, 100)
                val large = start(ada, 1_000_000)
                val risky = start(bob, 100)
                val broken = start(Applicant("Cem", income = -1), 100)

                RunledgerWorker.builder(client).handlers(handlers).start().use {
                    eventually(30.seconds) { client.workflows.openGates(Scope.global(), limit = 10).items().size shouldBe 2 }
                    client.workflows.completeGate(Scope.global(), GateCompletion.succeeded(large, "review"))
                    client.workflows.completeGate(
                        Scope.global(),
                        GateCompletion.failed(risky, "review", "loans.refused", "Too risky."),
                    )
                    val ends = listOf(safe, large, risky, broken).map { client.workflows.awaitRun(Scope.global(), it).status() }
                    ends.shouldContainExactly(
                        WorkflowRunStatus.SUCCEEDED,
                        WorkflowRunStatus.SUCCEEDED,
                        WorkflowRunStatus.COMPLETED_WITH_ERRORS,
                        WorkflowRunStatus.COMPLETED_WITH_ERRORS,
                    )
                }

                client.standing(safe).drop(2).shouldContainExactly("review SKIPPED", "pay SUCCEEDED", "release SKIPPED")
                client.standing(large).drop(2).shouldContainExactly("review SUCCEEDED", "pay SUCCEEDED", "release SKIPPED")
                client.standing(risky).drop(2).shouldContainExactly("review FAILED", "pay SKIPPED", "release SUCCEEDED")
                client.standing(broken).drop(1)
                    .shouldContainExactly("score FAILED", "review CANCELED", "pay SKIPPED", "release SUCCEEDED")
                client.output(safe, "pay") shouldBe Json.of("\"paid 100 from R-Ada\"")
                client.output(risky, "release") shouldBe Json.of("\"released R-Bob\"")
                client.workflows.get(Scope.global(), safe).context() shouldBe Json.of("""{"cents": 100, "account": "R-Ada"}""")
                client.verify().contradictions().shouldBeEmpty()
            }
        }

        test("wherever the worker's process dies, the same steps are skipped and the account is contributed once") {
            lateinit var accounts: ConcurrentLinkedQueue<String>
            // No two attempts reserve the same account, so a second contribution would be refused, or seen.
            val numbered = handlers {
                on(LoanJobs.reserve) {
                    val account = "R-${accounts.size}".also { accounts += it }
                    JobOutcome.succeeded(account).contributing("account", account)
                }
                on(LoanJobs.score) { job -> scoreOf(job.payload()) }
                on(LoanJobs.pay) { job -> checkNotNull(job.readRunContext<String>("account")) }
                on(LoanJobs.release) { error("never") }
            }
            val points = CrashPoints.of { ledger ->
                accounts = ConcurrentLinkedQueue()
                ledger.client.definitions.sync(loanHandlers.jobTypes)
                loanHandlers.jobTypes.forEach {
                    ledger.client.definitions.change(it.name(), DefinitionChange.builder().retryPolicy(soon).build())
                }
                ledger.client.workflows.enqueue(loanDecision(ada, 100).withIdempotencyKey("Ada"))
            }.handlers { numbered }.check { ledger ->
                val run = ledger.client.workflows.findByKey(Scope.global(), "loans.decide", "Ada")!!

                run.status() shouldBe WorkflowRunStatus.SUCCEEDED
                val account = checkNotNull(ledger.client.output(run.id(), "reserve"))
                run.context() shouldBe Json.of("""{"cents": 100, "account": ${account.text()}}""")
                ledger.client.output(run.id(), "pay") shouldBe account
                ledger.client.standing(run.id()).drop(2)
                    .shouldContainExactly("review SKIPPED", "pay SUCCEEDED", "release SKIPPED")
                ledger.client.verify().contradictions().shouldBeEmpty()
            }

            points shouldBeGreaterThan 3 * 2
        }

        test("the picture says when a step runs") {
            WorkflowGraph.of(loanDecision(ada, 100)).tree() shouldContain "if none of (pay succeeded)"
        }
    })
