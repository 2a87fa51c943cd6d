package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.upkeep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID

class ActiveKeysSpec :
    FunSpec({
        fun active(key: String, type: String = "test.flow", idempotencyKey: String? = null) =
            WorkflowRequest.builder(type).apply {
                work("a")
                activeKey(key)
                idempotencyKey?.let { idempotencyKey(it) }
            }.build()

        fun Flow.startUnlessActive(request: WorkflowRequest) = client.workflows.enqueueUnlessActive(request)

        fun Flow.claims() = ledger.rows("SELECT workflow_run_id, release_pending FROM runledger.workflow_active_claims")

        test("a hundred starts at the same moment give one run, named by all") {
            val flow = flow()

            val answers = racing(10) { List(10) { flow.startUnlessActive(active("one")) } }.flatten()

            answers.count { it.disposition() == Disposition.INSERTED } shouldBe 1
            answers.count { it.disposition() == Disposition.ACTIVE } shouldBe 99
            answers.map { it.runId() }.distinct().size shouldBe 1
        }

        test("a key is free again when its run has ended, and only then") {
            val flow = flow()
            val first = flow.startUnlessActive(active("k")).runId()
            flow.startUnlessActive(active("k")).runId() shouldBe first

            flow.finish("a")

            flow.claims().shouldBeEmpty()
            flow.startUnlessActive(active("k")).runId() shouldNotBe first
        }

        test("organizations have keys of their own, workflow types share them") {
            val flow = flow()
            val global = flow.startUnlessActive(active("k"))
            val owned = flow.startUnlessActive(active("k").withOrganization(UUID.randomUUID()))

            owned.isNew shouldBe true
            flow.startUnlessActive(active("k", "test.other")).runId() shouldBe global.runId()
        }

        test("the same idempotent request is told as such, not as a collision; a different one is a conflict") {
            val flow = flow()
            val first = flow.startUnlessActive(active("k", idempotencyKey = "once"))

            val again = flow.startUnlessActive(active("k", idempotencyKey = "once"))
            again.runId() shouldBe first.runId()
            again.disposition() shouldBe Disposition.EXISTING
            shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT) {
                flow.startUnlessActive(active("other", idempotencyKey = "once"))
            }
            flow.claims().size shouldBe 1
        }

        test("the same idempotency key with different active keys at the same moment starts one run and leaves one claim") {
            val flow = flow()
            repeat(50) { round ->
                val answers = racing(4) { thread ->
                    runCatching { flow.startUnlessActive(active("k$round-${thread % 2}", idempotencyKey = "once$round")) }
                }
                answers.mapNotNull { it.getOrNull() }.count { it.isNew } shouldBe 1
                answers.mapNotNull { it.exceptionOrNull() as? RunledgerException }
                    .map { it.code() }.toSet().minus(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT).shouldBeEmpty()
            }
            flow.claims().size shouldBe 50
        }

        test("an ending that races a start leaves exactly one claim, and it is a live run's") {
            val flow = flow()
            repeat(50) {
                flow.startUnlessActive(active("k"))
                val job = flow.claim().values.single()
                val answers = racing(2) { thread ->
                    if (thread == 0) flow.succeed(job).let { null } else flow.startUnlessActive(active("k"))
                }
                val started = answers.filterNotNull().single()
                val holders = flow.ledger.rows(
                    "SELECT r.id FROM runledger.workflow_active_claims a JOIN runledger.workflow_runs r " +
                        "ON r.id = a.workflow_run_id WHERE r.finished_at IS NULL",
                )
                if (started.isNew) {
                    holders.shouldContainExactly("${started.runId()}")
                    flow.finish("a")
                }
                flow.claims().shouldBeEmpty()
            }
        }

        test("a canceled run keeps its key until its handler must have noticed") {
            val flow = flow()
            val run = flow.startUnlessActive(active("k")).runId()
            flow.claim()

            flow.client.workflows.cancel(Scope.everything(), run)
            flow.claims().shouldContainExactly("$run|t")
            flow.startUnlessActive(active("k")).runId() shouldBe run
            flow.client.upkeep.releaseActiveKeys(10).shouldBeEmpty()
            flow.ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second'")

            flow.client.upkeep.releaseActiveKeys(10).shouldContainExactly(run)
            flow.startUnlessActive(active("k")).runId() shouldNotBe run
        }

        test("the key of a run that somebody ended by hand is found and freed") {
            val flow = flow()
            val run = flow.startUnlessActive(active("k")).runId()
            flow.ledger.run(
                "UPDATE runledger.workflow_runs SET status = 'SUCCEEDED', finished_at = now(), open_steps = 0, active_steps = 0",
            )

            flow.client.upkeep.releaseActiveKeys(10).shouldContainExactly(run)
        }

        test("the database refuses keys that nobody can see") {
            val flow = flow()
            val run = flow.start { gate("g") }

            listOf("\\t", "\\u00a0", "").forEach { key ->
                runCatching {
                    flow.ledger.run(
                        "INSERT INTO runledger.workflow_active_claims (workflow_run_id, scope, active_key) VALUES ('$run', 'global', E'$key')",
                    )
                }.isFailure shouldBe true
            }
        }
    })
