package io.runledger.coroutines.crash

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.TestLedger

internal const val OPEN_JOBS = "runledger.job_queue WHERE status IN ('PENDING', 'LEASED')"

internal fun TestLedger.count(what: String): Long = value("SELECT count(*) FROM $what").toLong()

/** At the end: everything that was acknowledged exists and has ended, nothing else exists, and no effect happened twice. */
internal fun TestLedger.shouldHaveKeptAll(traffic: Traffic) {
    count("runledger.job_queue WHERE idempotency_key IS NOT NULL") shouldBe traffic.jobs.toLong()
    count("runledger.workflow_runs") shouldBe traffic.runs.toLong()
    count("runledger.workflow_runs WHERE status = 'CANCELED'") shouldBe traffic.cancels.toLong()
    count("runledger.workflow_runs WHERE status = 'SUCCEEDED'") shouldBe (traffic.runs - traffic.cancels).toLong()
    count("runledger.workflow_steps WHERE step_key = 'more'") shouldBe traffic.appends.toLong()
    rows(WRONG_EFFECTS).shouldBeEmpty()
    client.verify().contradictions().shouldBeEmpty()
}

/** Jobs whose effect is missing, there although they did not succeed, or there twice. */
private const val WRONG_EFFECTS = """
    SELECT q.id, q.status, coalesce(e.times, 0)
    FROM runledger.job_queue q
    FULL JOIN (SELECT job_id, count(*) AS times FROM effects GROUP BY job_id) e ON e.job_id = q.id
    WHERE coalesce(e.times, 0) <> CASE WHEN q.status = 'SUCCEEDED' THEN 1 ELSE 0 END
"""
