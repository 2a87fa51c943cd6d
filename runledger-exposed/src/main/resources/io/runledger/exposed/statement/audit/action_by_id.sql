SELECT a.* FROM {schema}.operator_actions a WHERE a.id = :id AND {scope a}
