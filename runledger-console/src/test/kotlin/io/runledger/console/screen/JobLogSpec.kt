package io.runledger.console.screen

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.model.handler.LogLevel
import io.runledger.model.json.Json
import io.runledger.model.lease.LogRequest
import java.time.Duration

class JobLogSpec :
    FunSpec({
        val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
        val story = Story(bench.ledger)
        bench.client.logs.appendAll(
            List(1_250) { n ->
                LogRequest.of(story.delayed, if (n % 250 == 0) LogLevel.ERROR else LogLevel.INFO, "line $n")
                    .with(if (n == 1_249) Json.of("""{"token": "secret-1", "rows": 5}""") else Json.EMPTY_OBJECT)
            },
        )

        fun log(query: String = "") = bench.viewer("ada").get("/jobs/${story.delayed}/logs$query")

        test("the newest lines come first, and older ones on the next page") {
            val first = log()
            val next = Regex("""href="/runledger/jobs/[^/]*/logs(\?after=[^"]*)"""").find(first.mainHtml)!!.groupValues[1]

            first.readText shouldContain "line 1249"
            first.readText shouldNotContain "line 1149 "
            log(next).readText shouldContain "line 1149 "
            log(next).readText shouldNotContain "line 1150 "
        }

        test("data of a line is redacted") {
            log().readText shouldContain "\"rows\": 5"
            log().body() shouldNotContain "secret-1"
        }

        test("a level shows the lines from it on, and reads a bounded number of lines for them") {
            val errors = log("?level=ERROR")

            errors.readText shouldContain "line 1000"
            errors.readText shouldContain "line 250"
            errors.readText shouldNotContain "line 1249"
            errors.readText shouldNotContain "line 0 "
            val next = Regex("""href="/runledger/jobs/[^/]*/logs(\?[^"]*after=[^"]*)"""").find(errors.mainHtml)!!.groupValues[1]
            log(next.replace("&amp;", "&")).readText shouldContain "line 0"
        }

        test("a job without lines says so, and an unknown level shows all") {
            bench.viewer("ada").get("/jobs/${story.unserved}/logs").readText shouldContain "The handler has written no line."
            log("?level=LOUD").readText shouldContain "line 1249"
            log("?after=x").statusCode() shouldBe 400
        }
    })
