-- Makes the row of a queue that no operator has paused or limited before.
INSERT INTO {schema}.limits (name) VALUES (:name) ON CONFLICT (name) DO NOTHING
