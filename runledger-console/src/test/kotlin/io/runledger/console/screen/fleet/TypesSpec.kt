package io.runledger.console.screen.fleet

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.HOSTILE
import io.runledger.console.HOSTILE_IN_PATH
import io.runledger.console.access.ConsoleRole
import io.runledger.console.run
import io.runledger.console.shouldShowAsText
import io.runledger.coroutines.handlers
import io.runledger.model.definition.DefinitionChange
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.Jitter
import io.runledger.model.retry.RetryPolicy
import java.time.Duration
import java.util.UUID
import io.kotest.matchers.collections.shouldContain as shouldContainItem

private val mail = JobType.builder("mail", Json::class.java).maxAttempts(4).build()
private val sms = JobType.json("sms")

class TypesSpec :
    FunSpec({
        fun bench() = autoClose(
            ConsoleBench {
                snapshotLifetime = Duration.ZERO
            },
        ).also { it.client.definitions.sync(listOf(mail, sms)) }

        fun ConsoleBench.page(path: String): String = viewer("ada").get(path).also { it.statusCode() shouldBe 200 }.body()

        test("the list shows the load and the state of each type, with links to its jobs") {
            val bench = bench()
            repeat(3) { bench.client.jobs.enqueue(JobRequest.builder(mail, Json.EMPTY_OBJECT).build()) }
            bench.client.definitions.pause("mail")
            bench.client.definitions.disable("sms")

            val page = bench.page("/types")

            page shouldContain "href=\"/runledger/jobs?status=PENDING&amp;type=mail\">3<"
            page shouldContain "state-paused\">paused"
            page shouldContain "state-disabled\">disabled"
            bench.page("/types?name=sm") shouldNotContain "/types/mail"
        }

        test("a tenant sees the load of its own jobs") {
            val bench = bench()
            val acme = UUID.randomUUID()
            bench.client.jobs.enqueue(JobRequest.builder(mail, Json.EMPTY_OBJECT).organization(acme).build())
            repeat(5) { bench.client.jobs.enqueue(JobRequest.builder(mail, Json.EMPTY_OBJECT).build()) }

            val page = bench.viewer("eve", ConsoleRole.VIEWER, Scope.organization(acme)).get("/types").body()

            page shouldContain "type=mail\">1<"
        }

        test("a type shows what applies, what is declared, and what an operator has changed") {
            val bench = bench()
            bench.client.definitions.change("mail", DefinitionChange.builder().maxAttempts(9).build())

            val page = bench.page("/types/mail")

            page shouldContain "<bdi>9</bdi>"
            page shouldContain "<bdi>4</bdi>"
            Regex("class=\"override\"").findAll(page).count() shouldBe 1
            page shouldContain "With 9 attempts it waits 10 s, 20 s, 40 s"
        }

        test("a retry policy that was edited by hand and is wrong is told") {
            val bench = bench()
            bench.run("""UPDATE runledger.job_definitions SET retry_policy = '{"backoff":"<b>"}' WHERE job_type = 'mail'""")

            val page = bench.page("/types/mail")

            page shouldContain "retry_policy"
            page shouldNotContain "<b>"
        }

        test("durations of the last attempts are a histogram") {
            val bench = bench()
            bench.client.jobs.enqueue(JobRequest.builder(mail, Json.EMPTY_OBJECT).build())
            bench.page("/types/mail") shouldContain "No attempt has ended yet."
            bench.ledger.work(handlers { on(mail) { } })

            val page = bench.page("/types/mail")

            bench.client.metrics.durations(Scope.everything(), "mail").attempts() shouldBe 1
            page shouldContain "Durations"
        }

        test("names with slashes and hostile characters have a page, and are text") {
            val bench = bench()
            bench.client.definitions.declare(JobType.json(HOSTILE))

            bench.page("/types") shouldContain "/runledger/types/$HOSTILE_IN_PATH"
            bench.page("/types").shouldShowAsText()
            bench.page("/types/$HOSTILE_IN_PATH").shouldShowAsText()
            bench.viewer("ada").get("/types/none").statusCode() shouldBe 404
            bench.viewer("ada").get("/types/a%00b").statusCode() shouldBe 404
        }

        test("retry policies are told in words") {
            retryWords(RetryPolicy.fixed(Duration.ofMinutes(1)), 3) shouldBe listOf(
                "After a failure, it waits 1 min before each retry.",
                "A panic is not retried.",
                "With 3 attempts it waits 1 min, 1 min: 2 min in all.",
            )
            retryWords(RetryPolicy.fixed(Duration.ofMinutes(1)), 1).first() shouldBe
                "A job has one attempt, so a failure is never retried."
            val policy = RetryPolicy.builder().exponential(
                Duration.ofSeconds(10),
                1.5,
            ).cap(Duration.ofMinutes(5)).jitter(Jitter.ratio(0.2))
                .giveUpOn("mail.*").retryOn("http.429") { it.fixed(Duration.ofMinutes(15)) }.retryPanics().build()

            val words = retryWords(policy, 5)

            words shouldContainItem "After a failure with code mail.*, the job becomes a dead letter at once."
            words shouldContainItem "After a failure with code http.429, it waits 15 min before each retry."
            words shouldContainItem
                "After any other failure, it waits 10 s before the first retry, then each time 1.5 times as long, at most 5 min, more or less by up to 20 %."
            words shouldContainItem "A panic is retried like any other failure."
        }
    })
