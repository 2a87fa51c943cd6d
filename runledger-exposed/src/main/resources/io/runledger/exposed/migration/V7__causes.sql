-- Failures with the same cause differ in ids, numbers and names. This function is the only place that says which messages are alike, so
-- that a group of dead letters and the selection that requeues it are the same jobs.
-- Quoted texts come first, because they may contain anything. Numbers come last, because UUIDs and hexadecimal ids contain digits. A run of
-- letters and digits is an id if it has both, and only hexadecimal ones.
-- A message may have several thousand characters, and the replacement is needed for thousands of messages: the first 2,000 are enough to
-- find the 200 that count.
CREATE FUNCTION "${schema}".normalized_message(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $fn$
        SELECT pg_catalog.btrim(pg_catalog.left(pg_catalog.btrim(
            pg_catalog.regexp_replace(
                pg_catalog.regexp_replace(
                    pg_catalog.regexp_replace(
                        pg_catalog.regexp_replace(
                            pg_catalog.regexp_replace(
                                pg_catalog.left(coalesce($1, ''), 2000),
                                '[[:space:]\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'
                            ),
                            '"[^"]*"|`[^`]*`|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb|(?<!\w)''[^'']*''(?!\w)', '<text>', 'g'
                        ),
                        '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', '<uuid>', 'g'
                    ),
                    '0x[0-9a-fA-F]+|\m(?=[a-fA-F]*[0-9])(?=[0-9]*[a-fA-F])[0-9a-fA-F]{6,}\M', '<hex>', 'g'
                ),
                '[0-9]+(?:[.,:][0-9]+)*', '<number>', 'g'
            )
        ), 200))
    $fn$;
COMMENT ON FUNCTION "${schema}".normalized_message(text) IS
    'The message of a failure without its variable parts: ids, numbers and quoted texts are replaced, white space is folded, 200 characters';
