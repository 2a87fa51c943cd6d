package io.runledger.console.screen

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.Viewer
import io.runledger.console.screen.jobs.JobFilters
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import java.net.http.HttpResponse
import java.time.Duration
import java.util.UUID

class JobListSpec :
    FunSpec({
        val bench = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
        val story by lazy { Story(bench.ledger) }

        fun viewer(scope: Scope = Scope.everything()): Viewer = bench.viewer("ada $scope", scope = scope)

        fun HttpResponse<String>.jobs(): List<UUID> =
            Regex("""<a href="/runledger/jobs/([0-9a-f-]{36})"""").findAll(mainHtml.substringAfter("<tbody"))
                .map { UUID.fromString(it.groupValues[1]) }.toList()

        fun jobs(query: String, scope: Scope = Scope.everything()): List<UUID> = viewer(scope).get("/jobs$query").jobs()

        test("all jobs are listed, newest first, with what happened last") {
            story.running
            val answer = viewer().get("/jobs")

            answer.jobs() shouldHaveSize 13
            answer.jobs().first() shouldBe story.running
            answer.readText shouldContain "video.encode leased 1 of"
            answer.readText shouldContain "30.00 % · updated"
            answer.readText shouldContain "smtp.busy"
        }

        test("states can be combined, and show as chips that remove one of them") {
            val answer = viewer().get("/jobs?status=LEASED&status=CANCELED")

            answer.jobs() shouldContainExactlyInAnyOrder listOf(story.running, story.canceled)
            answer.mainHtml shouldContain "href=\"/runledger/jobs?status=CANCELED\""
            answer.readText shouldContain "Remove the filter State: leased"
            answer.readText shouldContain "Remove all"
        }

        test("each filter finds its jobs") {
            jobs("?type=report.build") shouldContainExactlyInAnyOrder listOf(story.unserved)
            jobs("?code=smtp.busy") shouldContainExactlyInAnyOrder listOf(story.retried)
            jobs("?key=welcome-ada") shouldContainExactlyInAnyOrder listOf(story.sent)
            jobs("?organization=${Story.OTHERS}") shouldContainExactlyInAnyOrder listOf(story.theirs)
            jobs("?organization=global&status=CANCELED") shouldContainExactlyInAnyOrder listOf(story.canceled)
            jobs("?type=mail.send&payload=%7B%22mode%22%3A%22busy%22%7D") shouldContainExactlyInAnyOrder listOf(story.retried)
            jobs("?since=1+h&payload=%7B%22film%22%3A1%7D") shouldContainExactlyInAnyOrder listOf(story.running)
            jobs("?before=2020-01-01") shouldHaveSize 0
            jobs("?since=2020-01-01T10:00&before=2021-01-01") shouldHaveSize 0
            jobs("?since=2020-01-01T10:00:00%2B02:00&status=LEASED") shouldContainExactlyInAnyOrder listOf(story.running)
        }

        test("filters without an index say how far back they search") {
            viewer().get("/jobs?type=mail.send&status=SUCCEEDED").readText shouldContain "so only jobs created since"
            viewer().get("/jobs?type=mail.send&status=SUCCEEDED&since=2020-01-01").readText shouldNotContain
                "so only jobs created since"
            viewer().get("/jobs?status=DEAD_LETTERED").readText shouldNotContain "so only jobs created since"
        }

        test("wrong values are answered at the field, with status 400 and without a list") {
            listOf(
                "status=BROKEN" to "There is no state 'BROKEN': choose one of the states.",
                "type=%00" to "job type",
                "since=yesterday" to "Give a time in UTC such as 2026-11-19 09:30, or how long ago such as 2 h.",
                "since=2026-13-45" to "Give a time in UTC",
                "since=2026-02-01&before=2026-01-01" to "choose a later time",
                "payload=%7Bnot" to "The text is not JSON",
                "payload=%7B%7D" to "Also choose a type or a time",
                "organization=acme" to "Give the id of an organization",
                "key=%00" to "cannot store",
                "code=a%00" to "cannot store",
            ).forEach { (query, sentence) ->
                val answer = viewer().get("/jobs?$query")

                answer.statusCode() shouldBe 400
                answer.readText shouldContain sentence
                answer.readText shouldContain "No job was read."
                answer.mainHtml shouldNotContain "<table"
                answer.mainHtml shouldContain "class=\"wrong\""
            }
        }

        test("a wrong value stays in its field") {
            val html = viewer().get("/jobs?since=yesterday").mainHtml

            html shouldContain "value=\"yesterday\""
            html shouldContain "aria-invalid=\"true\""
            html shouldContain "aria-describedby=\"wrong-since\""
        }

        test("a cursor that is not one is refused") {
            viewer().get("/jobs?after=nonsense").statusCode() shouldBe 400
        }

        test("an empty result names the filter to remove") {
            val page = viewer().get("/jobs?type=report.build&status=SUCCEEDED&code=").readText

            page shouldContain "No job matches all 2 filters."
            page shouldContain "There are jobs without Type: report.build."
            page shouldContain "There are jobs without State: succeeded."
            viewer().get("/jobs?type=nothing.here").readText shouldContain "There are jobs without Type: nothing.here."
            viewer().get("/jobs?key=none&code=none").readText shouldContain "Removing one of them is not enough."
        }

        test("pages follow each other and keep the filters") {
            val ids = bench.client.jobs.enqueueAll(
                List(120) {
                    JobRequest.builder(Story.REPORT, Json.of("$it")).build()
                },
            ).map { it.id() }
            val first = viewer().get("/jobs?type=report.build")
            val next = Regex(
                """href="/runledger(/jobs\?[^"]*after=[^"]*)"""",
            ).find(first.mainHtml)!!.groupValues[1].replace("&amp;", "&")

            val second = viewer().get(next)

            first.jobs() shouldBe ids.reversed().take(50)
            second.jobs() shouldBe ids.reversed().drop(50).take(50)
            next shouldContain "type=report.build"
            second.readText shouldContain "First page"
        }

        test("waiting jobs of a type are listed in the order of claims, which the page says") {
            val own = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
            own.client.definitions.sync(listOf(JobType.json("mail.send")))
            val ids = List(120) { n ->
                own.client.jobs.enqueue(
                    JobRequest.builder("mail.send", Json.of("$n")).priority(
                        if (n % 2 ==
                            0
                        ) {
                            7
                        } else {
                            0
                        },
                    ).build(),
                ).id()
            }
            val (high, low) = ids.withIndex().partition { it.index % 2 == 0 }
            val expected = (high + low).map { it.value }
            val ada = own.viewer("ada")
            fun HttpResponse<String>.next() = Regex(
                """href="/runledger(/jobs\?[^"]*after=[^"]*)">Next page""",
            ).find(mainHtml)?.groupValues?.get(1)?.replace("&amp;", "&")

            val first = ada.get("/jobs?type=mail.send&status=PENDING")
            val pages = generateSequence(first) { page -> page.next()?.let(ada::get) }.toList()

            pages.flatMap { it.jobs() } shouldBe expected
            first.readText shouldContain "In the order in which workers take them: the highest priority first"
            first.mainHtml shouldContain "Jobs, in the order of claims"
            first.readText shouldNotContain "so only jobs created since"
            ada.get("/jobs?type=mail.send&status=PENDING&organization=global").jobs() shouldBe expected.take(50)
            ada.get("/jobs?type=mail.send").jobs() shouldBe ids.reversed().take(50)
            ada.get("/jobs?type=mail.send&status=PENDING&code=none").statusCode() shouldBe 200
        }

        test("a list ends after the jobs that it may read, says so, and offers to search on") {
            val own = autoClose(ConsoleBench { snapshotLifetime = Duration.ZERO })
            own.client.definitions.sync(listOf(JobType.json("mail.send"), JobType.json("mail.rare")))
            val acme = UUID.randomUUID()
            val rare = own.client.jobs.enqueue(JobRequest.builder("mail.rare", Json.of("1")).organization(acme).build()).id()
            own.client.jobs.enqueueAll(
                List(JobFilters.MOST_READ + 10) { JobRequest.builder("mail.send", Json.of("1")).organization(acme).build() },
            )
            val eve = own.viewer("eve", scope = Scope.organization(acme))

            val first = eve.get("/jobs?type=mail.rare")
            val on = Regex("""href="/runledger(/jobs\?[^"]*after=[^"]*)">Search on""").find(first.mainHtml)!!.groupValues[1]
            val second = eve.get(on.replace("&amp;", "&"))

            first.statusCode() shouldBe 200
            first.jobs() shouldHaveSize 0
            first.readText shouldContain "The first 5,000 jobs of each state were searched, and none matches."
            first.readText shouldNotContain "No job matches"
            second.jobs() shouldBe listOf(rare)
            second.readText shouldNotContain "were searched"
            eve.get("/jobs?type=mail.rare&code=none").readText shouldContain "No job matches all 2 filters."
        }

        test("an organization's user sees only its jobs, and cannot choose another organization") {
            jobs("", Scope.organization(Story.OURS)) shouldContainExactlyInAnyOrder listOf(story.ours)
            jobs("?key=welcome-eve", Scope.organization(Story.OURS)) shouldHaveSize 0
            viewer(Scope.organization(Story.OURS)).get("/jobs?organization=${Story.OTHERS}").statusCode() shouldBe 400
            viewer(Scope.organization(Story.OURS)).get("/jobs").mainHtml shouldNotContain "name=\"organization\""
        }
    })
