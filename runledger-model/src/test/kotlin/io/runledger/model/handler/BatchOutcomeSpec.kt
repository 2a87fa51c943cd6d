package io.runledger.model.handler

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.lang.reflect.Proxy
import java.util.Optional
import java.util.UUID

/** A context of which only the id is read. */
private fun context(id: UUID = UUID.randomUUID()): JobContext<*> =
    Proxy.newProxyInstance(JobContext::class.java.classLoader, arrayOf(JobContext::class.java)) { self, method, arguments ->
        when (method.name) {
            "jobId" -> id
            "hashCode" -> System.identityHashCode(self)
            "equals" -> self === arguments[0]
            else -> throw UnsupportedOperationException(method.name)
        }
    } as JobContext<*>

class BatchOutcomeSpec :
    FunSpec({
        val failed = JobOutcome.failed("c", "m")
        val (first, second, third) = List(3) { context() }
        val jobs = listOf(first, second, third)

        fun BatchOutcome.all() = jobs.map { find(it.jobId()).orElse(null) }

        test("all jobs have the same outcome") {
            BatchOutcome.succeeded().all() shouldContainExactly List(3) { JobOutcome.succeeded() }
            BatchOutcome.all(failed).all() shouldContainExactly List(3) { failed }
        }

        test("each job has its own outcome, and a job that is left out has none") {
            val outcomes = BatchOutcome.of(jobs) {
                if (it ===
                    first
                ) {
                    failed
                } else {
                    JobOutcome.succeeded().takeIf { _ -> it === second }
                }
            }

            outcomes.all() shouldContainExactly listOf(failed, JobOutcome.succeeded(), null)
            BatchOutcome.of(mapOf(second to failed, third to null)).all() shouldContainExactly listOf(null, failed, null)
            outcomes.find(UUID.randomUUID()) shouldBe Optional.empty()
        }

        test("an outcome belongs to the job, whichever context object names it") {
            BatchOutcome.of(mapOf(context(second.jobId()) to failed)).all() shouldContainExactly listOf(null, failed, null)
        }

        test("some jobs differ from the rest") {
            val base = BatchOutcome.succeeded()

            base.except(mapOf(second to failed, third to null)).all() shouldContainExactly
                listOf(JobOutcome.succeeded(), failed, JobOutcome.succeeded())
            base.all() shouldContainExactly List(3) { JobOutcome.succeeded() }
        }
    })
