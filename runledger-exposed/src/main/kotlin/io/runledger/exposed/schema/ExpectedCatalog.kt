package io.runledger.exposed.schema

/** What this build's migrations make, as recorded in `catalog.txt`; a test keeps the record true. */
internal object ExpectedCatalog {
    const val RESOURCE = "/io/runledger/exposed/catalog.txt"

    private val entries: List<CatalogEntry> by lazy {
        checkNotNull(ExpectedCatalog::class.java.getResourceAsStream(RESOURCE)) { "$RESOURCE is not on the class path" }
            .bufferedReader()
            .useLines { lines -> lines.filterNot { it.isBlank() || it.startsWith("#") }.map(CatalogEntry::parse).toList() }
    }

    /**
     * What [actual] lacks or has otherwise, one sentence each; what it has on top is nobody's business. With
     * [newerMigrations] on top only what statements name is compared, because those may have replaced indexes and constraints.
     */
    fun differences(actual: Catalog, newerMigrations: Boolean = false): List<String> {
        val found = actual.entries().associateBy { it.label }
        val lost = entries.filter { it.isRelation() && it.label !in found }.map { it.relation }.toSet()
        return entries
            .filter { it.isRelation() || it.relation !in lost }
            .filter { !newerMigrations || it.isNamedByStatements() }
            .mapNotNull { difference(it, found[it.label], newerMigrations) }
    }

    /** The names of all things of one [kind], functions with their arguments. */
    fun names(kind: CatalogEntry.Kind): List<String> = entries.filter { it.kind == kind }.map { it.name }

    private fun difference(expected: CatalogEntry, actual: CatalogEntry?, newerMigrations: Boolean): String? = when {
        actual == null -> "${expected.label} is missing"
        expected.definition == actual.definition -> null
        newerMigrations && expected.kind == CatalogEntry.Kind.TYPE && actual.hasValuesOf(expected) -> null
        else -> "${expected.label} is '${actual.definition}' instead of '${expected.definition}'"
    }

    private fun CatalogEntry.isRelation() = kind == CatalogEntry.Kind.TABLE || kind == CatalogEntry.Kind.VIEW

    private fun CatalogEntry.isNamedByStatements() =
        isRelation() || kind == CatalogEntry.Kind.COLUMN || kind == CatalogEntry.Kind.TYPE || kind == CatalogEntry.Kind.FUNCTION

    private fun CatalogEntry.hasValuesOf(other: CatalogEntry) = definition.split(", ").containsAll(other.definition.split(", "))
}
