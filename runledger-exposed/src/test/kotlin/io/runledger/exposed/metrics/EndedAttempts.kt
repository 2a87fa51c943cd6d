package io.runledger.exposed.metrics

import io.runledger.exposed.TestLedger
import io.runledger.model.ledger.Scope
import java.util.UUID

internal val acme: UUID = UUID(1, 1)
internal val bolt: UUID = UUID(2, 2)
internal val scopes = listOf(Scope.everything(), Scope.global(), Scope.organization(acme))

/** Ended jobs with one attempt each, that ended [ago] and took [took], as SQL of the number n of the job. */
internal fun TestLedger.ended(
    count: Int,
    ago: String = "interval '1 second'",
    took: String = "interval '1 second'",
    type: String = "mail",
    organization: UUID? = null,
    outcome: String = "SUCCEEDED",
    status: String = "SUCCEEDED",
    code: String? = null,
    retryDelay: Int? = null,
) = run(
    """WITH made AS (
        SELECT n, gen_random_uuid() AS id, clock_timestamp() - $ago AS at, $took AS took FROM generate_series(1, $count) n
    ), job AS (
        INSERT INTO runledger.job_queue (id, job_type, organization_id, status, attempt, max_attempts, finished_at)
        SELECT id, '$type', ${organization?.let {
        "'$it'::uuid"
    } ?: "NULL"}, '$status', 1, 3, CASE WHEN '$status' <> 'PENDING' THEN at END
        FROM made
    )
    INSERT INTO runledger.job_attempts
        (job_id, run_number, attempt, leased_at, started_at, finished_at, lease_seconds, outcome, worker_id, error_code, retry_delay_ms)
    SELECT id, 1, 1, at - took, at - took, at, 30, '$outcome', 'w', ${code?.let {
        "'$it'"
    } ?: "NULL"}, $retryDelay FROM made ORDER BY at""",
)
