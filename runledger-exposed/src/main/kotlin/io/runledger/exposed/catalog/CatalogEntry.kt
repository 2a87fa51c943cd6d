package io.runledger.exposed.catalog

/** An object of a schema and its definition; one line of `catalog.txt`. */
internal data class CatalogEntry(val kind: Kind, val name: String, val definition: String) {
    enum class Kind { TYPE, FUNCTION, TABLE, VIEW, COLUMN, CONSTRAINT, INDEX, TRIGGER }

    /** The table or view of an object that belongs to one. */
    val relation: String get() = name.substringBefore('.')

    val label: String get() = "${kind.name.lowercase()} $name"

    override fun toString(): String = if (definition.isEmpty()) label else "$label = $definition"

    companion object {
        fun parse(line: String): CatalogEntry {
            val (kind, rest) = line.split(' ', limit = 2)
            return CatalogEntry(Kind.valueOf(kind.uppercase()), rest.substringBefore(" = "), rest.substringAfter(" = ", ""))
        }
    }
}

/** The entries of the catalog. Comments are omitted, because a changed comment has no effect. */
internal fun Catalog.entries(): List<CatalogEntry> =
    enums.map { CatalogEntry(CatalogEntry.Kind.TYPE, it.name, it.values.joinToString(", ")) } +
        functions.map { CatalogEntry(CatalogEntry.Kind.FUNCTION, it.signature, it.result) } +
        relations.flatMap { it.entries() }

private fun CatalogRelation.entries(): List<CatalogEntry> =
    listOf(CatalogEntry(if (isView) CatalogEntry.Kind.VIEW else CatalogEntry.Kind.TABLE, name, "")) +
        columns.map { CatalogEntry(CatalogEntry.Kind.COLUMN, "$name.${it.name}", it.definition) } +
        constraints.map { CatalogEntry(CatalogEntry.Kind.CONSTRAINT, "$name.${it.name}", it.definition) } +
        indexes.filterNot { it.isOfConstraint }.map { CatalogEntry(CatalogEntry.Kind.INDEX, "$name.${it.name}", it.definition) } +
        triggers.map { CatalogEntry(CatalogEntry.Kind.TRIGGER, "$name.${it.name}", it.definition) }
