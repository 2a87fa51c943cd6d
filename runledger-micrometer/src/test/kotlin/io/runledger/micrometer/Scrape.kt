package io.runledger.micrometer

/** The series of a scrape in the text format of Prometheus, taken [at] a time in seconds. */
internal class Scrape(text: String, val at: Double = 0.0) {
    data class Series(val metric: String, val labels: Map<String, String>)

    val values: Map<Series, Double> = text.lines().filterNot { it.isBlank() || it.startsWith("#") }.associate { line ->
        val (metric, labels, value) = checkNotNull(sample.matchEntire(line)) { "'$line' is no sample." }.destructured
        Series(metric, label.findAll(labels).associate { it.groupValues[1] to it.groupValues[2] }) to number(value)
    }

    fun of(metric: String, vararg labels: Pair<String, String>): List<Double> =
        values.filterKeys { it.metric == metric && labels.all { (name, value) -> it.labels[name] == value } }.values.toList()

    fun sum(metric: String, vararg labels: Pair<String, String>): Double = of(metric, *labels).sum()

    /** The only series of this name with these labels. */
    fun value(metric: String, vararg labels: Pair<String, String>): Double =
        checkNotNull(of(metric, *labels).singleOrNull()) { "$metric ${labels.toList()} is not one series of ${values.keys}." }

    private companion object {
        val sample = Regex("""(\w+)(?:\{(.*)})? (\S+)""")
        val label = Regex("""(\w+)="((?:[^"\\]|\\.)*)"""")

        fun number(text: String) = when (text) {
            "+Inf" -> Double.POSITIVE_INFINITY
            else -> text.toDouble()
        }
    }
}
