package io.runledger.console.screen

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.console.run
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.ScheduleRequest
import java.time.Duration

class OverviewSpec :
    FunSpec({
        test("an empty ledger is well") {
            val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })

            val page = bench.viewer("ada").get("/").readText

            page shouldContain "All is well."
            page shouldContain "0 waiting"
            page shouldContain "0 workers"
            page shouldContain "No attempt has ended in the last hour."
            page shouldContain "No worker is registered."
        }

        test("what is not well is said in sentences that link to the place") {
            val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
            Story(bench.ledger)

            val answer = bench.viewer("ada").get("/")

            answer.statusCode() shouldBe 200
            answer.readText shouldContain "1 job can run now, but no worker is alive: start a worker. Workers"
            answer.readText shouldContain "5 jobs became dead letters in the last hour. Dead letters"
            answer.readText shouldNotContain "All is well"
            answer.mainHtml shouldContain "href=\"/runledger/dead-letters\""
        }

        test("tiles, chart, failures and waits have the numbers of the ledger") {
            val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
            Story(bench.ledger)

            val answer = bench.viewer("ada").get("/")

            answer.readText shouldContain "3 waiting"
            answer.readText shouldContain "1 running"
            answer.readText shouldContain "5 dead letters"
            answer.readText shouldContain "report.build waits for"
            answer.readText shouldContain "mail.send smtp.refused 4"
            answer.readText shouldContain "mail.send smtp.busy 1"
            answer.mainHtml shouldContain "<svg"
            answer.mainHtml shouldContain "id=\"overview\""
            answer.body() shouldContain "data-live=\"/runledger/live?topic=ledger\""
        }

        test("throughput and failures go back as far as the address says, and links lead to the other periods") {
            val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
            Story(bench.ledger)
            bench.run("UPDATE runledger.job_attempts SET finished_at = finished_at - interval '5 hours'")
            val ada = bench.viewer("ada")

            val hour = ada.get("/")
            val six = ada.get("/?period=6h")

            hour.readText shouldContain "No attempt has ended in the last hour."
            hour.readText shouldContain "Throughput 1 hour 6 hours 24 hours 7 days"
            listOf("6h", "24h", "7d").forEach { hour.mainHtml shouldContain "href=\"/runledger/?period=$it\"" }
            six.readText shouldContain "Failures of the last 6 hours"
            six.readText shouldContain "mail.send smtp.refused 4"
            six.readText shouldContain "5 jobs became dead letters in the last 6 hours. Dead letters"
            six.mainHtml shouldContain "hx-get=\"/runledger/?period=6h\""
            six.mainHtml shouldContain "href=\"/runledger/\""
            Regex("rl-hit").findAll(ada.get("/?period=24h").mainHtml).count() shouldBe 96
            Regex("rl-hit").findAll(ada.get("/?period=7d").mainHtml).count() shouldBe 84
            ada.get("/?period=1000y").readText shouldContain "No attempt has ended in the last hour."
        }

        test("a schedule that has not fired in time is named") {
            val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
            bench.client.definitions.sync(listOf(Story.REPORT))
            bench.client.schedules.upsert(
                ScheduleRequest.builder("nightly", "report.build", Json.EMPTY_OBJECT).every(Duration.ofHours(1)).build(),
            )
            bench.ledger.advance(Duration.ofHours(2))

            val page = bench.viewer("ada").get("/").readText

            page shouldContain "1 schedule has not fired in time: nightly was due"
            page shouldContain "Late schedules nightly was due"
        }

        test("an organization's user sees its own numbers, and nothing of the fleet") {
            val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
            Story(bench.ledger)

            val page = bench.viewer("olga", ConsoleRole.OPERATOR, Scope.organization(Story.OURS)).get("/").readText

            page shouldContain "0 waiting"
            page shouldContain "1 dead letters"
            page shouldContain "1 job became a dead letter in the last hour."
            page shouldContain "mail.send smtp.refused 1"
            listOf("worker", "report.build", "Longest waits", "smtp.busy").forEach { page shouldNotContain it }
        }

        test("an administrator of an organization sees its numbers and the fleet") {
            val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
            Story(bench.ledger)

            val page = bench.viewer("root", ConsoleRole.ADMINISTRATOR, Scope.organization(Story.OURS)).get("/").readText

            page shouldContain "1 dead letters"
            page shouldContain "No worker is registered."
        }
    })
