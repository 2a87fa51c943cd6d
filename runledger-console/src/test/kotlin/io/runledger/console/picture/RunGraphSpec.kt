package io.runledger.console.picture

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.picture.graph.GraphView
import io.runledger.console.picture.graph.RunShape
import io.runledger.console.picture.svg.Area
import io.runledger.console.picture.svg.shown
import io.runledger.model.job.Progress
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.WorkflowStepStatus
import kotlin.random.Random

private fun overlaps(one: Area, other: Area) =
    one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom

private fun fanOut(steps: Int, status: (Int) -> WorkflowStepStatus = { WorkflowStepStatus.SUCCEEDED }) = StoryBuilder().apply {
    step("charge")
    repeat(steps) { step("pick-${it + 1}", status(it), "orders.pick", after = listOf("charge")) }
    step("ship", WorkflowStepStatus.BLOCKED, after = (1..steps).map { "pick-$it" })
}.build()

class RunGraphSpec :
    FunSpec({
        val seed = System.getProperty("runledger.seed")?.toLong() ?: Random.nextLong()

        test("every step is in exactly one box, no boxes overlap, and every dependency is a line (seed $seed)") {
            val random = Random(seed)
            repeat(60) {
                val story = randomRun(random)
                val shape = RunShape.of(story)
                val options = PictureOptions.builder().groupsOver(random.nextInt(1, 6)).build()
                val view = GraphView.of(shape, options.groupsOver, emptySet())

                val drawn = DrawnSvg(RunGraph.of(story, at(100)).svg(options))

                view.boxes.flatMap { it.members }.sorted() shouldContainExactly shape.keys.indices.toList()
                drawn.titles("rl-step").map { it.substringBefore(", ") }.sorted() shouldContainExactly
                    view.boxes.filter {
                        it.group == null
                    }.map { shown(shape.keys[it.members.single()]).substringBefore(", ") }.sorted()
                drawn.withClass("rl-group") shouldHaveSize view.boxes.count { it.group != null }
                val cards = cards(drawn)
                cards shouldHaveSize view.boxes.size
                cards.forEachIndexed { place, card ->
                    withClue(card) {
                        (card.x >= 0 && card.y >= 0 && card.right <= drawn.width && card.bottom <= drawn.height) shouldBe true
                        cards.drop(place + 1).none { overlaps(card, it) } shouldBe true
                    }
                }
                val hidden = shape.waits.groupBy { wait -> Triple(boxOf(view, wait.from), boxOf(view, wait.to), wait.mode) }.keys
                drawn.withClass("rl-line").filter { (it.parentNode as org.w3c.dom.Element).hasTitle() } shouldHaveSize hidden.size
                view.links.sumOf { it.waits.size } shouldBe shape.waits.size
            }
        }

        test("the same run always has the same picture, with and without a kept layout") {
            val random = Random(7)
            repeat(10) {
                val story = randomRun(random)
                val layouts = GraphLayouts()

                val pictures =
                    List(3) { RunGraph.of(story, at(100), emptyMap(), layouts).svg() } + RunGraph.of(story, at(100)).svg()

                pictures.distinct() shouldHaveSize 1
            }
        }

        test("a step that proceeds moves no box") {
            val before = fanOut(5) { WorkflowStepStatus.ENQUEUED }
            val after = fanOut(5) { if (it == 2) WorkflowStepStatus.FAILED else WorkflowStepStatus.RUNNING }

            cards(DrawnSvg(RunGraph.of(before).svg())) shouldContainExactly
                cards(DrawnSvg(RunGraph.of(after, at(9), mapOf("pick-3" to StepWork(3, 8, Progress(5, 10)))).svg()))
        }

        test("every state has its own word, icon and class") {
            val looks = WorkflowStepStatus.entries.map { status ->
                val drawn =
                    DrawnSvg(
                        RunGraph.of(
                            StoryBuilder().step("a", status).build(),
                        ).svg(PictureOptions.builder().withoutLegend().build()),
                    )
                val card = drawn.withClass("rl-step").single()
                val icon = children(card).flatMap { listOf(it) + children(it) }.first { "rl-icon" in it.getAttribute("class") }
                Triple(drawn.titles("rl-step").single(), icon.getAttribute("d"), icon.getAttribute("class"))
            }

            looks.map { it.first } shouldContainExactly
                listOf("blocked", "waiting", "enqueued", "running", "succeeded", "failed", "canceled", "skipped")
                    .map { "a, job work, $it" }
            looks.map { it.second }.distinct() shouldHaveSize WorkflowStepStatus.entries.size
            looks.map { it.third }.distinct() shouldHaveSize WorkflowStepStatus.entries.size
        }

        test("many similar steps are one box with counts, and expanding shows each of them") {
            val story = fanOut(100) {
                if (it <
                    97
                ) {
                    WorkflowStepStatus.SUCCEEDED
                } else if (it < 99) {
                    WorkflowStepStatus.RUNNING
                } else {
                    WorkflowStepStatus.FAILED
                }
            }
            val graph = RunGraph.of(story)

            val closed = DrawnSvg(graph.svg())
            closed.titles("rl-group").single() shouldBe "pick-*, group of 100 steps, 97 done, 2 running, 1 failed"
            closed.titles("rl-step").map { it.substringBefore(',') } shouldContainExactlyInAnyOrder listOf("charge", "ship")
            graph.groups().map { "${it.id} $it ${it.isExpanded}" } shouldContainExactly listOf("pick-1 pick-* (100 steps) false")

            val open = PictureOptions.builder().expanded(setOf("pick-1", "unknown")).groupHref { "?close=$it" }.build()
            val drawn = DrawnSvg(graph.svg(open))
            drawn.withClass("rl-group").shouldBeEmpty()
            drawn.withClass("rl-step") shouldHaveSize 102
            drawn.named("a").single().getAttribute("href") shouldBe "?close=pick-1"
            graph.groups(open).single().isExpanded shouldBe true
        }

        test("a group of ten thousand steps is one box, and expanded it shows a part of them") {
            val graph = RunGraph.of(fanOut(10_000))

            DrawnSvg(graph.svg()).withClass("rl-group") shouldHaveSize 1
            val drawn = DrawnSvg(graph.svg(PictureOptions.builder().expanded(setOf("pick-1")).build()))
            drawn.withClass("rl-step") shouldHaveSize GraphView.MOST_EXPANDED + 2
            drawn.titles("rl-group").single() shouldContain "group of 9400 steps"
        }

        test("six hundred different steps have a picture") {
            val random = Random(600)
            val builder = StoryBuilder()
            repeat(600) { place ->
                builder.step(
                    "s$place",
                    jobType = "t$place",
                    after = List(2) {
                        random.nextInt(0, maxOf(1, place))
                    }.distinct().filter {
                        it <
                            place
                    }.map { "s$it" },
                )
            }

            val cards = cards(DrawnSvg(RunGraph.of(builder.build()).svg()))

            cards shouldHaveSize 600
            cards.indices.none { one -> (one + 1 until cards.size).any { overlaps(cards[one], cards[it]) } } shouldBe true
        }

        test("a dependency shows its release mode and whether it can be satisfied") {
            val story = StoryBuilder().step("a").step("b", WorkflowStepStatus.FAILED).step("c", WorkflowStepStatus.RUNNING)
                .step("ok", after = listOf("a")).step("no", WorkflowStepStatus.CANCELED, after = listOf("b"))
                .step(
                    "repair",
                    after = listOf("b"),
                    mode = ReleaseMode.ON_FAILURE,
                ).step("log", after = listOf("b"), mode = ReleaseMode.ON_TERMINAL)
                .step(
                    "next",
                    WorkflowStepStatus.BLOCKED,
                    after = listOf("c"),
                ).wait("a", "next", ReleaseMode.ON_SUCCESS, "total").build()

            val edges = DrawnSvg(RunGraph.of(story).svg()).withClass("rl-edge").filter { it.hasTitle() }

            edges.associate { title(it) to it.getAttribute("class").substringAfter(' ') } shouldBe mapOf(
                "a → ok, on success" to "rl-met",
                "b → no, on success, not satisfied" to "rl-unmet",
                "b → repair, on failure" to "rl-met",
                "b → log, on any end" to "rl-met",
                "c → next, on success" to "rl-open",
                "a → next, on success, input total" to "rl-met",
            )
            edges.associate {
                title(it).substringAfter(", ").substringBefore(",") to
                    children(it)[1].getAttribute("stroke-dasharray")
            }.values.distinct() shouldHaveSize
                3
        }

        test("an image without links is an image; with links it is a group of named links") {
            val story = StoryBuilder().step("a").step("b", after = listOf("a")).build()

            val plain = DrawnSvg(RunGraph.of(story).svg())
            plain.root.getAttribute("role") shouldBe "img"
            plain.root.getAttribute("aria-label") shouldBe "orders.fulfil, running"
            children(plain.root).take(2).map { it.tagName } shouldContainExactly listOf("title", "desc")
            plain.named("a").shouldBeEmpty()

            val linked = DrawnSvg(
                RunGraph.of(story).svg(
                    PictureOptions.builder().stepHref { key ->
                        if (key == "a") {
                            "/steps/$key?x=1&y=2"
                        } else {
                            "javascript:1"
                        }
                    }.build(),
                ),
            )
            linked.root.getAttribute("role") shouldBe "group"
            linked.named("a").map { it.getAttribute("href") to it.getAttribute("aria-label") } shouldContainExactly
                listOf("/steps/a?x=1&y=2" to "a, job work, succeeded")
        }

        test("attempts and progress of a step are shown") {
            val story = StoryBuilder().step("a", WorkflowStepStatus.RUNNING, started = 1).build()

            val svg = RunGraph.of(story, at(63), mapOf("a" to StepWork(2, 8, Progress(40, 100)))).svg()

            svg shouldContain ">2/8<"
            svg shouldContain "running · 1m 2s"
            DrawnSvg(svg).titles("rl-step").single() shouldBe "a, job work, running, 1m 2s, attempt 2 of 8, 40 percent"
        }

        test("an empty run has a picture, and a dependency on an unknown step is refused") {
            RunGraph.of(StoryBuilder().build()).svg() shouldContain "The run has no steps."

            val story = StoryBuilder().step("a").step("b", after = listOf("a")).build()
            val torn = io.runledger.model.history.WorkflowStory(
                story.run(),
                story.steps().drop(1),
                story.dependencies(),
                emptyList(),
                emptyList(),
            )
            shouldThrow<IllegalArgumentException> { RunGraph.of(torn) }.message shouldContain "missing"
        }

        test("a picture has no styles, scripts or ids of its own unless it stands alone") {
            val svg = RunGraph.of(randomRun(Random(3))).svg()

            svg shouldNotContain "style="
            svg shouldNotContain "<style"
            svg shouldNotContain "<script"
            svg shouldNotContain " id="
        }
    })

private fun org.w3c.dom.Element.hasTitle() = children(this).any { it.tagName == "title" }

private fun boxOf(view: GraphView, step: Int) = view.boxes.indexOfFirst { step in it.members }
