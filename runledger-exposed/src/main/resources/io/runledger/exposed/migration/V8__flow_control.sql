-- Limits, strict order, fair shares and queues. A job that uses none of them has nulls in all these columns and is in no index of this file:
-- claims find it through idx_job_queue_claim as before. Every other job is in one flow group, whose jobs are alike in all of this.

ALTER TABLE "${schema}".job_definitions ADD COLUMN flow jsonb,
    ADD CONSTRAINT chk_job_definitions_flow_object CHECK (jsonb_typeof(flow) = 'object');
COMMENT ON COLUMN "${schema}".job_definitions.flow IS
    'Queue, limits, order and share of the jobs of this type; null if the type declares none';

ALTER TABLE "${schema}".workflow_step_rows ADD COLUMN flow jsonb,
    ADD CONSTRAINT chk_workflow_steps_flow_object CHECK (jsonb_typeof(flow) = 'object');
COMMENT ON COLUMN "${schema}".workflow_step_rows.flow IS
    'Queue, limits, order and share of the step''s job, as resolved when the step was inserted; null for a job without any';

ALTER TABLE "${schema}".job_schedules ADD COLUMN flow jsonb,
    ADD CONSTRAINT chk_job_schedules_flow_object CHECK (jsonb_typeof(flow) = 'object');
COMMENT ON COLUMN "${schema}".job_schedules.flow IS 'Queue, limits, order and share that the request of its jobs names; null if it names none';

ALTER TABLE "${schema}".job_queue
    ADD COLUMN flow_group uuid,
    ADD COLUMN order_position bigint,
    ADD COLUMN holds_order boolean,
    ADD COLUMN queue text,
    ADD COLUMN limit_keys text[],
    ADD COLUMN order_key text,
    ADD COLUMN share_key text;
COMMENT ON COLUMN "${schema}".job_queue.flow_group IS
    'Same for jobs of one type with the same queue, limit keys, order key and share; its first half is that of the share. Null for jobs without any of them';
COMMENT ON COLUMN "${schema}".job_queue.order_position IS 'Place in the order of its order key: the order of the commits of the enqueues';
COMMENT ON COLUMN "${schema}".job_queue.holds_order IS 'Whether the jobs behind it in its order wait while it is a dead letter';
COMMENT ON COLUMN "${schema}".job_queue.queue IS 'Named queue; null for the default queue';
COMMENT ON COLUMN "${schema}".job_queue.limit_keys IS 'What the job needs a permit of: names of limits, for a limit by key followed by a colon and the key';
COMMENT ON COLUMN "${schema}".job_queue.order_key IS 'Jobs with the same order key run one after another';
COMMENT ON COLUMN "${schema}".job_queue.share_key IS 'Jobs with the same share key have one share of the claims of their type';

-- A claim of jobs without flow control passes no job of a flow group.
DROP INDEX "${schema}".idx_job_queue_claim;
CREATE INDEX idx_job_queue_claim ON "${schema}".job_queue (job_type, is_paused, is_delayed, priority DESC, next_run_at, id)
    WHERE status = 'PENDING' AND flow_group IS NULL;
DROP INDEX "${schema}".idx_job_queue_delayed;
CREATE INDEX idx_job_queue_delayed ON "${schema}".job_queue (job_type, is_paused, next_run_at, priority)
    WHERE status = 'PENDING' AND is_delayed AND flow_group IS NULL;
-- From group to group within a priority, whatever the number of jobs in a group.
CREATE INDEX idx_job_queue_flow_due ON "${schema}".job_queue (job_type, priority DESC, flow_group, next_run_at, id)
    WHERE status = 'PENDING' AND NOT is_paused AND NOT is_delayed AND flow_group IS NOT NULL;
CREATE INDEX idx_job_queue_flow_delayed ON "${schema}".job_queue (job_type, next_run_at)
    WHERE status = 'PENDING' AND NOT is_paused AND is_delayed AND flow_group IS NOT NULL;
-- The permits in use. By the lease, which is random: entries of ended jobs are then replaced soon, and not passed until the next vacuum.
CREATE INDEX idx_job_queue_flow_leased ON "${schema}".job_queue (lease_id) WHERE status = 'LEASED' AND flow_group IS NOT NULL;
CREATE INDEX idx_job_queue_order ON "${schema}".job_queue (order_key, order_position)
    WHERE order_key IS NOT NULL AND (status IN ('PENDING', 'LEASED') OR status = 'DEAD_LETTERED' AND holds_order);
-- As idx_job_queue_claim, for operators: a claim reads no index in which jobs with flow stand one by one.
CREATE INDEX idx_job_queue_flow ON "${schema}".job_queue (job_type, is_paused, is_delayed, priority DESC, next_run_at, id)
    WHERE status = 'PENDING' AND flow_group IS NOT NULL;
-- What waits in a queue.
CREATE INDEX idx_job_queue_queue ON "${schema}".job_queue (queue, status, id) WHERE queue IS NOT NULL AND finished_at IS NULL;

CREATE SEQUENCE "${schema}".job_order_positions OWNED BY "${schema}".job_queue.order_position;
-- At the commit, so that the positions have the order of the commits. An enqueue therefore waits for no other one with the same key.
-- With the rights of its owner: a role that may insert jobs may change none of their columns.
CREATE FUNCTION "${schema}".set_order_position() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    UPDATE "${schema}".job_queue SET order_position = nextval('"${schema}".job_order_positions') WHERE id = NEW.id;
    RETURN NULL;
END
$body$;
COMMENT ON FUNCTION "${schema}".set_order_position() IS 'Gives a job with an order key its position, at the commit of its enqueue';
CREATE CONSTRAINT TRIGGER trg_job_queue_set_order_position AFTER INSERT ON "${schema}".job_queue
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.order_key IS NOT NULL)
    EXECUTE FUNCTION "${schema}".set_order_position();

