-- Both directions: the job that this job replays, and the last replays of this job.
SELECT r.* FROM {schema}.job_replays r WHERE r.replay_job_id = :job_id
UNION ALL
(SELECT r.* FROM {schema}.job_replays r WHERE r.source_job_id = :job_id ORDER BY r.created_at DESC, r.replay_job_id DESC LIMIT :limit)
