package io.runledger.console.screen.flow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.HOSTILE
import io.runledger.console.access.ConsoleRole
import io.runledger.console.shouldShowAsText
import io.runledger.model.flow.LimitValues
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class LimitsSpec :
    FunSpec({
        fun bench() = autoClose(flowBench())

        fun ConsoleBench.page(path: String): String = viewer("ada").get(path).also { it.statusCode() shouldBe 200 }.body()

        test("without limits and queues, the lists say how code declares one") {
            val bench = autoClose(ConsoleBench())

            bench.page("/limits") shouldContain "limit(&quot;crm-api&quot;, permits = 8, rate = 100.per(1.seconds))"
            bench.page("/limits") shouldContain "docs/flow-control.md"
            bench.page("/queues") shouldContain "queue(&quot;imports&quot;)"
        }

        test("the list shows the values, the use, and what an operator has changed") {
            val bench = bench()
            bench.push("ada", "bob", "cleo")
            bench.claim(2).size shouldBe 2
            bench.client.actingAs("dana").limits.changePermits("crm-api", 3, "fewer")

            val row = bench.page("/limits").substringAfter("/limits/crm-api\"").substringBefore("</tr>")

            row shouldContain "all jobs together"
            row shouldContain "<td class=\"number\">3</td>"
            row shouldContain "100 in 1.0 s, burst 10"
            row shouldContain "8 at once, 100 in 1.0 s, burst 10"
            row shouldContain "<td class=\"number\">2</td><td class=\"number\">1</td>"
            row shouldContain "class=\"override\">changed"
            bench.page("/limits").substringAfter("/limits/crm-customer\"").substringBefore("</tr>") shouldNotContain "override"
        }

        test("a limit shows its keys, the jobs that hold permits, and its history") {
            val bench = bench()
            bench.push("ada", "ada", "bob")
            val claimed = bench.claim(5)
            bench.client.actingAs("dana").limits.changePermits("crm-customer", 2, "They allow two.")

            val page = bench.page("/limits/crm-customer")

            claimed.size shouldBe 2
            claimed.forEach { page shouldContain "/jobs/${it.lease().jobId()}\"" }
            page shouldContain "<bdi>ada</bdi></td><td class=\"number\">1 of 2</td><td class=\"number\">1</td>"
            page shouldContain "<bdi>bob</bdi></td><td class=\"number\">1 of 2</td><td class=\"number\">0</td>"
            page shouldContain "At most 2 jobs of each key run at once, in the whole fleet."
            page shouldContain "They allow two."
            page shouldContain "<bdi>dana</bdi>"
        }

        test("a limit with many keys and many changes has pages") {
            val bench = bench()
            bench.push(*Array(60) { "customer-%02d".format(it) })
            repeat(30) { bench.client.limits.change("crm-customer", LimitValues.permits(it + 2), "change $it") }

            val first = bench.page("/limits/crm-customer")

            first shouldContain "customer-49"
            first shouldNotContain "customer-50"
            first shouldContain "change 29"
            first shouldNotContain "change 9<"
            Regex("\\?after=[^\"]+").find(first)!!.value.let { bench.page("/limits/crm-customer$it") } shouldContain "customer-50"
            Regex("\\?before=[^\"]+").find(first)!!.value.let { bench.page("/limits/crm-customer$it") } shouldContain "change 9<"
        }

        test("of many running jobs, a bounded number is shown") {
            val bench = bench()
            bench.client.limits.change("crm-customer", LimitValues.NONE)
            bench.client.limits.change("crm-api", LimitValues.NONE)
            bench.push(*Array(30) { "customer-$it" })
            bench.claim(100).size shouldBe 30

            val page = bench.page("/limits/crm-api")

            Regex("/jobs/[0-9a-f-]{36}").findAll(page).count() shouldBe 20
            page shouldContain "10 more run."
        }

        test("a job shows its queue, limits, order and share with links, and one without them shows nothing") {
            val bench = bench()
            bench.client.definitions.declare(JobType.json("plain"))
            val pushed = bench.push("ada").single()
            val plain = bench.client.jobs.enqueue(JobType.json("plain"), io.runledger.model.json.Json.EMPTY_OBJECT).id()

            val page = bench.page("/jobs/$pushed")

            page shouldContain "href=\"/runledger/queues/crm\""
            page shouldContain "href=\"/runledger/limits/crm-api\""
            page shouldContain "href=\"/runledger/limits/crm-customer\""
            page shouldContain "crm.push:ada"
            bench.page("/jobs/$plain") shouldNotContain "Queue, limits, order and share"
        }

        test("a user of one organization sees the flow of its jobs, but neither the limits nor the queues of all") {
            val bench = bench()
            val acme = UUID.randomUUID()
            val job = bench.push("ada", organization = acme).single()
            val eve = bench.viewer("eve", ConsoleRole.VIEWER, Scope.organization(acme))

            val page = eve.get("/jobs/$job").body()

            page shouldContain "crm-customer"
            page shouldNotContain "/limits/crm-customer"
            listOf("/limits", "/limits/crm-api", "/queues", "/queues/crm").forEach { path ->
                eve.get(path).body() shouldContain "You see only a part of the ledger"
                eve.get(path).body() shouldNotContain "crm-customer"
            }
        }

        test("an administrator of one organization changes a limit, but sees no key of another") {
            val bench = bench()
            bench.push("their-customer", organization = UUID.randomUUID())
            val root = bench.viewer("root", ConsoleRole.ADMINISTRATOR, Scope.organization(UUID.randomUUID()))

            val page = root.get("/limits/crm-customer").body()

            page shouldContain "/limits/crm-customer/change"
            page shouldNotContain "their-customer"
            page shouldContain "Keys and jobs are shown to users who see the whole ledger"
        }

        test("hostile keys, reasons and operators are text") {
            val bench = bench()
            val (job) = bench.push(HOSTILE)
            bench.claim(1)
            bench.client.actingAs(HOSTILE).limits.changePermits("crm-customer", 2, HOSTILE)
            bench.client.actingAs(HOSTILE).queues.pause("crm", HOSTILE)

            bench.page("/limits/crm-customer").shouldShowAsText()
            bench.page("/queues/crm").shouldShowAsText()
            bench.page("/jobs/$job").shouldShowAsText()
            bench.viewer("ada").get("/limits/none").statusCode() shouldBe 404
            bench.viewer("ada").get("/limits/queue~3acrm").statusCode() shouldBe 404
            bench.viewer("ada").get("/queues/a~20b").statusCode() shouldBe 400
        }

        test("queues show what waits, what runs, and whether an operator has paused them") {
            val bench = bench()
            bench.push("ada", "bob", "bob")
            bench.claim(1)
            bench.client.actingAs("dana").queues.limit("crm", LimitValues.rate(10, Duration.ofSeconds(60)), "slowly")
            bench.client.actingAs("dana").queues.pause("crm", "The service is down.")

            val row = bench.page("/queues").substringAfter("/queues/crm\"").substringBefore("</tr>")
            val page = bench.page("/queues/crm")

            row shouldContain "state-paused\">paused"
            row shouldContain "<td class=\"number\">2</td><td class=\"number\">1</td>"
            row shouldContain "10 in 1 min, burst 1"
            page shouldContain "The service is down."
            page shouldContain "Limited to, when resumed"
            page.indexOf("The service is down.") shouldBeLessThan page.indexOf("slowly")
        }
    })