CREATE TABLE "${schema}".limits (
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    rate_period_us bigint,
    declared_rate_period_us bigint,
    permits integer,
    rate_count integer,
    rate_burst integer,
    declared_permits integer,
    declared_rate_count integer,
    declared_rate_burst integer,
    is_changed boolean NOT NULL DEFAULT false,
    name text NOT NULL,
    keyed_by text NOT NULL DEFAULT 'NONE',
    CONSTRAINT limits_pkey PRIMARY KEY (name),
    CONSTRAINT chk_limits_name CHECK (name ~ '^(queue:)?[A-Za-z0-9][A-Za-z0-9._-]*$' AND length(name) <= 128),
    CONSTRAINT chk_limits_keyed_by CHECK (keyed_by IN ('NONE', 'ORGANIZATION', 'KEY')),
    CONSTRAINT chk_limits_permits_nonnegative CHECK (permits >= 0 AND declared_permits >= 0),
    CONSTRAINT chk_limits_rate CHECK (
        (rate_count IS NULL) = (rate_period_us IS NULL) AND (rate_count IS NULL) = (rate_burst IS NULL)
        AND rate_count > 0 IS NOT FALSE AND rate_period_us > 0 IS NOT FALSE AND rate_burst >= 0 IS NOT FALSE
    )
);
COMMENT ON TABLE "${schema}".limits IS
    'How many jobs run at once and begin in a period, for all jobs that name the limit or for each key. A queue has a row if it was paused or limited';
COMMENT ON COLUMN "${schema}".limits.created_at IS 'When the limit was first declared';
COMMENT ON COLUMN "${schema}".limits.updated_at IS 'When the row last changed';
COMMENT ON COLUMN "${schema}".limits.rate_period_us IS 'Period of the rate in microseconds; null without a rate';
COMMENT ON COLUMN "${schema}".limits.declared_rate_period_us IS 'The declared value of the same';
COMMENT ON COLUMN "${schema}".limits.permits IS 'Jobs that run at once, at most; 0 pauses, null does not limit them';
COMMENT ON COLUMN "${schema}".limits.rate_count IS 'Jobs that begin in a period; null without a rate';
COMMENT ON COLUMN "${schema}".limits.rate_burst IS 'Jobs that may begin in a period beyond the rate, after a time with fewer';
COMMENT ON COLUMN "${schema}".limits.declared_permits IS 'The declared value of permits';
COMMENT ON COLUMN "${schema}".limits.declared_rate_count IS 'The declared value of rate_count';
COMMENT ON COLUMN "${schema}".limits.declared_rate_burst IS 'The declared value of rate_burst';
COMMENT ON COLUMN "${schema}".limits.is_changed IS 'Whether an operator''s values are in force instead of the declared ones';
COMMENT ON COLUMN "${schema}".limits.name IS 'Name of the limit; that of a queue begins with queue:';
COMMENT ON COLUMN "${schema}".limits.keyed_by IS 'NONE: all jobs share the limit. ORGANIZATION, KEY: each organization or key has the whole limit';

CREATE TABLE "${schema}".limit_changes (
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    rate_period_us bigint,
    permits integer,
    rate_count integer,
    rate_burst integer,
    name text NOT NULL,
    changed_by text,
    reason text,
    CONSTRAINT limit_changes_pkey PRIMARY KEY (name, changed_at)
);
COMMENT ON TABLE "${schema}".limit_changes IS 'The values that each limit has had since each change';
COMMENT ON COLUMN "${schema}".limit_changes.changed_at IS 'When they came into force';
COMMENT ON COLUMN "${schema}".limit_changes.rate_period_us IS 'Period of the rate in microseconds';
COMMENT ON COLUMN "${schema}".limit_changes.permits IS 'Jobs that run at once';
COMMENT ON COLUMN "${schema}".limit_changes.rate_count IS 'Jobs that begin in a period';
COMMENT ON COLUMN "${schema}".limit_changes.rate_burst IS 'Jobs beyond the rate';
COMMENT ON COLUMN "${schema}".limit_changes.name IS 'Name of the limit';
COMMENT ON COLUMN "${schema}".limit_changes.changed_by IS 'The operator; null for a declaration by code';
COMMENT ON COLUMN "${schema}".limit_changes.reason IS 'Why; null for a declaration by code';

-- A claim locks the rows of the keys of the jobs it wants, and so decides alone about these keys.
CREATE TABLE "${schema}".limit_keys (
    spent_until timestamptz NOT NULL DEFAULT '-infinity',
    used_at timestamptz NOT NULL DEFAULT now(),
    limit_key text NOT NULL,
    CONSTRAINT limit_keys_pkey PRIMARY KEY (limit_key)
);
COMMENT ON TABLE "${schema}".limit_keys IS 'The keys of limits and orders that claims have used lately; retention removes those without a live job';
COMMENT ON COLUMN "${schema}".limit_keys.spent_until IS 'The rate is spent up to this instant: each job that begins moves it by the period divided by the count';
COMMENT ON COLUMN "${schema}".limit_keys.used_at IS 'When a claim created the row';
COMMENT ON COLUMN "${schema}".limit_keys.limit_key IS 'As in job_queue.limit_keys; for an order key preceded by order:';

CREATE TABLE "${schema}".share_weights (
    job_type text NOT NULL,
    share_key text NOT NULL,
    weight integer NOT NULL,
    CONSTRAINT share_weights_pkey PRIMARY KEY (job_type, share_key),
    CONSTRAINT chk_share_weights_weight CHECK (weight BETWEEN 1 AND 100)
);
COMMENT ON TABLE "${schema}".share_weights IS 'Shares that get more than one part of the claims of their type';
COMMENT ON COLUMN "${schema}".share_weights.job_type IS 'The job type';
COMMENT ON COLUMN "${schema}".share_weights.share_key IS 'The share';
COMMENT ON COLUMN "${schema}".share_weights.weight IS 'Its parts; a share without a row has 1';

