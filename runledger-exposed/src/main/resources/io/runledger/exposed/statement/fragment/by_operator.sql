-- The part of a journal line's payload that names the operator and the recorded action, as jsonb. Empty without an operator. The
-- parameters :actor and :action are those of the action that is being performed.
CASE WHEN :action::uuid IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('actor', :actor::text, 'action', :action::uuid) END
