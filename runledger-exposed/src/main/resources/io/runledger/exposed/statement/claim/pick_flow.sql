-- Chooses and locks due jobs of flow groups: see pick_flow in the schema. A null in :type_limits means that the type has no limit of its own,
-- null for :queues that the worker serves all of them.
SELECT p.ids, p.next_starts, p.retry_us, p.is_contended
FROM {schema}.pick_flow(:job_types::text[], :type_limits::int[], :queues::text[], :limit::int, :starts::uuid[], :is_beside::bool) p
