package io.runledger.coroutines

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.model.handler.JobHandler
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import java.time.Duration

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

        test("registries are put together, and each type keeps what its own registry says about it") {
            val mails = handlers {
                on(mail) { job -> job.payload() }
                overtime(Duration.ofMinutes(1))
            }
            val registry = handlers {
                include(mails)
                on(crawl) { job -> job.payload() }
                overtime(Duration.ofMinutes(2))
            }

            registry.jobTypes shouldContainExactly listOf(mail, crawl)
            listOf("mail", "crawl").map(registry::overtimeOf) shouldContainExactly
                listOf(Duration.ofMinutes(1), Duration.ofMinutes(2))
            registry.classifierOf("mail") shouldBe mails.classifierOf("mail")
            shouldThrow<IllegalArgumentException> { Handlers.builder().include(mails).include(mails) }.message shouldBe
                "Job type 'mail' has a handler already: register one per type."
        }

        test("a type has its own overtime, else that of all, else ten minutes") {
            val importFile = JobType.of("import", String::class.java)
            val pingSite = JobType.of("ping", String::class.java)
            val registry = handlers {
                overtime(Duration.ofMinutes(2))
                overtime(importFile, Duration.ofHours(1))
                overtime(pingSite, Duration.ZERO)
            }

            listOf("import", "ping", "mail").map(registry::overtimeOf) shouldContainExactly
                listOf(Duration.ofHours(1), Duration.ZERO, Duration.ofMinutes(2))
            handlers { }.overtimeOf("mail") shouldBe Duration.ofMinutes(10)
        }

        test("an overtime that makes no sense is refused") {
            listOf(Duration.ofSeconds(-1), Duration.ofDays(366)).forEach {
                shouldThrow<IllegalArgumentException> { handlers { overtime(mail, it) } }.message shouldContain
                    "The overtime is $it"
            }
        }
    })
