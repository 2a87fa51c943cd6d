-- The limits that job types name, and what each is keyed by; null for a limit that is not declared.
SELECT i.name, l.keyed_by FROM unnest(:names::text[]) AS i (name) LEFT JOIN {schema}.limits l ON l.name = i.name ORDER BY i.name
