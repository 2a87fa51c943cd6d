package io.runledger.exposed.catalog

/**
 * The contents of a schema. The name of the schema is removed from the texts that PostgreSQL writes (defaults, constraints,
 * indexes, types), so that ledgers in differently named schemas are equal.
 */
internal data class Catalog(
    val enums: List<CatalogEnum>,
    val functions: List<CatalogFunction>,
    val relations: List<CatalogRelation>,
) {
    fun relation(name: String): CatalogRelation? = relations.find { it.name == name }
}

internal data class CatalogEnum(val name: String, val values: List<String>, val comment: String?)

/** A function, without its body: the body may differ between server versions. */
internal data class CatalogFunction(val signature: String, val result: String, val comment: String?)

internal data class CatalogRelation(
    val name: String,
    val isView: Boolean,
    val comment: String?,
    val columns: List<CatalogColumn>,
    val constraints: List<CatalogConstraint>,
    val indexes: List<CatalogIndex>,
    val triggers: List<CatalogTrigger>,
)

internal data class CatalogColumn(
    val name: String,
    val type: String,
    val isNullable: Boolean,
    val default: String?,
    val generated: String?,
    val isIdentity: Boolean,
    val comment: String?,
) {
    val definition: String
        get() = listOfNotNull(
            type,
            "not null".takeUnless { isNullable },
            default?.let { "default $it" },
            generated?.let { "generated as $it" },
            "identity".takeIf { isIdentity },
        ).joinToString(" ")
}

internal data class CatalogConstraint(val name: String, val definition: String)

internal data class CatalogIndex(
    val name: String,
    val columns: List<String>,
    val isUnique: Boolean,
    val isPrimaryKey: Boolean,
    /** Whether a constraint created the index. The constraint then has the full definition. */
    val isOfConstraint: Boolean,
    val definition: String,
)

internal data class CatalogTrigger(val name: String, val definition: String)
