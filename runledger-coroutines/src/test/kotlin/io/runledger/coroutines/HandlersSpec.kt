package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.run.JobHandler
import io.runledger.model.run.JobOutcome
import io.runledger.model.spec.JobType

class HandlersSpec :
    FunSpec({
        val mail = JobType.of("mail", String::class.java)
        val crawl = JobType.of("crawl", String::class.java)

        test("a registry knows its types in the order they were registered") {
            val registry = handlers {
                on(mail) { job -> job.payload() }
                blocking(crawl, JobHandler { JobOutcome.succeeded() })
            }

            registry.jobTypes shouldContainExactly listOf(mail, crawl)
            registry.of("unknown") shouldBe null
        }

        test("a second handler for a type is refused") {
            val refused = shouldThrow<IllegalArgumentException> {
                handlers {
                    on(mail) { }
                    blocking(mail, JobHandler { JobOutcome.succeeded() })
                }
            }

            refused.message shouldBe "Job type 'mail' has a handler already: register one per type."
        }

        test("a registry does not change when its builder goes on") {
            val builder = Handlers.builder().blocking(mail) { JobOutcome.succeeded() }
            val registry = builder.build()

            builder.blocking(crawl) { JobOutcome.succeeded() }

            registry.jobTypes shouldContainExactly listOf(mail)
        }
    })
