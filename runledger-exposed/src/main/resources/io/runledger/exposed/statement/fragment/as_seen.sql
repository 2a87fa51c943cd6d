-- The condition that a waiting job q is as the caller has seen it: the same attempt is ahead, at the same time and with the same priority.
-- If :seen_run is null, the caller has not said what it saw.
AND (
        :seen_run::int IS NULL
        OR q.run_number = :seen_run AND q.attempt = :seen_attempt::int AND q.next_run_at = :seen_at::timestamptz
            AND q.priority = :seen_priority::int
    )
