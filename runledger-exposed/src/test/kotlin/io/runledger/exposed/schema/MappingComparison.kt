package io.runledger.exposed.schema

import io.runledger.exposed.catalog.Catalog
import io.runledger.exposed.catalog.CatalogColumn
import io.runledger.exposed.catalog.CatalogRelation
import io.runledger.exposed.catalog.LedgerState
import io.runledger.exposed.table.LedgerTables
import io.runledger.exposed.table.column.LedgerTable
import org.jetbrains.exposed.v1.core.Column

/** Compares the Exposed mapping with the catalog, sentence by sentence; must run in a transaction, which knows the dialect. */
internal object MappingComparison {
    private val sqlNames = mapOf("int" to "integer")

    fun differences(tables: LedgerTables, catalog: Catalog): List<String> {
        val mapped = tables.all.map { it.tableName.substringAfter('.') }
        val unmapped = catalog.relations.map { it.name } - mapped.toSet() - LedgerState.HISTORY_TABLE
        return unmapped.map { "$it is not mapped" } + tables.all.flatMap { differences(it, catalog, tables.schema) }
    }

    private fun differences(table: LedgerTable, catalog: Catalog, schema: SchemaName): List<String> {
        val name = table.tableName.substringAfter('.')
        val relation = catalog.relation(name) ?: return listOf("$name does not exist")
        return columnNames(table, relation) +
            table.columns.flatMap { column ->
                relation.columns.find { it.name == column.name }?.let { differences(column, it, relation, schema) }.orEmpty()
            } +
            keys(table, relation) + indexes(table, relation)
    }

    private fun columnNames(table: LedgerTable, relation: CatalogRelation): List<String> {
        val mapped = table.columns.map { it.name }
        val actual = relation.columns.map { it.name }
        return (mapped - actual.toSet()).map { "${relation.name}.$it does not exist" } +
            (actual - mapped.toSet()).map { "${relation.name}.$it is not mapped" }
    }

    private fun differences(
        mapped: Column<*>,
        actual: CatalogColumn,
        relation: CatalogRelation,
        schema: SchemaName,
    ): List<String> {
        val name = "${relation.name}.${actual.name}"
        val type = mapped.columnType.sqlType().replace("${schema.quoted}.", "").replace("\"", "").lowercase().let {
            sqlNames[it]
                ?: it
        }
        val hasDefault = actual.default != null || actual.generated != null || actual.isIdentity
        return listOfNotNull(
            "$name is ${actual.type}, mapped as $type".takeIf { type != actual.type },
            // Every column of a view is nullable to PostgreSQL, whatever the view's query guarantees.
            "$name is mapped with the wrong nullability".takeIf {
                !relation.isView &&
                    mapped.columnType.nullable != actual.isNullable
            },
            "$name is mapped with the wrong default".takeIf { mapped.isDatabaseGenerated() != hasDefault },
        )
    }

    private fun keys(table: LedgerTable, relation: CatalogRelation): List<String> {
        val mapped = table.primaryKey?.let { key -> key.name to key.columns.map { it.name } }
        val actual = relation.indexes.find { it.isPrimaryKey }?.let { it.name to it.columns }
        return if (mapped == actual) emptyList() else listOf("${relation.name} has the key $actual, mapped as $mapped")
    }

    private fun indexes(table: LedgerTable, relation: CatalogRelation): List<String> {
        val mapped = table.indices.map { index -> Triple(index.indexName, index.unique, index.columns.map { it.name }) }
        val actual = relation.indexes.filterNot { it.isPrimaryKey }.map { Triple(it.name, it.isUnique, it.columns) }
        return (mapped - actual.toSet()).map { "${relation.name} has no index $it" } +
            (actual - mapped.toSet()).map { "${relation.name} has an index that is not mapped: $it" }
    }
}
