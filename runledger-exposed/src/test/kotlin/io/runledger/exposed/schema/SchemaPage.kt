package io.runledger.exposed.schema

import io.runledger.exposed.catalog.Catalog
import io.runledger.exposed.catalog.CatalogRelation
import io.runledger.exposed.catalog.LedgerState
import io.runledger.exposed.catalog.rows
import io.runledger.exposed.triggers

/** `docs/schema.md`, generated from the catalog and its comments. */
internal class SchemaPage(private val catalog: Catalog) {
    private val relations = catalog.relations.filterNot { it.name == LedgerState.HISTORY_TABLE }

    fun text(): String = listOf(
        INTRODUCTION,
        "## Tables",
        relations.filterNot { it.isView }.joinToString("\n\n", transform = ::relation),
        "## Views",
        relations.filter { it.isView }.joinToString("\n\n", transform = ::relation),
        "## Types",
        table("Type", "Values", "Meaning") {
            catalog.enums.map { listOf(code(it.name), it.values.joinToString(", "), it.comment.orEmpty()) }
        },
        "## Functions",
        table("Function", "Returns", "Meaning") {
            catalog.functions.map { listOf(code(it.signature), it.result, it.comment.orEmpty()) }
        },
    ).joinToString("\n\n", postfix = "\n")

    private fun relation(relation: CatalogRelation): String = listOfNotNull(
        "### ${relation.name}",
        relation.comment + ".",
        table("Column", "Type", "Meaning") {
            relation.columns.map { listOf(code(it.name), it.definition, it.comment.orEmpty()) }
        },
        listing("Constraints", relation.constraints.map { "${code(it.name)}: ${code(it.definition)}" }),
        listing(
            "Indexes",
            relation.indexes.filterNot {
                it.isOfConstraint
            }.map { "${code(it.name)}: ${code(it.definition)}" },
        ),
        listing("Triggers", relation.triggers.map { "${code(it.name)}: ${code(it.definition)}" }),
    ).joinToString("\n\n")

    private fun listing(title: String, lines: List<String>) =
        if (lines.isEmpty()) null else lines.joinToString("\n", prefix = "$title:\n\n") { "- $it" }

    private fun table(vararg titles: String, rows: () -> List<List<String>>) =
        (listOf(titles.toList(), titles.map { "---" }) + rows().map { row -> row.map { it.replace("|", "\\|") } })
            .joinToString("\n") { it.joinToString(" | ", "| ", " |") }

    private fun code(text: String) = "`$text`"

    private companion object {
        const val INTRODUCTION =
            """# The ledger's schema

Made from the database's own catalog and comments by `SchemaPageSpec`; after a change of a migration rewrite it with
`mvn test -pl runledger-exposed -am -Drunledger.write-catalog=true`. All of it lives in one schema, `runledger` unless configured
otherwise. Flyway keeps its history beside it in `runledger_schema_history`."""
    }
}
