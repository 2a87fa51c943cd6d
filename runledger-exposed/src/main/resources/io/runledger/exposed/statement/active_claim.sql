SELECT c.* FROM {schema}.workflow_active_claims c WHERE c.scope = ? AND c.active_key = ?
