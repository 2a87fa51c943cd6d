package io.runledger.exposed.audit

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.Plan
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.plan
import io.runledger.exposed.read.Explaining
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.OperatorTargetKind
import java.time.Duration
import java.util.UUID

private const val ACTIONS = 100_000
private const val ITEMS = 50
private const val LINES = 500

/** What is read of a long record, and to undo an action beside it, depends on what is asked for and not on the length. */
class ActionPlansSpec :
    FunSpec({
        val everything = Scope.everything()
        val organization = UUID.randomUUID()
        val job = UUID.randomUUID()
        val action = UUID.randomUUID()

        fun TestLedger.fill() = run(
            """INSERT INTO runledger.operator_actions
                (id, organization_id, actor, action, target_kind, target, started_at, finished_at, changed)
                SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(x, 1, 3) || '8' || substr(x, 4, 15))::uuid,
                    CASE n % 10 WHEN 0 THEN '$organization'::uuid END, 'operator ' || n % 10, 'workflow.pause', 'RUN', 'run ' || n % 10,
                    at, CASE WHEN n % 100 <> 0 THEN at END, 1
                FROM (
                    SELECT n, now() - n * interval '1 minute' AS at, md5(n::text) AS x FROM generate_series(1, $ACTIONS) n
                ) made""",
            "INSERT INTO runledger.job_queue (id, job_type, max_attempts) VALUES ('$job', 't', 3)",
            """INSERT INTO runledger.job_journal (job_id, event_type, payload)
                SELECT '$job', 'EDITED', jsonb_build_object('action', gen_random_uuid()) FROM generate_series(1, $ACTIONS)""",
            """INSERT INTO runledger.job_journal (job_id, event_type, payload)
                SELECT '$job', 'CANCELED', jsonb_build_object('action', '$action'::uuid) FROM generate_series(1, $LINES)""",
            "INSERT INTO runledger.job_journal (job_id, event_type) SELECT '$job', 'PROGRESS' FROM generate_series(1, $ACTIONS)",
            "VACUUM ANALYZE",
        )

        val ledger by lazy { freshLedger().define("t").apply { fill() } }

        mapOf<String, Pair<Scope, AuditQuery.Builder.() -> Unit>>(
            "all actions" to (everything to {}),
            "the actions of an operator" to (everything to { actor("operator 3") }),
            "the actions on a run" to (everything to { target(OperatorTarget(OperatorTargetKind.RUN, "run 3", null)) }),
            "the actions of an organization" to (Scope.organization(organization) to {}),
            "the actions without an end" to (everything to { unfinished() }),
        ).forEach { (name, asked) ->
            test("$name are read by an index, the first page and a later one") {
                val (scope, query) = asked
                val source = Explaining(ledger.dataSource)
                val watched = RunledgerClient.create(source)
                fun page(after: String?) =
                    watched.audit.list(scope, AuditQuery.builder().apply(query).limit(ITEMS).after(after).build())

                val first = page(null)
                first.items() shouldHaveSize ITEMS
                page(first.next().shouldNotBeNull()).items() shouldHaveSize ITEMS

                val plans = source.plans.filter { "Scan" in it }.map(::Plan)
                plans.size shouldBe 2
                plans.forEach { plan ->
                    println("PLAN $name beside $ACTIONS: ${plan.pages} pages")
                    withClue(plan.text) {
                        plan.text shouldNotContain "Seq Scan"
                        plan.text shouldNotContain "Sort"
                        plan.pages shouldBeLessThanOrEqualTo 3L * ITEMS
                    }
                }
            }
        }

        test("the lines of an action are found without those of others") {
            val plan = ledger.plan("audit/action_lines") {
                uuid("action_id", action)
                long("after_id", 0)
                int("limit", LINES)
            }

            println("PLAN lines of an action beside $ACTIONS: ${plan.pages} pages")
            withClue(plan.text) {
                plan.text shouldNotContain "Seq Scan"
                plan.pages shouldBeLessThanOrEqualTo 60L
            }
        }

        test("a prune that finds nothing old reads almost nothing") {
            val plan = ledger.plan("reap/prune_actions") {
                long("age_us", Duration.ofDays(300).toMillis() * 1_000)
                int("limit", 100)
            }

            println("PLAN prune of actions beside $ACTIONS: ${plan.pages} pages")
            withClue(plan.text) { plan.pages shouldBeLessThanOrEqualTo 20L }
        }
    })
