SELECT id FROM {schema}.operator_actions WHERE request_key = :request_key