-- Actions of operators on limits, queues and shares.
ALTER TABLE "${schema}".operator_actions
    DROP CONSTRAINT chk_operator_actions_action,
    DROP CONSTRAINT chk_operator_actions_target_kind,
    ADD CONSTRAINT chk_operator_actions_action CHECK (action IN (
        'job.enqueue', 'job.cancel', 'job.requeue', 'job.restart', 'job.replay', 'job.edit', 'job.release_order', 'job.run_now',
        'job.reschedule', 'job.reprioritize', 'workflow.start', 'workflow.cancel', 'workflow.pause', 'workflow.resume',
        'workflow.append', 'workflow.edit_step', 'workflow.retry_failed', 'workflow.recover', 'gate.complete', 'gate.fail',
        'schedule.pause', 'schedule.resume', 'schedule.retime', 'schedule.fire', 'schedule.delete', 'worker.drain', 'worker.resume',
        'worker.stop', 'definition.change', 'definition.pause', 'definition.resume', 'definition.enable', 'definition.disable',
        'definition.reset', 'limit.change', 'limit.reset', 'queue.pause', 'queue.resume', 'share.weigh', 'action.undo'
    )),
    ADD CONSTRAINT chk_operator_actions_target_kind CHECK (target_kind IN (
        'JOB', 'JOBS', 'JOB_SELECTION', 'RUN', 'RUNS', 'SCHEDULE', 'JOB_TYPE', 'WORKERS', 'WORKER_ORDER', 'LIMIT', 'QUEUE', 'SHARE',
        'ACTION'
    ));

