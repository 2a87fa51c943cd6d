-- The columns of a job in a list. The statement provides q, a row of job_queue.
q.id, q.job_type, q.organization_id, q.status, q.stage, q.priority, q.run_number, q.attempt, q.max_attempts, q.progress_done,
    q.progress_total, q.idempotency_key, q.queue, q.limit_keys, q.order_key, q.share_key,
    q.last_error_code, q.next_run_at, q.created_at, q.updated_at, q.started_at, q.finished_at
