-- Both directions: what the job repeats, and the last of what repeats it. Parameters: job, job, limit.
SELECT r.* FROM {schema}.job_replays r WHERE r.replay_job_id = ?
UNION ALL
(SELECT r.* FROM {schema}.job_replays r WHERE r.source_job_id = ? ORDER BY r.created_at DESC, r.replay_job_id DESC LIMIT ?)
