-- Deletes completed deliveries. A row that another session holds is skipped; the result lists the positions of these rows, starting at 1.
WITH input AS (
    SELECT * FROM unnest(:hooks::text[], :job_ids::uuid[], :run_numbers::int[]) WITH ORDINALITY AS i (hook, job_id, run_number, place)
), free AS MATERIALIZED (
    SELECT w.job_id, w.run_number, w.hook
    FROM {schema}.job_dead_letter_deliveries w JOIN input i ON w.job_id = i.job_id AND w.run_number = i.run_number AND w.hook = i.hook
    FOR UPDATE OF w SKIP LOCKED
), gone AS (
    DELETE FROM {schema}.job_dead_letter_deliveries w
    USING free f
    WHERE w.job_id = f.job_id AND w.run_number = f.run_number AND w.hook = f.hook
)
SELECT i.place
FROM input i
JOIN {schema}.job_dead_letter_deliveries w ON w.job_id = i.job_id AND w.run_number = i.run_number AND w.hook = i.hook
WHERE NOT EXISTS (SELECT FROM free f WHERE f.job_id = i.job_id AND f.run_number = i.run_number AND f.hook = i.hook)
ORDER BY i.place
