package io.runledger.console.screen

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.content.Redaction
import io.runledger.console.form.fill
import io.runledger.coroutines.handlers
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import java.time.Duration

/** Texts that try to be more than text, and documents that try to be too large. */
class HostileJobsSpec :
    FunSpec({
        val script = "<script>alert(1)</script>"
        val turned = "invoice\u202Egpj.exe\u2066"
        val type: JobType<Json> = JobType.builder<Json>("$script\"'$turned", Json::class.java).maxAttempts(1).build()
        val bench = autoClose(ConsoleBench())
        bench.client.definitions.sync(listOf(type))

        fun enqueue(payload: String, settings: JobRequest.Builder.() -> Unit = {}) =
            bench.client.jobs.enqueue(JobRequest.builder(type, Json.of(payload)).apply(settings).build()).id()

        val job =
            enqueue("""{"$script": "$script $turned"}""") { idempotencyKey("$script$turned").header("x-note", "$script$turned") }
        val deep = enqueue("[".repeat(450) + "]".repeat(450))
        val foreign = enqueue("1") { delay(Duration.ofDays(1)) }
        val large = enqueue("\"${"x".repeat(1_000_000)}\"")
        val wide = enqueue((1..60_000).joinToString(",", "[", "]"))
        // Deeper than the library accepts: written by another program.
        bench.ledger.dataSource.connection.use { connection ->
            connection.createStatement().execute(
                "UPDATE runledger.job_queue SET payload = (repeat('[', 5000) || repeat(']', 5000))::jsonb, " +
                    "checkpoint = (repeat('[{\"a\":', 2500) || '1' || repeat('}]', 2500))::jsonb, " +
                    "output = (repeat('{\"a\":', 2000) || '{\"password\": \"hunter2\"}' || repeat('}', 2000))::jsonb " +
                    "WHERE id = '$foreign'",
            )
        }
        bench.ledger.work(
            handlers {
                on(type) {
                    it.log(LogLevel.ERROR, "$script $turned")
                    JobOutcome.failed(
                        JobFailure.terminal("$script$turned".take(200), "$script $turned ${"long ".repeat(10_000)}")
                            .withDetails(Json.of("""{"stack": "$script\n$turned"}""")),
                    )
                }
            },
        )

        val pages = listOf("/", "/jobs", "/jobs/$job", "/jobs/$job/logs", "/jobs/$deep", "/dead-letters", "/dead-letters/all")

        test("no text of the ledger becomes markup or turns the text around it") {
            pages.forEach { path ->
                val answer = bench.viewer("ada").get(path)

                answer.statusCode() shouldBe 200
                answer.body() shouldNotContain "<script>alert"
                answer.body() shouldNotContain "\u202E"
                answer.body() shouldNotContain "\u2066"
            }
            bench.viewer("ada").get("/jobs/$job").body() shouldContain "&lt;script&gt;alert(1)&lt;/script&gt;"
            bench.viewer("ada").get("/jobs/$job").body() shouldContain "⟨U+202E⟩"
        }

        test("a job whose documents are nested deeper than the library stores is shown, with a sentence") {
            val ada = bench.viewer("ada")
            val answer = ada.get("/jobs/$foreign")

            answer.statusCode() shouldBe 200
            answer.readText.windowed(WORDS.length).count { it == WORDS } shouldBe 3
            answer.readText shouldContain "Only the beginning is shown."
            answer.body().length shouldBeLessThan 400_000
            ada.get("/jobs/$foreign/payload").body().filterNot { it.isWhitespace() } shouldBe
                "[".repeat(5_000) + "]".repeat(5_000)
            ada.get("/jobs/$foreign/output").body().run {
                shouldContain(Redaction.SIGN)
                shouldNotContain("hunter2")
            }
            ada.get("/jobs").mainHtml shouldContain "/jobs/$foreign"
        }

        test("a payload that is nested too deeply cannot be edited, and none can be entered") {
            val ada = bench.viewer("ada")
            val refused = ada.get("/jobs/$foreign/edit")
            val waiting = enqueue("1") { delay(Duration.ofDays(1)) }
            val entered = ada.fill(
                "/jobs/$waiting/edit",
                "payload" to "[".repeat(5_000) + "]".repeat(5_000),
                "reason" to "deeper",
            )

            refused.statusCode() shouldBe 200
            refused.readText shouldContain "so it cannot be edited here"
            refused.body() shouldNotContain "<textarea"
            entered.statusCode() shouldBe 400
            entered.readText shouldContain "nested deeper than 512 levels"
        }

        test("text of the address is only text too") {
            listOf(
                "/jobs?type=%3Cscript%3Ealert(1)",
                "/find?q=%22%3E%3Cscript%3Ealert(1)",
                "/jobs?key=%E2%80%AE%22onfocus=%22x",
            ).forEach {
                val body = bench.viewer("ada").get(it).body()

                body shouldNotContain "<script>alert"
                body shouldNotContain "\"onfocus"
            }
        }

        test("large and deep documents are cut on the page, and whole behind a link") {
            listOf(large, wide).forEach { id ->
                val answer = bench.viewer("ada").get("/jobs/$id")

                answer.body().length shouldBeLessThan 300_000
                answer.readText shouldContain "Only the beginning is shown."
                answer.mainHtml shouldContain "href=\"/runledger/jobs/$id/payload\""
            }
            bench.viewer("ada").get("/jobs/$large/payload").body().length shouldBe 1_000_002
            bench.viewer("ada").get("/jobs/$deep/payload").body().filterNot { it.isWhitespace() }.length shouldBe 900
            bench.viewer("ada").get("/jobs/$deep").body().length shouldBeLessThan 300_000
        }
    })

private const val WORDS = "The library stores at most 512"