-- The flow of a new job: what its type declares and what its request says, with all keys. Null if there is nothing. Called by the statements
-- that insert jobs and steps, and only for those with a flow of either kind. A missing key is refused; without is_strict, the job is not
-- subject to what needs the key.
CREATE FUNCTION "${schema}".resolve_flow(
    job_type text, declared jsonb, requested jsonb, organization_id uuid, is_strict boolean DEFAULT true
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $body$
DECLARE
    tenant CONSTANT text := coalesce(organization_id::text, 'global');
    queue CONSTANT text := coalesce(requested ->> 'queue', declared ->> 'queue');
    wanted CONSTANT jsonb := coalesce(requested -> 'limits', '{}');
    keys text[] := '{}';
    order_name CONSTANT text := coalesce(declared -> 'order' ->> 'name', job_type);
    order_key text;
    share_key text;
    one record;
BEGIN
    IF declared IS NULL AND requested IS NULL THEN
        RETURN NULL;
    END IF;
    FOR one IN
        SELECT l ->> 'name' AS name, l ->> 'by' AS keyed_by, true AS is_declared FROM jsonb_array_elements(declared -> 'limits') l
        UNION ALL
        SELECT w.name, l.keyed_by, false
        FROM jsonb_object_keys(wanted) AS w (name) LEFT JOIN "${schema}".limits l ON l.name = w.name
        WHERE NOT coalesce(declared -> 'limits', '[]') @> jsonb_build_array(jsonb_build_object('name', w.name))
        ORDER BY 1
    LOOP
        IF one.keyed_by IS NULL THEN
            RAISE EXCEPTION USING ERRCODE = 'RL102', MESSAGE = 'limit ' || one.name || ' is not declared', DETAIL = one.name;
        ELSIF one.keyed_by = 'KEY' THEN
            IF is_strict AND (NOT wanted ? one.name OR NOT one.is_declared AND wanted ->> one.name IS NULL) THEN
                RAISE EXCEPTION USING ERRCODE = 'RL101', MESSAGE = 'the job has no key for limit ' || one.name, DETAIL = one.name;
            END IF;
            keys := keys || (one.name || ':' || (wanted ->> one.name));
        ELSIF wanted ->> one.name IS NOT NULL THEN
            RAISE EXCEPTION USING ERRCODE = 'RL104', MESSAGE = 'limit ' || one.name || ' takes no key', DETAIL = one.name;
        ELSIF one.keyed_by = 'ORGANIZATION' THEN
            keys := keys || (one.name || ':' || tenant);
        ELSE
            keys := keys || one.name;
        END IF;
    END LOOP;
    keys := array_remove(keys, NULL);
    IF cardinality(keys) > 4 THEN
        RAISE EXCEPTION USING ERRCODE = 'RL103', MESSAGE = 'the job has ' || cardinality(keys) || ' limits, at most 4 are allowed';
    END IF;
    IF queue IS NOT NULL THEN
        keys := keys || ('queue:' || queue);
    END IF;

    IF requested ? 'order' THEN
        order_key := order_name || ':' || (requested ->> 'order');
    ELSIF declared -> 'order' ->> 'by' = 'ORGANIZATION' THEN
        order_key := order_name || ':' || tenant;
    ELSIF is_strict AND declared ? 'order' THEN
        RAISE EXCEPTION USING ERRCODE = 'RL101', MESSAGE = 'the job has no key for its order', DETAIL = order_name;
    END IF;

    IF requested ? 'share' THEN
        share_key := requested ->> 'share';
    ELSIF declared -> 'share' ->> 'by' = 'ORGANIZATION' THEN
        share_key := tenant;
    ELSIF is_strict AND declared ? 'share' THEN
        RAISE EXCEPTION USING ERRCODE = 'RL101', MESSAGE = 'the job has no key for its share', DETAIL = job_type;
    END IF;

    IF cardinality(keys) = 0 AND order_key IS NULL AND share_key IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN jsonb_strip_nulls(jsonb_build_object(
        'queue', queue, 'limits', nullif(to_jsonb(keys), '[]'), 'order', order_key,
        'holds', CASE WHEN order_key IS NOT NULL THEN coalesce((declared -> 'order' ->> 'holds')::boolean, true) END, 'share', share_key
    ));
END
$body$;
COMMENT ON FUNCTION "${schema}".resolve_flow(text, jsonb, jsonb, uuid, boolean) IS
    'Queue, limit keys, order key and share of a new job, from the declaration of its type and from its request';

-- The limit of a key: all of the key up to the first colon, and for a queue all of it.
CREATE FUNCTION "${schema}".limit_of(limit_key text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $fn$ SELECT CASE WHEN limit_key LIKE 'queue:%' THEN limit_key ELSE split_part(limit_key, ':', 1) END $fn$;
COMMENT ON FUNCTION "${schema}".limit_of(text) IS 'The name of the limit that a limit key belongs to';

-- Time for which each job that begins occupies the rate of a limit, in microseconds. Rounded up, so that a period never has one too many.
CREATE FUNCTION "${schema}".rate_step_us(rate_period_us bigint, rate_count integer) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $fn$ SELECT (rate_period_us + rate_count - 1) / rate_count $fn$;
COMMENT ON FUNCTION "${schema}".rate_step_us(bigint, integer) IS 'The time that one job takes of a rate, in microseconds';

-- How many further jobs a limit allows now, null if it does not limit them: :used jobs of the key are leased, and the rate is spent until
-- the given instant.
CREATE FUNCTION "${schema}".limit_room(
    permits integer, rate_count integer, rate_period_us bigint, rate_burst integer, used bigint, spent_until timestamptz, at timestamptz
) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $fn$
        SELECT least(
            permits - coalesce(used, 0),
            CASE WHEN rate_count IS NOT NULL THEN
                rate_burst + 1 - CASE WHEN spent_until > at THEN
                    ceil(extract(epoch FROM spent_until - at) * 1000000 / "${schema}".rate_step_us(rate_period_us, rate_count))::bigint
                ELSE 0 END
            END
        )
    $fn$;
COMMENT ON FUNCTION "${schema}".limit_room(integer, integer, bigint, integer, bigint, timestamptz, timestamptz) IS
    'How many further jobs of a limit key may begin now; null if the limit does not limit them';

-- How many further jobs with these keys may begin now; if none because of a rate, for how long; and whether one of the limits that allow
-- none is for all jobs and not by key. :used are the permits in use by key.
CREATE FUNCTION "${schema}".flow_room(keys text[], used jsonb) RETURNS TABLE (room bigint, wait_us bigint, is_common boolean)
    LANGUAGE sql STABLE AS $fn$
        SELECT min(k.room), max(k.wait_us) FILTER (WHERE k.room <= 0), bool_or(k.room <= 0 AND k.limit_key = k.name)
        FROM (
            SELECT
                u.limit_key, l.name,
                "${schema}".limit_room(
                    l.permits, l.rate_count, l.rate_period_us, l.rate_burst, (used ->> u.limit_key)::bigint, s.spent_until, clock_timestamp()
                ) AS room,
                CASE WHEN l.rate_count IS NOT NULL AND s.spent_until > clock_timestamp() THEN ceil(
                    extract(epoch FROM s.spent_until - clock_timestamp()) * 1000000
                        - l.rate_burst * "${schema}".rate_step_us(l.rate_period_us, l.rate_count)
                )::bigint END AS wait_us
            FROM unnest(keys) AS u (limit_key)
            JOIN "${schema}".limits l ON l.name = "${schema}".limit_of(u.limit_key)
            LEFT JOIN "${schema}".limit_keys s ON s.limit_key = u.limit_key
            WHERE l.permits IS NOT NULL OR l.rate_count IS NOT NULL
        ) k
    $fn$;
COMMENT ON FUNCTION "${schema}".flow_room(text[], jsonb) IS
    'How many further jobs with these limit keys may begin now; null if nothing limits them. If a rate allows none: the time until it allows one';

-- The permits in use: the leased jobs by limit key, and by order key.
CREATE FUNCTION "${schema}".used_permits() RETURNS jsonb LANGUAGE sql STABLE
    AS $fn$
        SELECT coalesce(jsonb_object_agg(u.limit_key, u.jobs), '{}')
        FROM (
            SELECT k.limit_key, count(*) AS jobs
            FROM "${schema}".job_queue q
            CROSS JOIN LATERAL unnest(q.limit_keys || ('order:' || q.order_key)) AS k (limit_key)
            WHERE q.status = 'LEASED' AND q.flow_group IS NOT NULL AND k.limit_key IS NOT NULL
            GROUP BY k.limit_key
        ) u
    $fn$;
COMMENT ON FUNCTION "${schema}".used_permits() IS 'The leased jobs by limit key, and by order key after order:';

-- The flow group of a type and priority that follows :place, up to :last, and how many of its jobs may begin now: 0 if it waits, null if
-- nothing limits it. In an order only the first job may begin, which is :front.
CREATE FUNCTION "${schema}".next_flow_group(
    of_type text, of_priority integer, place uuid, last uuid, queues text[], used jsonb,
    OUT flow_group uuid, OUT room bigint, OUT front uuid, OUT wait_us bigint, OUT is_common boolean
) LANGUAGE plpgsql STABLE AS $body$
DECLARE
    in_queue text;
    keys text[];
    in_order text;
    may_begin boolean;
BEGIN
    SELECT q.flow_group, coalesce(q.queue, 'default'), q.limit_keys, q.order_key INTO flow_group, in_queue, keys, in_order
    FROM "${schema}".job_queue q
    WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
        AND q.job_type = of_type AND q.priority = of_priority AND q.flow_group > place AND q.flow_group <= last
    ORDER BY q.flow_group, q.next_run_at, q.id
    LIMIT 1;
    IF flow_group IS NULL THEN
        RETURN;
    END IF;
    room := 0;
    IF used ? ('order:' || in_order) THEN
        RETURN;
    END IF;
    IF in_order IS NOT NULL THEN
        -- The first job of the order is the one that begins, so its limits and its queue count.
        SELECT
            o.id, o.limit_keys, coalesce(o.queue, 'default'),
            o.status = 'PENDING' AND NOT o.is_paused AND NOT o.is_delayed AND o.job_type = of_type
        INTO front, keys, in_queue, may_begin
        FROM "${schema}".job_queue o
        WHERE o.order_key = in_order AND (o.status IN ('PENDING', 'LEASED') OR o.status = 'DEAD_LETTERED' AND o.holds_order)
        ORDER BY o.order_position
        LIMIT 1;
        IF may_begin IS NOT TRUE THEN
            RETURN;
        END IF;
    END IF;
    IF in_queue <> ALL (queues) THEN
        RETURN;
    END IF;
    SELECT f.room, f.wait_us, f.is_common INTO room, wait_us, is_common FROM "${schema}".flow_room(keys, used) f;
    room := greatest(room, CASE WHEN room IS NOT NULL THEN 0 END);
END
$body$;
COMMENT ON FUNCTION "${schema}".next_flow_group(text, integer, uuid, uuid, text[], jsonb) IS
    'The flow group after a place, and how many of its jobs may begin now';

-- Chooses up to :most due jobs of flow groups for a claim, and locks their rows and the rows of their limit keys until the transaction ends.
-- The caller leases the jobs in the same transaction. Highest priority first; within a priority the shares of a type take turns, each with as
-- many parts as its weight, and begin behind the place in :starts. With :is_beside, jobs without flow wait too: jobs of lower priority are
-- left out, and of equal priority only every second place is taken.
--
-- The first part reads without locks and passes over what is limited. Its result can be old: another claim may have taken the permit. So the
-- second part locks the keys, skips keys that another claim has locked, and counts again with a snapshot of its own: each statement of a
-- volatile function has one, in READ COMMITTED.
-- A place is a flow group. The first half of the id of a group is that of its share, so all groups of a share are neighbours.
-- is_contended: not every group was looked at, or other claims held keys, so that another claim soon may find more. retry_us: the time until
-- a rate allows a job that it has refused.
CREATE FUNCTION "${schema}".pick_flow(
    job_types text[], type_limits integer[], queues text[], most integer, starts uuid[], is_beside boolean,
    OUT ids uuid[], OUT next_starts uuid[], OUT retry_us bigint, OUT is_contended boolean
) LANGUAGE plpgsql VOLATILE
    SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET lock_timeout = '100ms'
    AS $body$
DECLARE
    first_place CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
    last_place CONSTANT uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    most_visits CONSTANT integer := 2000;
    most_blocked CONSTANT integer := 100;
    used jsonb;
    plain_priority integer;
    level record;
    head record;
    t integer;
    this_type text;
    type_left integer[] := ARRAY(SELECT coalesce(l.most, 2147483647) FROM unnest(type_limits) WITH ORDINALITY AS l (most, nth) ORDER BY l.nth);
    level_room integer;
    wanted integer;
    places integer;
    taken uuid[] := '{}';
    batch uuid[];
    origin uuid;
    place uuid;
    visits integer;
    shares integer;
    open_parts integer;
    share_group uuid[];
    share_end uuid[];
    share_room bigint[];
    share_front uuid[];
    share_weight integer[];
    share_jobs integer[];
    share_got integer[];
    share_at timestamptz[];
    share_id uuid[];
    share_open boolean[];
    got_at timestamptz[];
    got_id uuid[];
    i integer;
    keys text[];
    locked jsonb;
    rooms jsonb;
BEGIN
    ids := '{}';
    next_starts := starts;
    is_contended := false;

    -- Jobs that have become due.
    UPDATE "${schema}".job_queue q SET updated_at = now()
    WHERE q.id = ANY (ARRAY(
        SELECT late.id FROM unnest(job_types) AS a (job_type)
        CROSS JOIN LATERAL (
            SELECT d.id FROM "${schema}".job_queue d
            WHERE d.status = 'PENDING' AND NOT d.is_paused AND d.is_delayed AND d.flow_group IS NOT NULL AND d.job_type = a.job_type
                AND d.next_run_at <= now()
            ORDER BY d.next_run_at
            LIMIT 1000
            FOR UPDATE SKIP LOCKED
        ) late
    ));

    IF is_beside THEN
        SELECT max(p.priority) INTO plain_priority
        FROM unnest(job_types) AS a (job_type)
        CROSS JOIN LATERAL (
            SELECT q.priority FROM "${schema}".job_queue q
            WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NULL AND q.job_type = a.job_type
            ORDER BY q.priority DESC
            LIMIT 1
        ) p;
    END IF;

    FOR level IN
        WITH RECURSIVE asked AS (
            SELECT a.job_type, a.nth::integer AS nth FROM unnest(job_types) WITH ORDINALITY AS a (job_type, nth)
            WHERE NOT EXISTS (SELECT FROM "${schema}".job_definitions d WHERE d.job_type = a.job_type AND d.is_paused)
        ), found AS (
            SELECT a.nth, a.job_type, (
                SELECT q.priority FROM "${schema}".job_queue q
                WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL AND q.job_type = a.job_type
                ORDER BY q.priority DESC LIMIT 1
            ) AS priority
            FROM asked a
            UNION ALL
            SELECT f.nth, f.job_type, (
                SELECT q.priority FROM "${schema}".job_queue q
                WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL AND q.job_type = f.job_type
                    AND q.priority < f.priority
                ORDER BY q.priority DESC LIMIT 1
            )
            FROM found f WHERE f.priority IS NOT NULL
        )
        SELECT f.priority, array_agg(f.nth ORDER BY random()) AS types FROM found f
        WHERE f.priority IS NOT NULL
        GROUP BY f.priority ORDER BY f.priority DESC
    LOOP
        level_room := most - cardinality(taken);
        EXIT WHEN level_room <= 0 OR level.priority < plain_priority;
        IF level.priority = plain_priority THEN
            level_room := (level_room + 1) / 2;
        END IF;
        used := coalesce(used, "${schema}".used_permits());

        FOREACH t IN ARRAY level.types LOOP
            this_type := job_types[t];
            wanted := least(level_room, type_left[t]);
            CONTINUE WHEN wanted <= 0;
            places := wanted;
            -- From the start to the last group, then from the first group to the start.
            origin := coalesce(starts[t], first_place);

            -- The first group that may begin of each share, until there is one share for each free place. A row without a group turns back
            -- to the first place. If one limit of all jobs stops many groups one after another, the walk ends: it is likely to stop the
            -- others too.
            WITH RECURSIVE walk AS (
                SELECT
                    0 AS visit, false AS is_second_lap, origin AS place, 0 AS shares, 0 AS blocked, NULL::uuid AS flow_group,
                    NULL::bigint AS room, NULL::uuid AS front, NULL::bigint AS wait_us, false AS is_open
                UNION ALL
                SELECT
                    w.visit + 1, w.is_second_lap OR g.flow_group IS NULL,
                    CASE
                        WHEN g.flow_group IS NULL THEN first_place
                        WHEN o.is_open THEN overlay(g.flow_group::text PLACING 'ffff-ffffffffffff' FROM 20)::uuid
                        ELSE g.flow_group
                    END,
                    w.shares + CASE WHEN o.is_open THEN 1 ELSE 0 END,
                    CASE WHEN l.room <= 0 AND l.is_common THEN w.blocked + 1 ELSE 0 END, g.flow_group, l.room, f.id, l.wait_us, o.is_open
                FROM walk w
                LEFT JOIN LATERAL (
                    SELECT q.flow_group, coalesce(q.queue, 'default') AS queue, q.limit_keys, q.order_key
                    FROM "${schema}".job_queue q
                    WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
                        AND q.job_type = this_type AND q.priority = level.priority AND q.flow_group > w.place
                        AND q.flow_group <= CASE WHEN w.is_second_lap THEN origin ELSE last_place END
                    ORDER BY q.flow_group, q.next_run_at, q.id
                    LIMIT 1
                ) g ON true
                LEFT JOIN LATERAL (
                    SELECT
                        o.id, o.limit_keys, coalesce(o.queue, 'default') AS queue,
                        o.status = 'PENDING' AND NOT o.is_paused AND NOT o.is_delayed AND o.job_type = this_type AS may_begin
                    FROM "${schema}".job_queue o
                    WHERE o.order_key = g.order_key AND (o.status IN ('PENDING', 'LEASED') OR o.status = 'DEAD_LETTERED' AND o.holds_order)
                    ORDER BY o.order_position
                    LIMIT 1
                ) f ON true
                -- In an order the first job is the one that begins, so its limits and its queue count.
                CROSS JOIN LATERAL (
                    SELECT
                        CASE WHEN g.order_key IS NULL THEN g.limit_keys ELSE f.limit_keys END AS limit_keys,
                        CASE WHEN g.order_key IS NULL THEN g.queue ELSE f.queue END AS queue
                ) e
                LEFT JOIN LATERAL (SELECT r.* FROM "${schema}".flow_room(e.limit_keys, used) r WHERE e.limit_keys IS NOT NULL) l ON true
                CROSS JOIN LATERAL (
                    SELECT g.flow_group IS NOT NULL AND (queues IS NULL OR e.queue = ANY (queues)) AND coalesce(l.room, 1) > 0
                        AND (g.order_key IS NULL OR f.may_begin AND NOT used ? ('order:' || g.order_key)) AS is_open
                ) o
                WHERE w.shares < places AND w.visit < most_visits AND w.blocked <= most_blocked
                    AND (g.flow_group IS NOT NULL OR NOT w.is_second_lap)
            )
            SELECT
                array_agg(w.flow_group ORDER BY w.visit) FILTER (WHERE w.is_open),
                array_agg(w.place ORDER BY w.visit) FILTER (WHERE w.is_open),
                array_agg(coalesce(w.room, most) ORDER BY w.visit) FILTER (WHERE w.is_open),
                array_agg(w.front ORDER BY w.visit) FILTER (WHERE w.is_open),
                least(retry_us, min(w.wait_us) FILTER (WHERE NOT w.is_open)), (array_agg(w.place ORDER BY w.visit DESC))[1],
                is_contended OR max(w.visit) >= most_visits, max(w.shares)
            INTO share_group, share_end, share_room, share_front, retry_us, place, is_contended, shares
            FROM walk w;
            next_starts[t] := place;
            CONTINUE WHEN shares = 0;
            share_at := array_fill(NULL::timestamptz, ARRAY[shares]);
            share_id := array_fill(first_place, ARRAY[shares]);
            share_open := array_fill(true, ARRAY[shares]);
            visits := 0;

            SELECT array_agg(coalesce(w.weight, 1) ORDER BY s.nth) INTO share_weight
            FROM unnest(share_group) WITH ORDINALITY AS s (flow_group, nth)
            LEFT JOIN (
                SELECT left(md5(v.share_key), 16) AS half, v.weight FROM "${schema}".share_weights v WHERE v.job_type = this_type
            ) w ON w.half = left(replace(s.flow_group::text, '-', ''), 16);

            -- The shares take turns until all places are taken or no share has a further job that may begin.
            LOOP
                SELECT sum(o.weight) INTO open_parts FROM unnest(share_open, share_weight) AS o (is_open, weight) WHERE o.is_open;
                EXIT WHEN open_parts IS NULL;
                SELECT array_agg(greatest(0, least(s.jobs, places - s.before)) ORDER BY s.nth) INTO share_jobs
                FROM (
                    SELECT p.nth, p.jobs, coalesce(sum(p.jobs) OVER (ORDER BY p.nth ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
                    FROM (
                        SELECT u.nth, CASE WHEN u.is_open THEN least(greatest(1, places * u.weight / open_parts), u.room) ELSE 0 END AS jobs
                        FROM unnest(share_open, share_weight, share_room) WITH ORDINALITY AS u (is_open, weight, room, nth)
                    ) p
                ) s;
                WITH got AS MATERIALIZED (
                    SELECT s.nth, max(j.next_run_at) AS last_at, array_agg(j.id ORDER BY j.next_run_at, j.id) FILTER (WHERE j.id IS NOT NULL) AS jobs
                    FROM unnest(share_group, share_jobs, share_at, share_id, share_front) WITH ORDINALITY
                        AS s (flow_group, jobs, at, id, front, nth)
                    LEFT JOIN LATERAL (
                        SELECT one.* FROM (
                            SELECT q.id, q.next_run_at FROM "${schema}".job_queue q
                            WHERE s.front IS NULL AND s.jobs > 0 AND q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed
                                AND q.flow_group = s.flow_group AND q.job_type = this_type AND q.priority = level.priority
                                AND (q.next_run_at, q.id) > (coalesce(s.at, '-infinity'), s.id)
                            ORDER BY q.next_run_at, q.id
                            LIMIT s.jobs
                            FOR UPDATE SKIP LOCKED
                        ) one
                        UNION ALL
                        SELECT one.* FROM (
                            SELECT q.id, q.next_run_at FROM "${schema}".job_queue q
                            WHERE s.jobs > 0 AND q.id = s.front AND q.status = 'PENDING' AND NOT q.is_paused AND q.id <> ALL (taken)
                            FOR UPDATE SKIP LOCKED
                        ) one
                    ) j ON true
                    GROUP BY s.nth
                )
                SELECT
                    (SELECT array_agg(x.id ORDER BY g.nth, x.nth) FROM got g CROSS JOIN LATERAL unnest(g.jobs) WITH ORDINALITY AS x (id, nth)),
                    (SELECT array_agg(coalesce(cardinality(g.jobs), 0) ORDER BY g.nth) FROM got g),
                    (SELECT array_agg(g.last_at ORDER BY g.nth) FROM got g),
                    (SELECT array_agg(g.jobs[cardinality(g.jobs)] ORDER BY g.nth) FROM got g)
                INTO batch, share_got, got_at, got_id;
                taken := taken || batch;
                places := places - coalesce(cardinality(batch), 0);
                EXIT WHEN places <= 0;

                -- A share whose group has no further job that may begin goes on with its next group.
                FOR i IN 1 .. shares LOOP
                    CONTINUE WHEN NOT share_open[i] OR share_jobs[i] = 0;
                    IF share_front[i] IS NULL AND share_got[i] = share_jobs[i] AND share_got[i] < share_room[i] THEN
                        share_room[i] := share_room[i] - share_got[i];
                        share_at[i] := got_at[i];
                        share_id[i] := got_id[i];
                        CONTINUE;
                    END IF;
                    share_open[i] := false;
                    place := share_group[i];
                    LOOP
                        visits := visits + 1;
                        IF visits > most_visits THEN
                            is_contended := true;
                            EXIT;
                        END IF;
                        head := "${schema}".next_flow_group(this_type, level.priority, place, share_end[i], queues, used);
                        EXIT WHEN head.flow_group IS NULL;
                        place := head.flow_group;
                        IF head.room = 0 THEN
                            retry_us := least(retry_us, head.wait_us);
                            CONTINUE;
                        END IF;
                        share_group[i] := head.flow_group;
                        share_room[i] := coalesce(head.room, most);
                        share_front[i] := head.front;
                        share_at[i] := NULL;
                        share_id[i] := first_place;
                        share_open[i] := true;
                        EXIT;
                    END LOOP;
                END LOOP;
            END LOOP;
            type_left[t] := type_left[t] - (wanted - places);
            level_room := level_room - (wanted - places);
            EXIT WHEN level_room <= 0;
        END LOOP;
    END LOOP;
    IF cardinality(taken) = 0 THEN
        RETURN;
    END IF;

    -- The keys that limit something, in order, so that two claims cannot wait for each other.
    SELECT array_agg(k.limit_key ORDER BY k.limit_key) INTO keys
    FROM (
        SELECT DISTINCT u.limit_key FROM "${schema}".job_queue q
        CROSS JOIN LATERAL unnest(q.limit_keys || ('order:' || q.order_key)) AS u (limit_key)
        WHERE q.id = ANY (taken) AND u.limit_key IS NOT NULL
    ) k
    WHERE k.limit_key LIKE 'order:%' OR EXISTS (
        SELECT FROM "${schema}".limits l
        WHERE l.name = "${schema}".limit_of(k.limit_key) AND (l.permits IS NOT NULL OR l.rate_count IS NOT NULL)
    );
    IF keys IS NULL THEN
        ids := taken;
        RETURN;
    END IF;
    -- A claim under way that uses one of them first is waited for, but not long: it may have stopped, or wait for this one if both have chosen
    -- twice. Then the jobs with new keys are left for another claim.
    BEGIN
        INSERT INTO "${schema}".limit_keys (limit_key)
        SELECT k.limit_key FROM unnest(keys) WITH ORDINALITY AS k (limit_key, nth)
        WHERE NOT EXISTS (SELECT FROM "${schema}".limit_keys s WHERE s.limit_key = k.limit_key)
        ORDER BY k.nth
        ON CONFLICT DO NOTHING;
    EXCEPTION WHEN lock_not_available THEN
        is_contended := true;
    END;
    SELECT coalesce(jsonb_object_agg(h.limit_key, h.spent_until), '{}') INTO locked
    FROM (
        SELECT s.limit_key, s.spent_until FROM "${schema}".limit_keys s
        WHERE s.limit_key = ANY (keys)
        ORDER BY s.limit_key
        FOR UPDATE SKIP LOCKED
    ) h;

    -- The locks are held: what is counted from here on stays true until this transaction ends.
    used := "${schema}".used_permits();
    SELECT jsonb_object_agg(k.limit_key, CASE
        WHEN NOT locked ? k.limit_key THEN 0
        WHEN k.limit_key LIKE 'order:%' THEN 1 - coalesce((used ->> k.limit_key)::bigint, 0)
        ELSE "${schema}".limit_room(
            l.permits, l.rate_count, l.rate_period_us, l.rate_burst, (used ->> k.limit_key)::bigint,
            (locked ->> k.limit_key)::timestamptz, clock_timestamp()
        )
    END) INTO rooms
    FROM unnest(keys) AS k (limit_key)
    LEFT JOIN "${schema}".limits l ON l.name = "${schema}".limit_of(k.limit_key);

    -- Each key gives its places in the order of the claim. A job that another key refuses still counts, so that no key gives one too many.
    SELECT coalesce(array_agg(j.id ORDER BY j.nth), '{}') INTO ids
    FROM (
        SELECT d.id, d.nth, bool_or(d.place > (rooms ->> d.limit_key)::bigint) AS is_refused
        FROM (
            SELECT w.id, w.nth, k.limit_key, row_number() OVER (PARTITION BY k.limit_key ORDER BY w.nth) AS place
            FROM unnest(taken) WITH ORDINALITY AS w (id, nth)
            JOIN "${schema}".job_queue q ON q.id = w.id
            LEFT JOIN LATERAL unnest(q.limit_keys || ('order:' || q.order_key)) AS k (limit_key) ON k.limit_key IS NOT NULL
            WHERE q.order_key IS NULL OR NOT EXISTS (
                SELECT FROM "${schema}".job_queue o
                WHERE o.order_key = q.order_key AND o.order_position < q.order_position
                    AND (o.status IN ('PENDING', 'LEASED') OR o.status = 'DEAD_LETTERED' AND o.holds_order)
            )
        ) d
        GROUP BY d.id, d.nth
    ) j
    WHERE j.is_refused IS NOT TRUE;
    is_contended := is_contended OR cardinality(ids) < cardinality(taken);
END
$body$;
COMMENT ON FUNCTION "${schema}".pick_flow(text[], integer[], text[], integer, uuid[], boolean) IS
    'Chooses due jobs of flow groups for a claim, and locks them and their limit keys; the caller leases them in the same transaction';

-- As before, except that waiting jobs with and without flow are in different indexes.
CREATE OR REPLACE VIEW "${schema}".job_metrics_rollup AS
WITH live AS (
    SELECT
        organization_id, job_type,
        count(*) FILTER (WHERE status = 'PENDING') AS pending_count,
        count(*) FILTER (WHERE status = 'LEASED') AS leased_count,
        count(*) FILTER (WHERE status = 'LEASED' AND lease_expires_at < now()) AS stale_leases
    FROM "${schema}".job_queue
    WHERE status = 'PENDING' AND flow_group IS NULL OR status = 'PENDING' AND flow_group IS NOT NULL OR status = 'LEASED'
    GROUP BY organization_id, job_type
), ended AS (
    SELECT
        q.organization_id, q.job_type,
        count(*) FILTER (WHERE a.outcome = 'SUCCEEDED' AND q.status = 'SUCCEEDED' AND q.run_number = a.run_number) AS succeeded_24h,
        count(*) FILTER (WHERE a.outcome = 'RETRYABLE') AS retryable_24h,
        count(*) FILTER (WHERE a.outcome = 'TERMINAL') AS terminal_24h,
        count(*) FILTER (WHERE a.outcome = 'PANICKED') AS panicked_24h,
        count(*) FILTER (WHERE a.outcome = 'TIMEOUT') AS timeout_24h,
        count(*) FILTER (WHERE a.outcome = 'LEASE_EXPIRED') AS lease_expired_24h,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM a.finished_at - a.started_at)::double precision * 1000)
            AS p50_duration_ms_24h,
        percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM a.finished_at - a.started_at)::double precision * 1000)
            AS p95_duration_ms_24h
    FROM "${schema}".job_attempts a JOIN "${schema}".job_queue q ON q.id = a.job_id
    WHERE a.finished_at >= now() - interval '24 hours'
    GROUP BY q.organization_id, q.job_type
), dead AS (
    -- Only those that still wait for an operator: a requeued job no longer counts.
    SELECT organization_id, job_type, count(*) AS dead_lettered_24h
    FROM "${schema}".job_queue
    WHERE status = 'DEAD_LETTERED' AND finished_at >= now() - interval '24 hours'
    GROUP BY organization_id, job_type
)
-- Added up and not joined: no join by IS NOT DISTINCT FROM can hash, and with many organizations it would compare each with each.
SELECT
    organization_id, job_type,
    sum(pending_count)::bigint AS pending_count,
    sum(leased_count)::bigint AS leased_count,
    sum(stale_leases)::bigint AS stale_leases,
    sum(succeeded_24h)::bigint AS succeeded_24h,
    sum(retryable_24h)::bigint AS retryable_24h,
    sum(terminal_24h)::bigint AS terminal_24h,
    sum(panicked_24h)::bigint AS panicked_24h,
    sum(timeout_24h)::bigint AS timeout_24h,
    sum(lease_expired_24h)::bigint AS lease_expired_24h,
    sum(dead_lettered_24h)::bigint AS dead_lettered_24h,
    max(p50_duration_ms_24h) AS p50_duration_ms_24h, max(p95_duration_ms_24h) AS p95_duration_ms_24h
FROM (
    SELECT
        organization_id, job_type, pending_count, leased_count, stale_leases, 0 AS succeeded_24h, 0 AS retryable_24h, 0 AS terminal_24h,
        0 AS panicked_24h, 0 AS timeout_24h, 0 AS lease_expired_24h, 0 AS dead_lettered_24h,
        NULL::double precision AS p50_duration_ms_24h, NULL::double precision AS p95_duration_ms_24h
    FROM live
    UNION ALL
    SELECT
        organization_id, job_type, 0, 0, 0, succeeded_24h, retryable_24h, terminal_24h, panicked_24h, timeout_24h, lease_expired_24h, 0,
        p50_duration_ms_24h, p95_duration_ms_24h
    FROM ended
    UNION ALL
    SELECT organization_id, job_type, 0, 0, 0, 0, 0, 0, 0, 0, 0, dead_lettered_24h, NULL, NULL FROM dead
) counted
GROUP BY organization_id, job_type;

-- An older build would claim jobs without regard to their limits.
INSERT INTO "${schema}".runledger_migration_history (version) VALUES (8);
