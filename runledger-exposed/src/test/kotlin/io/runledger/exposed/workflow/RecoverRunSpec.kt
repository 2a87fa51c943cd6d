package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.WorkflowRequest
import java.sql.Connection
import java.time.Duration
import java.util.UUID

class RecoverRunSpec :
    FunSpec({
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        fun recover(run: UUID, key: String = "r1", reason: String = "data was wrong") =
            flow.client.workflows.recover(Scope.everything(), RecoveryRequest.of(run, key, reason))

        /** A run that was appended to and has failed. */
        fun broken(more: WorkflowRequest.Builder.() -> Unit = {}): UUID {
            val run = flow.start {
                gate("window")
                val a = work("a") { priority(3).timeout(Duration.ofSeconds(9)).mayContinue() }
                work("b", a.onTerminal())
                result(a)
                more()
            }
            flow.client.workflows.append(
                Scope.everything(),
                AppendRequest.builder(run, "m", "window").apply {
                    work("c")
                }.build(),
            )
            flow.client.workflows.editPayload(Scope.everything(), run, "b", Payload.json("""{"fixed":true}"""), "typo")
            flow.complete(run, "window")
            val claimed = flow.claim()
            flow.fail(claimed.getValue("a"))
            flow.succeed(claimed.getValue("c"))
            flow.finish("b")
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
            return run
        }

        fun row(run: UUID) = flow.ledger.value("SELECT r::text FROM runledger.workflow_runs r WHERE id = '$run'")

        test("every step runs again in a new run, with the settings and payloads it had last, and the source stays as it is") {
            val source = broken()
            val before = row(source)
            flow.ledger.run("UPDATE runledger.job_definitions SET default_priority = 1, max_attempts = 99")

            val recovery = recover(source)

            flow.ledger.run("UPDATE runledger.job_definitions SET default_priority = 100, max_attempts = 8")
            recovery.isNew shouldBe true
            row(source) shouldBe before
            flow.steps(
                recovery.runId(),
            ).shouldContainExactly("window WAITING_FOR_EXTERNAL", "a ENQUEUED", "b BLOCKED", "c ENQUEUED")
            flow.ledger.rows(
                "SELECT step_key, priority, max_attempts, timeout_seconds, allow_handler_continuation, payload " +
                    "FROM runledger.workflow_steps WHERE workflow_run_id = '${recovery.runId()}' ORDER BY ordinal",
            ).shouldContainExactly(
                "window||||f|{}",
                "a|3|8|9|t|{}",
                """b|100|8|900|f|{"fixed": true}""",
                "c|100|8|900|f|{}",
            )
        }

        test("the same request gives the same run, another reason under the key is a conflict") {
            val source = broken()
            val first = recover(source)

            recover(source).runId() shouldBe first.runId()
            recover(source).disposition() shouldBe Disposition.EXISTING
            shouldRefuse(ErrorCode.RECOVERY_CONFLICT) { recover(source, reason = "something else") }
            recover(source, "r2").runId() shouldNotBe first.runId()
        }

        test("fifty equal requests at the same moment make one run") {
            val source = broken()

            val answers = racing(10) { List(5) { recover(source, "race") } }.flatten()

            answers.count { it.isNew } shouldBe 1
            answers.map { it.runId() }.distinct().size shouldBe 1
        }

        test("a recovery cannot be deleted without its source") {
            val source = broken()
            val recovery = recover(source).runId()
            flow.client.workflows.cancel(Scope.everything(), recovery)

            runCatching { flow.ledger.run("DELETE FROM runledger.workflow_runs WHERE id = '$recovery'") }.isFailure shouldBe true
            flow.ledger.run("DELETE FROM runledger.workflow_runs WHERE id IN ('$recovery', '$source')")
        }

        test("what cannot be recovered is refused and leaves no lineage") {
            val source = broken()
            val live = flow.start { gate("g") }
            val keyless = broken()
            flow.ledger.run("UPDATE runledger.workflow_runs SET enqueue_request = NULL WHERE id = '$keyless'")
            val drifted = broken()
            flow.ledger.run(
                "UPDATE runledger.workflow_step_rows SET allow_handler_continuation = false WHERE workflow_run_id = '$drifted'",
            )
            val shrunk = broken()
            flow.ledger.run("DELETE FROM runledger.workflow_step_rows WHERE workflow_run_id = '$shrunk' AND step_key = 'c'")
            val lineages = flow.ledger.value("SELECT count(*) FROM runledger.workflow_recoveries")

            shouldRefuse(ErrorCode.RECOVERY_SOURCE_NOT_FOUND) { recover(UUID.randomUUID()) }
            shouldRefuse(ErrorCode.RECOVERY_SOURCE_NOT_FOUND) {
                flow.client.workflows.recover(
                    Scope.organization(UUID.randomUUID()),
                    RecoveryRequest.of(source, "r", "why"),
                )
            }
            shouldRefuse(ErrorCode.RECOVERY_SOURCE_NOT_TERMINAL) { recover(live) }
            shouldRefuse(ErrorCode.RECOVERY_STEP_NOT_FOUND) {
                flow.client.workflows.recover(Scope.everything(), RecoveryRequest(source, UUID.randomUUID(), "r", "why"))
            }
            shouldRefuse(ErrorCode.RECOVERY_SNAPSHOT_MISSING) { recover(keyless) }
            shouldRefuse(ErrorCode.RECOVERY_SNAPSHOT_UNSAFE) { recover(drifted) }
            shouldRefuse(ErrorCode.RECOVERY_SNAPSHOT_UNSAFE) { recover(shrunk) }
            shouldRefuse(ErrorCode.RECOVERY_KEY_INVALID) { recover(source, "x".repeat(513)) }
            shouldRefuse(ErrorCode.RECOVERY_KEY_INVALID) { recover(source, " ") }
            shouldRefuse(ErrorCode.RECOVERY_REASON_INVALID) { recover(source, reason = "\u00a0") }
            flow.ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                connection.transactionIsolation = Connection.TRANSACTION_REPEATABLE_READ
                shouldRefuse(ErrorCode.RECOVERY_ISOLATION) {
                    flow.client.within(connection).workflows.recover(Scope.everything(), RecoveryRequest.of(source, "r", "why"))
                }
                connection.rollback()
            }
            flow.ledger.value("SELECT count(*) FROM runledger.workflow_recoveries") shouldBe lineages
        }

        test("an active key that another run holds stands in the way, a free one goes along") {
            fun active() = workflow {
                work("a")
                activeKey("k")
            }
            val source = flow.client.workflows.enqueueUnlessActive(active()).runId()
            flow.fail(flow.claim().getValue("a"))
            val holder = flow.client.workflows.enqueueUnlessActive(active()).runId()

            shouldRefuse(ErrorCode.RECOVERY_ACTIVE) { recover(source) }
            flow.client.workflows.cancel(Scope.everything(), holder)
            val recovery = recover(source).runId()

            flow.client.workflows.enqueueUnlessActive(active()).runId() shouldBe recovery
        }
    })
