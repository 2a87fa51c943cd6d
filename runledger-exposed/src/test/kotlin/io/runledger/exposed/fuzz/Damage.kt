package io.runledger.exposed.fuzz

import io.runledger.exposed.TestLedger

/** A ledger whose rules do not keep a test from damaging it: no checks, no foreign keys, no NOT NULL. */
fun TestLedger.lawless(): TestLedger = apply {
    rows(
        "SELECT conrelid::regclass || ' DROP CONSTRAINT ' || conname || ' CASCADE' FROM pg_constraint " +
            "WHERE connamespace = 'runledger'::regnamespace AND contype IN ('c', 'f')",
    ).alterTables(this)
    rows(
        "SELECT a.attrelid::regclass || ' ALTER ' || a.attname || ' DROP NOT NULL' FROM pg_attribute a " +
            "JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'runledger'::regnamespace AND c.relkind = 'r' " +
            "AND a.attnotnull AND a.attnum > 0 AND a.attgenerated = '' AND a.attidentity = '' " +
            "AND NOT EXISTS (SELECT FROM pg_index i " +
            "WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey::int2[]))",
    ).alterTables(this)
}

private fun List<String>.alterTables(ledger: TestLedger) = ledger.run(*map { "ALTER TABLE $it" }.toTypedArray())

/** Deletes everything but the job types. */
fun TestLedger.emptied(): TestLedger = apply {
    val tables =
        rows(
            "SELECT 'runledger.' || tablename FROM pg_tables " +
                "WHERE schemaname = 'runledger' AND tablename NOT LIKE '%history' AND tablename <> 'job_definitions'",
        )
    run("TRUNCATE ${tables.joinToString()} CASCADE")
}

/** The ledger of a newer version, whose enums have a value more, `FROM_TOMORROW`. */
fun TestLedger.tomorrow(): TestLedger = lawless().apply {
    rows("SELECT oid::regtype FROM pg_type WHERE typnamespace = 'runledger'::regnamespace AND typtype = 'e'")
        .let { types -> run(*types.map { "ALTER TYPE $it ADD VALUE 'FROM_TOMORROW'" }.toTypedArray()) }
}

/** JSON that PostgreSQL stores and the library does not take: nested too deeply. */
val bottomless: String = "[".repeat(600) + "]".repeat(600)
