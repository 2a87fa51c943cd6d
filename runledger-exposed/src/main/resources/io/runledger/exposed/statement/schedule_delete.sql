DELETE FROM {schema}.job_schedules s WHERE s.name = ? AND {scope s}
