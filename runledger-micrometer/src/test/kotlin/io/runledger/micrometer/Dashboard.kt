package io.runledger.micrometer

import tools.jackson.databind.JsonNode
import tools.jackson.databind.json.JsonMapper

/** The dashboard and the alert rules that the module ships. */
internal object Dashboard {
    class Panel(val title: String, val unit: String, val targets: List<Target>)

    class Target(val expression: String, val legend: String)

    private val document: JsonNode = JsonMapper().readTree(shipped("grafana-dashboard.json"))

    val rowsAndPanels: List<Pair<String, Panel?>> = elementsOf(document["panels"]).map { panel ->
        val title = panel["title"].asString()
        if (panel["type"].asString() == "row") title to null else title to panelOf(title, panel)
    }

    val panels: List<Panel> = rowsAndPanels.mapNotNull { it.second }

    /** The queries of the dashboard's variables, such as `label_values(metric, label)`. */
    val variables: List<String> = elementsOf(document["templating"]["list"]).mapNotNull { it["definition"]?.asString() }

    /** The rules by name, with their expression. */
    val alerts: Map<String, String> = Regex("""- alert: (\w+)\n\s+expr: (.+)\n""").findAll(shipped("prometheus-alerts.yml"))
        .associate { it.groupValues[1] to it.groupValues[2] }

    fun shipped(name: String): String = checkNotNull(WorkerMetrics::class.java.getResource(name)) {
        "$name is not in the jar."
    }.readText()

    // JsonNode has a function map of its own.
    private fun elementsOf(array: JsonNode): List<JsonNode> = ArrayList<JsonNode>().apply { for (element in array) add(element) }

    private fun panelOf(title: String, panel: JsonNode) = Panel(
        title,
        panel["fieldConfig"]["defaults"]["unit"].asString(),
        elementsOf(panel["targets"]).map { Target(it["expr"].asString(), it["legendFormat"].asString()) },
    )
}
