-- Whether a later action of one of the kinds has changed the same target.
SELECT EXISTS (
    SELECT FROM {schema}.operator_actions l
    JOIN {schema}.operator_actions a ON a.target_kind = l.target_kind AND a.target = l.target
    WHERE a.id = :id AND l.id <> a.id AND l.started_at > a.started_at AND l.changed > 0 AND l.undone_by IS NULL
        AND l.action = ANY (:kinds::text[])
) AS is_superseded
