DELETE FROM {schema}.job_schedules s WHERE s.name = :name AND {scope s}
