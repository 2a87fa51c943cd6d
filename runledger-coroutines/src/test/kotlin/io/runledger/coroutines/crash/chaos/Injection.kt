package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.TestLedger

/** Triggers on the ledger's tables that make the writes of others fail or take long, until they are dropped. */
internal enum class Injection(private val body: String, private vararg val events: String) {
    CONTENTION(
        """
        IF random() < 0.125 THEN RAISE EXCEPTION 'injected' USING ERRCODE = '40001'; END IF;
        IF random() < 0.125 THEN RAISE EXCEPTION 'injected' USING ERRCODE = '40P01'; END IF;
        """,
        "INSERT ON runledger.job_attempts",
    ),
    SLOWNESS(
        "IF random() < 0.05 THEN PERFORM pg_sleep(0.4); END IF;",
        "INSERT ON runledger.job_attempts",
    ),
    FULL_DISK(
        """
        IF current_setting('application_name') LIKE '$CREW%' THEN PERFORM nextval('refusals'); END IF;
        RAISE EXCEPTION 'injected' USING ERRCODE = '53100';
        """,
        "INSERT ON runledger.job_attempts",
        "INSERT OR UPDATE ON runledger.job_queue",
    ),
    ;

    fun begin(ledger: TestLedger) {
        ledger.run(
            """
            CREATE OR REPLACE FUNCTION chaos() RETURNS trigger LANGUAGE plpgsql AS ${'$'}body${'$'}
            BEGIN
                $body
                RETURN NEW;
            END ${'$'}body${'$'}
            """,
        )
        events.forEach { ledger.run("CREATE TRIGGER chaos BEFORE $it FOR EACH ROW EXECUTE FUNCTION chaos()") }
    }

    /** Table by table: a transaction that locks both could be in a deadlock with a worker. */
    fun end(ledger: TestLedger) = events.forEach { ledger.run("DROP TRIGGER chaos ON ${it.substringAfterLast(' ')}") }

    companion object {
        fun prepare(ledger: TestLedger) = ledger.run("CREATE SEQUENCE refusals")

        /** How many writes of workers a full disk has refused. */
        fun refusals(ledger: TestLedger): Long = ledger.value("SELECT last_value FROM refusals").toLong()
    }
}
