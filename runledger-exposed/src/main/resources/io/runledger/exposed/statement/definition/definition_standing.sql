-- Every type that is not declared, and every declared type that is stored with a newer version.
SELECT d.job_type, i.job_type IS NOT NULL AS is_declared
FROM {schema}.job_definitions d LEFT JOIN unnest(:job_types::text[], :versions::int[]) AS i (job_type, version) USING (job_type)
WHERE i.job_type IS NULL OR d.version > i.version
