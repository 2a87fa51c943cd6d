package io.runledger.exposed

import java.util.UUID

/** A trigger as a service could have: it refuses to [operation] the rows of [job] in [table]. */
fun TestLedger.refuse(operation: String, table: String, job: UUID) {
    val idColumn = if (table == "job_queue") "id" else "job_id"
    run(
        """
        CREATE FUNCTION refuse_$table() RETURNS trigger LANGUAGE plpgsql AS
        ${'$'}${'$'} BEGIN RAISE EXCEPTION 'the service does not like this row' USING ERRCODE = 'check_violation'; END ${'$'}${'$'}
        """,
        "CREATE TRIGGER refuse BEFORE $operation ON runledger.$table FOR EACH ROW WHEN (NEW.$idColumn = '$job') " +
            "EXECUTE FUNCTION refuse_$table()",
    )
}

fun TestLedger.refuseNoMore(table: String) = run("DROP TRIGGER refuse ON runledger.$table")
