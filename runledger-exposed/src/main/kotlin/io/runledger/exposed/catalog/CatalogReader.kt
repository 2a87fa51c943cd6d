package io.runledger.exposed.catalog

import io.runledger.exposed.schema.SchemaName
import java.sql.Connection
import java.sql.ResultSet

/**
 * Reads the catalog of one schema. Any role may read it. The connection must be in a transaction whose `search_path` is only
 * `pg_catalog` (see [inspecting]): PostgreSQL then qualifies every name of the schema, so that the schema name can be removed.
 */
internal class CatalogReader(private val connection: Connection, private val schema: SchemaName) {
    private val schemaPrefix = Regex("(?<![\\w\"])(\"${schema.text}\"|${schema.text})\\.")

    fun read(): Catalog = Catalog(enums(), functions(), relations())

    private fun enums() = rows(ENUMS) { CatalogEnum(it.getString("name"), it.texts("labels"), it.getString("comment")) }

    private fun functions() =
        rows(FUNCTIONS) { CatalogFunction(it.plain("signature"), it.plain("result"), it.getString("comment")) }

    private fun relations(): List<CatalogRelation> {
        val columns = byRelation(COLUMNS, ::column)
        val constraints = byRelation(CONSTRAINTS) { CatalogConstraint(it.getString("name"), it.plain("definition")) }
        val indexes = byRelation(INDEXES, ::index)
        val triggers = byRelation(TRIGGERS) { CatalogTrigger(it.getString("name"), it.plain("definition")) }
        return rows(RELATIONS) {
            val name = it.getString("name")
            CatalogRelation(
                name,
                isView = it.getBoolean("is_view"),
                comment = it.getString("comment"),
                columns = columns[name].orEmpty(),
                constraints = constraints[name].orEmpty(),
                indexes = indexes[name].orEmpty(),
                triggers = triggers[name].orEmpty(),
            )
        }
    }

    private fun column(row: ResultSet): CatalogColumn {
        val isGenerated = row.getBoolean("is_generated")
        val expression = row.getString("expression")?.let(::withoutSchema)
        return CatalogColumn(
            row.getString("name"),
            type = row.plain("type"),
            isNullable = row.getBoolean("is_nullable"),
            default = expression.takeUnless { isGenerated },
            generated = expression.takeIf { isGenerated },
            isIdentity = row.getBoolean("is_identity"),
            comment = row.getString("comment"),
        )
    }

    private fun index(row: ResultSet) = CatalogIndex(
        row.getString("name"),
        columns = row.texts("columns"),
        isUnique = row.getBoolean("is_unique"),
        isPrimaryKey = row.getBoolean("is_primary_key"),
        isOfConstraint = row.getBoolean("is_of_constraint"),
        definition = row.plain("definition"),
    )

    private fun <T> byRelation(sql: String, read: (ResultSet) -> T): Map<String, List<T>> =
        rows(sql) { it.getString("relation") to read(it) }.groupBy({ it.first }, { it.second })

    private fun <T> rows(sql: String, read: (ResultSet) -> T): List<T> = connection.rows(sql, schema.text, read = read)

    private fun ResultSet.plain(column: String) = withoutSchema(getString(column))

    private fun withoutSchema(text: String) = schemaPrefix.replace(text, "").replace(lineBreak, " ")

    private fun ResultSet.texts(column: String): List<String> = (getArray(column).array as Array<*>).map { it.toString() }

    private companion object {
        val lineBreak = Regex("\\s*\n\\s*")

        const val ENUMS = """
            SELECT t.typname AS name, obj_description(t.oid, 'pg_type') AS comment,
                array(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder) AS labels
            FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
            WHERE n.nspname = ? AND t.typtype = 'e' ORDER BY t.typname"""

        const val FUNCTIONS = """
            SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS signature,
                pg_get_function_result(p.oid) AS result, obj_description(p.oid, 'pg_proc') AS comment
            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname = ? AND p.prokind = 'f' ORDER BY 1"""

        const val RELATIONS = """
            SELECT c.relname AS name, c.relkind = 'v' AS is_view, obj_description(c.oid, 'pg_class') AS comment
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v') ORDER BY c.relname"""

        const val COLUMNS = """
            SELECT c.relname AS relation, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
                NOT a.attnotnull AS is_nullable, pg_get_expr(d.adbin, d.adrelid) AS expression,
                a.attgenerated <> '' AS is_generated, a.attidentity <> '' AS is_identity,
                col_description(c.oid, a.attnum) AS comment
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY c.relname, a.attnum"""

        // From version 18 on, PostgreSQL also stores NOT NULL as constraints. The columns already contain it.
        const val CONSTRAINTS = """
            SELECT c.relname AS relation, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ? AND k.contype IN ('p', 'u', 'f', 'c', 'x') ORDER BY c.relname, k.contype <> 'p', k.conname"""

        const val INDEXES = """
            SELECT t.relname AS relation, i.relname AS name, x.indisunique AS is_unique, x.indisprimary AS is_primary_key,
                EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.conrelid = t.oid) AS is_of_constraint,
                array(SELECT a.attname::text FROM unnest(x.indkey) WITH ORDINALITY AS key (number, place)
                    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = key.number ORDER BY key.place) AS columns,
                CASE WHEN x.indisunique THEN 'unique ' ELSE '' END || CASE WHEN x.indisvalid THEN '' ELSE 'invalid ' END
                    || substring(pg_get_indexdef(i.oid) FROM ' USING (.*)') AS definition
            FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
            JOIN pg_namespace n ON n.oid = t.relnamespace
            WHERE n.nspname = ? ORDER BY t.relname, i.relname"""

        const val TRIGGERS = """
            SELECT c.relname AS relation, g.tgname AS name,
                CASE g.tgenabled WHEN 'O' THEN '' ELSE 'not enabled for ordinary writes: ' END
                    || substring(pg_get_triggerdef(g.oid) FROM 'TRIGGER \S+ (.*)') AS definition
            FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ? AND NOT g.tgisinternal ORDER BY c.relname, g.tgname"""
    }
}
