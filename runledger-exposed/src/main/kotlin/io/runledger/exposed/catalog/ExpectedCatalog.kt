package io.runledger.exposed.catalog

/** The objects that this build's migrations create, as recorded in `catalog.txt`. A test compares the record with a ledger. */
internal object ExpectedCatalog {
    const val RESOURCE = "/io/runledger/exposed/catalog.txt"

    private val entries: List<CatalogEntry> by lazy {
        checkNotNull(ExpectedCatalog::class.java.getResourceAsStream(RESOURCE)) { "$RESOURCE is not on the class path" }
            .bufferedReader()
            .useLines { lines -> lines.filterNot { it.isBlank() || it.startsWith("#") }.map(CatalogEntry::parse).toList() }
    }

    /**
     * The objects that are missing in [actual] or differ, one sentence each. Additional objects are ignored. With
     * [newerMigrations], only objects that statements name are compared, because newer migrations may have replaced indexes
     * and constraints.
     */
    fun differences(actual: Catalog, newerMigrations: Boolean = false): List<String> {
        val found = actual.entries().associateBy { it.label }
        val lost = entries.filter { it.isRelation() && it.label !in found }.map { it.relation }.toSet()
        return entries
            .filter { it.isRelation() || it.relation !in lost }
            .filter { !newerMigrations || it.isNamedByStatements() }
            .mapNotNull { difference(it, found[it.label], newerMigrations) }
    }

    /** The names of all objects of one [kind]. The names of functions include their arguments. */
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
