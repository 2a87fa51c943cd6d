SELECT c.* FROM {schema}.workflow_active_claims c WHERE c.scope = :scope AND c.active_key = :active_key
