package io.runledger.exposed.flow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.racing
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Ear
import io.runledger.model.error.ErrorCode
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.QueueState
import io.runledger.model.flow.Rate
import io.runledger.model.flow.ShareWeight
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import java.time.Duration
import java.time.Instant

private val hour: Duration = Duration.ofHours(1)

class QueuesSpec :
    FunSpec({
        fun ledger() = freshLedger().define("mail")

        fun TestLedger.claimed() = claim().size

        test("a queue is known by a job type, by a live job, or by what an operator has set") {
            val ledger = ledger()
            ledger.client.definitions.declare(JobType.builder("import", Json::class.java).queue("declared").build())
            listOf("b", "a", "b", "ended").forEach { name -> ledger.enqueue { queue(name) } }
            ledger.enqueue()
            ledger.run(
                "UPDATE runledger.job_queue SET status = 'SUCCEEDED', finished_at = now(), attempt = 1 WHERE queue = 'ended'",
            )
            ledger.client.queues.pause("paused")

            val queues = ledger.client.queues
            queues.list().items().map { it.name() } shouldContainExactly listOf("a", "b", "declared", "paused")
            val pages = generateSequence(queues.list(1)) { page -> page.next()?.let { queues.list(1, it) } }.toList()
            pages.flatMap { it.items() } shouldBe queues.list().items()
            pages.size shouldBe 4
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { queues.list(after = "!") }
        }

        test("a queue shows what waits, what runs and what is due longest") {
            val ledger = ledger()
            val running = ledger.enqueue { queue("a") }.id()
            ledger.claim().single().lease().jobId() shouldBe running
            val oldest = ledger.enqueue { queue("a") }.id()
            ledger.enqueue { queue("a").delay(hour) }
            ledger.run("UPDATE runledger.job_queue SET next_run_at = '2020-01-01Z' WHERE id = '$oldest'")

            val queue = ledger.client.queues.get("a")
            queue shouldBe QueueState("a", 2, false, 1, Instant.parse("2020-01-01T00:00:00Z"), false, LimitValues.NONE)
            ledger.client.queues.get("empty") shouldBe QueueState("empty", 0, false, 0, null, false, LimitValues.NONE)
            shouldRefuse(ErrorCode.FLOW_NAME_INVALID) { ledger.client.queues.get("a:b") }
        }

        test("waiting jobs are counted up to a thousand") {
            val ledger = ledger()
            ledger.client.jobs.enqueueAll(List(1_001) { JobRequest.builder("mail", Json.NULL).queue("a").build() })
            ledger.client.queues.get("a").let { it.waiting() to it.moreWaiting() } shouldBe (1_000 to true)
            ledger.settle(ledger.claim(limit = 1).single(), Verdict.Succeed(null))
            ledger.client.queues.get("a").let { it.waiting() to it.moreWaiting() } shouldBe (1_000 to false)
        }

        test("a paused queue gives no jobs until it is resumed, also to one that was paused before its first job") {
            val ledger = ledger()
            val ear = autoClose(Ear(ledger))
            val queues = ledger.client.queues
            ear.heard { queues.pause("a", "maintenance").paused() shouldBe true } shouldContainExactly listOf("f:queue:a")
            ear.heard { queues.pause("a").paused() shouldBe true }.shouldBeEmpty()
            ledger.enqueue { queue("a") }
            ledger.enqueue { queue("b") }

            ledger.claimed() shouldBe 1
            ear.heard { queues.resume("a").paused() shouldBe false } shouldContainExactly listOf("f:queue:a")
            ear.heard { queues.resume("a") }.shouldBeEmpty()
            ledger.claimed() shouldBe 1
            queues.history("a").items().map { it.name() to it.values() } shouldContainExactly
                listOf("a" to LimitValues.NONE, "a" to LimitValues.permits(0))
            queues.history("a", limit = 1).next() shouldBe queues.history("a", limit = 1).next()
        }

        test("a limit of a queue applies after a pause too, and can be taken away") {
            val ledger = ledger()
            val queues = ledger.client.queues
            repeat(5) { ledger.enqueue { queue("a") } }
            queues.limit("a", LimitValues.permits(2)).values() shouldBe LimitValues.permits(2)
            ledger.claimed() shouldBe 2
            queues.pause("a")
            val paused = queues.limit("a", LimitValues(3, Rate.of(100, hour)), "slower")
            paused shouldBe QueueState("a", 3, false, 2, paused.oldestDue(), true, LimitValues(3, Rate.of(100, hour)))
            ledger.claimed() shouldBe 0
            queues.resume("a").values() shouldBe LimitValues(3, Rate.of(100, hour))
            ledger.claimed() shouldBe 1
            queues.limit("a", LimitValues.NONE)
            ledger.claimed() shouldBe 2
            shouldRefuse(ErrorCode.FLOW_LIMIT_INVALID) { queues.limit("a", LimitValues.permits(0)) }
            shouldRefuse(ErrorCode.FLOW_NAME_INVALID) { queues.pause("") }
        }

        test("pause, resume and limit are recorded and undone") {
            val ledger = ledger()
            val dana = ledger.client.actingAs("dana")
            dana.queues.pause("a", "maintenance")
            ledger.client.undoLast().restored() shouldBe 1
            dana.queues.get("a").paused() shouldBe false
            dana.queues.pause("a")
            dana.queues.resume("a")
            ledger.client.undoLast().restored() shouldBe 1
            dana.queues.get("a").paused() shouldBe true
            dana.queues.limit("a", LimitValues.permits(2))
            ledger.client.undoLast().restored() shouldBe 1
            dana.queues.get("a").let { it.values() to it.paused() } shouldBe (LimitValues.NONE to true)
            dana.queues.limit("a", LimitValues.permits(2))
            ledger.client.queues.limit("a", LimitValues.permits(3))
            ledger.client.undoLast().movedOn() shouldBe 1
            dana.queues.get("a").values() shouldBe LimitValues.permits(3)
            dana.audit.list(Scope.everything()) { it.actor("dana").kinds(OperatorActionKind.QUEUE_PAUSE) }.items()
                .map { it.target() to it.reason() } shouldContainExactly
                listOf(OperatorTarget.queue("a") to null, OperatorTarget.queue("a") to "maintenance")
        }

        test("of many pauses at once, one is a change") {
            val ledger = ledger()
            racing(8) { ledger.client.queues.pause("a") }.all { it.paused() } shouldBe true
            ledger.client.queues.history("a").items().size shouldBe 1
        }

        test("a share has the weight that it was given last, and one of weight 1 is not listed") {
            val ledger = ledger()
            val shares = ledger.client.actingAs("dana").shares
            shares.weigh("mail", "acme", 5, "paid for") shouldBe ShareWeight("mail", "acme", 5)
            shares.weigh("mail", "bolt", 100)
            shares.weigh("mail", "acme", 7)
            val first = shares.list("mail", limit = 1)
            first.items() shouldContainExactly listOf(ShareWeight("mail", "acme", 7))
            shares.list("mail", limit = 1, after = first.next()).items() shouldContainExactly
                listOf(ShareWeight("mail", "bolt", 100))
            shares.weigh("mail", "bolt", 1)
            shares.list("mail").items() shouldContainExactly listOf(ShareWeight("mail", "acme", 7))
            shares.list("mail").next().shouldBeNull()
            shares.list("other").items().shouldBeEmpty()

            listOf(0, 101, -1).forEach { weight ->
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) { shares.weigh("mail", "acme", weight) }
            }
            shouldRefuse(ErrorCode.DEFINITION_NOT_FOUND) { shares.weigh("nobody", "acme", 2) }
            shouldRefuse(ErrorCode.FLOW_KEY_INVALID) { shares.weigh("mail", " ", 2) }
        }

        test("a weight is recorded and undone") {
            val ledger = ledger()
            val dana = ledger.client.actingAs("dana")
            dana.shares.weigh("mail", "acme", 5)
            dana.shares.weigh("mail", "acme", 7, "ticket 7")
            ledger.client.audit.list(Scope.everything()) { it.limit(1) }.items().single().let {
                it.target() shouldBe OperatorTarget.share("mail", "acme")
                it.reason() shouldBe "ticket 7"
            }
            ledger.client.undoLast().restored() shouldBe 1
            dana.shares.list("mail").items().single().weight() shouldBe 5
            dana.shares.weigh("mail", "acme", 9)
            ledger.client.shares.weigh("mail", "acme", 1)
            ledger.client.undoLast().movedOn() shouldBe 1
            dana.shares.list("mail").items().shouldBeEmpty()
        }
    })
