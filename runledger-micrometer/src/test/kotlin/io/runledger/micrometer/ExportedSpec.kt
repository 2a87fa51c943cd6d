package io.runledger.micrometer

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.micrometer.core.instrument.Meter
import io.runledger.test.TestLedger
import io.runledger.test.until
import java.io.File

/**
 * Real workers meet everything that is measured, and a real registry is scraped: the dashboard, the alert rules and the page on
 * metrics name what it exports, and nothing else.
 */
class ExportedSpec :
    FunSpec({
        lateinit var meters: List<Meter>
        lateinit var scrapes: List<Scrape>
        val root = File(System.getProperty("runledger.root"))

        beforeSpec {
            val busy = autoClose(BusyLedger(TestLedger.fresh()))
            val taken = ArrayList<Scrape>()
            busy.run {
                repeat(MOMENTS) { moment ->
                    // Each moment counts as 15 seconds of the picture.
                    taken += busy.scrape(moment * 15.0)
                    busy.enqueue(moment * 100..<moment * 100 + 60 + 40 * (moment % 5))
                    val ended = busy.ended()
                    until("a part of the jobs has ended") { busy.ended() >= ended + 30 }
                }
            }
            taken += busy.scrape(MOMENTS * 15.0)
            scrapes = taken
            meters = busy.registry.meters
        }

        fun exported() = scrapes.last()

        /** Every metric of the expression is exported, with its labels and their values. */
        fun problems(expression: String): List<String> {
            val parsed = Promql.parse(expression)
            val series = exported().values.keys
            val ofSelectors = parsed.selectors().flatMap { selector ->
                val own = series.filter { it.metric == selector.metric }
                val wrong = selector.matchers.filterNot { matcher ->
                    own.any {
                        matcher.label in it.labels &&
                            ("\$" in matcher.value || matcher.operator == "!=" || matcher.matches(it.labels))
                    }
                }
                listOfNotNull(selector.metric.takeIf { own.isEmpty() }) + wrong.map { "${selector.metric}: $it" }
            }
            val ofGroups = parsed.aggregations().flatMap { aggregation ->
                val metrics = aggregation.selectors().map { it.metric }
                aggregation.by.filterNot { label -> series.any { it.metric in metrics && label in it.labels } }
                    .map { "$metrics: by $it" }
            }
            return ofSelectors + ofGroups
        }

        test("the metrics, labels and values of every panel are exported") {
            Dashboard.panels.size shouldBeGreaterThan 20
            Dashboard.panels.flatMap { panel ->
                panel.targets.flatMap { target -> problems(target.expression).map { "${panel.title}: $it" } }
            }.shouldBeEmpty()
        }

        test("the labels of every legend are those of the panel's series") {
            Dashboard.panels.flatMap { it.targets }.flatMap { target ->
                val of = Promql.parse(target.expression).aggregations().flatMap { it.by }
                Regex("""\{\{(\w+)}}""").findAll(target.legend).map { it.groupValues[1] }.filterNot { it in of }
                    .map { "${target.legend}: $it" }
            }.shouldBeEmpty()
        }

        test("the variables of the dashboard query what is exported") {
            Dashboard.variables.forEach { variable ->
                val (metric, label) = checkNotNull(Regex("""label_values\((\w+), (\w+)\)""").matchEntire(variable)).destructured
                exported().values.keys.filter { it.metric == metric }.flatMap { it.labels.keys } shouldContain label
            }
        }

        test("the metrics, labels and values of every alert rule are exported") {
            Dashboard.alerts.size shouldBe Regex("- alert:").findAll(Dashboard.shipped("prometheus-alerts.yml")).count()
            Dashboard.alerts.flatMap { (name, rule) -> problems(rule).map { "$name: $it" } }.shouldBeEmpty()
        }

        test("every label in the text of an alert is one of its series") {
            val rules = Dashboard.shipped("prometheus-alerts.yml").split("- alert: ").drop(1)

            rules.flatMap { rule ->
                val labels = Promql.parse(Dashboard.alerts.getValue(rule.lines().first())).aggregations().flatMap { it.by }
                Regex("""\${'$'}labels\.(\w+)""").findAll(rule).map { it.groupValues[1] }.filterNot { it in labels }.toList()
            }.shouldBeEmpty()
        }

        test("a misspelled metric, label, value and group are found, and what is no PromQL is refused") {
            problems("sum(rate(runledger_job_attempt_total[5m]))") shouldBe listOf("runledger_job_attempt_total")
            problems("""rate(runledger_job_attempts_total{results="lost"}[5m])""").size shouldBe 1
            problems("""rate(runledger_job_attempts_total{result="gone"}[5m])""").size shouldBe 1
            problems("sum by (tenant) (runledger_job_attempts_total)").size shouldBe 1
            runCatching { Promql.parse("sum(rate(runledger_job_attempts_total[5m])") }.isFailure shouldBe true
            runCatching { Promql.parse("delta(runledger_job_attempts_total[5m])") }.isFailure shouldBe true
        }

        test("the page on metrics lists every meter with its type, its unit and its tags, and no other") {
            val page = root.resolve("docs/metrics.md").readText()
            val listed = Regex("""(?m)^\| `(runledger\.[a-z.]+)` \| (\w+) \| ([^|]*) \| ([^|]*) \|""").findAll(page).map {
                it.groupValues.drop(1).joinToString(" | ") { column -> column.trim() }
            }.toList()

            val exported = meters.filter { it.id.name.startsWith("runledger.") }.groupBy { it.id.name }.map { (name, same) ->
                val tags = same.flatMap { it.id.tags }.map { it.key }.distinct().sorted().joinToString { "`$it`" }
                val type = same.map { typeOf(it) }.distinct().single()
                listOf(name, type, same.first().id.baseUnit ?: "–", tags.ifEmpty { "–" }).joinToString(" | ")
            }

            listed shouldContainExactlyInAnyOrder exported
        }

        test("no tag holds an id, a message or a tenant") {
            val tags = exported().values.keys.flatMap {
                it.labels.entries
            }.filter { it.key != "le" }.map { it.key to it.value }.toSet()

            withClue(tags) {
                tags.map { it.first }.toSet() shouldContainExactlyInAnyOrder
                    listOf("ledger", "type", "state", "result", "code", "reason", "outcome", "limit", "queue")
                tags.filterNot { (_, value) -> Regex("[a-z_]+(\\.[a-z_]+)*").matches(value) }.shouldBeEmpty()
            }
        }

        test("the panels are drawn from the exported series") {
            val picture = Picture(scrapes).draw()

            val shown = Regex("<polyline").findAll(picture).count()
            shown shouldBeGreaterThan 40
            Regex("no data").findAll(picture).count() shouldBe 0
            if (java.lang.Boolean.getBoolean("runledger.write-pictures")) {
                root.resolve("docs/metrics-dashboard.svg").writeText(picture)
            }
        }
    })

private const val MOMENTS = 40

private fun typeOf(meter: Meter) = when (meter.id.type) {
    Meter.Type.DISTRIBUTION_SUMMARY -> "summary"
    else -> meter.id.type.name.lowercase()
}
