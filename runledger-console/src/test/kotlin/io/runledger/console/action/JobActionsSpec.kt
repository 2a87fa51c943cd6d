package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.fill
import io.runledger.console.form.location
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import java.time.Duration
import java.time.Instant
import java.util.UUID

class JobActionsSpec :
    FunSpec({
        fun bench() = ActionBench().also { autoClose(it) }

        test("a canceled job is recorded with actor, reason and key, and the page of the job says that it is done") {
            val bench = bench()
            val job = bench.waiting()

            val answer = bench.bench.viewer("ada").fill("/jobs/$job/cancel", "reason" to "sent by hand")

            answer.statusCode() shouldBe 303
            bench.job(job).status() shouldBe JobStatus.CANCELED
            val recorded = bench.audit().single()
            recorded.kind() shouldBe OperatorActionKind.JOB_CANCEL
            recorded.actor() shouldBe "ada"
            recorded.reason() shouldBe "sent by hand"
            recorded.key()!! shouldStartWith "console:"
            answer.location() shouldBe "/jobs/$job?done=${recorded.id()}&undo=yes"
        }

        test("the page says first what happens to a running handler") {
            val bench = bench()

            val page = bench.bench.viewer("ada").get("/jobs/${bench.running()}/cancel").body()

            page shouldContain "Cancels 1 job. It is running: its handler is interrupted at its next heartbeat"
            page shouldContain ">Cancel the job</button>"
        }

        test("each action does what its label says") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            val later = bench.waiting(delay = Duration.ofHours(3))
            val moved = bench.waiting(delay = Duration.ofHours(3))
            val dead = bench.deadLetter()
            val canceled = bench.canceled()
            val succeeded = bench.succeeded()

            ada.fill("/jobs/$later/run-now", "reason" to "now").statusCode() shouldBe 303
            ada.fill("/jobs/$moved/reschedule", "at" to "2031-07-01T12:00", "at-zone" to "Europe/Berlin", "reason" to "later")
                .statusCode() shouldBe 303
            ada.fill("/jobs/$moved/priority", "priority" to "7", "reason" to "first").statusCode() shouldBe 303
            ada.fill("/jobs/$dead/requeue", "reason" to "the server is back").statusCode() shouldBe 303
            ada.fill("/jobs/$canceled/restart", "reason" to "a mistake").statusCode() shouldBe 303
            val replayed = ada.fill("/jobs/$succeeded/replay", "reason" to "lost mail").location()!!

            bench.job(later).nextRunAt().isAfter(Instant.now().plusSeconds(60)) shouldBe false
            bench.job(moved).nextRunAt() shouldBe Instant.parse("2031-07-01T10:00:00Z")
            bench.job(moved).priority() shouldBe 7
            bench.job(dead).status() shouldBe JobStatus.PENDING
            bench.job(canceled).status() shouldBe JobStatus.PENDING
            val copy = UUID.fromString(replayed.removePrefix("/jobs/").substringBefore('?'))
            copy shouldNotBe succeeded
            bench.job(copy).jobType() shouldBe "mail.send"
            bench.audit().map { it.kind() }.reversed() shouldBe listOf(
                OperatorActionKind.JOB_RUN_NOW,
                OperatorActionKind.JOB_RESCHEDULE,
                OperatorActionKind.JOB_REPRIORITIZE,
                OperatorActionKind.JOB_REQUEUE,
                OperatorActionKind.JOB_RESTART,
                OperatorActionKind.JOB_REPLAY,
            )
        }

        test("an action that the state does not allow shows why, and no form") {
            val bench = bench()

            val page = bench.bench.viewer("ada").get("/jobs/${bench.succeeded()}/cancel").body()

            page shouldContain "the job is succeeded"
            page shouldNotContain "<form"
        }

        test("a time that does not exist in the zone is refused at its field, with what was entered") {
            val bench = bench()
            val job = bench.waiting(delay = Duration.ofHours(3))

            val answer = bench.bench.viewer("ada").fill(
                "/jobs/$job/reschedule",
                "at" to "2031-03-30T02:30",
                "at-zone" to "Europe/Berlin",
                "reason" to "later",
            )

            answer.statusCode() shouldBe 400
            answer.body() shouldContain "does not exist in Europe/Berlin"
            answer.body() shouldContain "value=\"2031-03-30T02:30\""
            answer.body() shouldContain "value=\"later\""
            bench.audit().shouldBeEmpty()
        }

        test("a job of another organization is not found") {
            val bench = bench()
            val job = bench.waiting(organization = UUID.randomUUID())
            val stranger = bench.bench.viewer("eve", scope = Scope.organization(UUID.randomUUID()))

            stranger.get("/jobs/$job/cancel").statusCode() shouldBe 404
            bench.job(job).status() shouldBe JobStatus.PENDING
        }

        test("viewers get neither the pages of actions nor their effect, and operators not those of administrators") {
            val bench = bench()
            val guest = bench.bench.viewer("guest", ConsoleRole.VIEWER)
            val operator = bench.bench.viewer("ada", ConsoleRole.OPERATOR)

            Actions.all.forEach { action ->
                val path = action.path.replace("{id}", UUID.randomUUID().toString()).replace(Regex("\\{\\w+}"), "any")
                guest.get(path).statusCode() shouldBe 403
                guest.postRaw(path, listOf("reason" to "why")).statusCode() shouldBe 403
                if (action.role == ConsoleRole.ADMINISTRATOR) {
                    operator.get(path).statusCode() shouldBe 403
                    operator.postRaw(path, listOf("reason" to "why")).statusCode() shouldBe 403
                }
            }
            bench.audit().shouldBeEmpty()
        }
    })
