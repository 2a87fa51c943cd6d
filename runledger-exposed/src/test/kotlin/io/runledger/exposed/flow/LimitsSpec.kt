package io.runledger.exposed.flow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledger
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Ear
import io.runledger.model.error.ErrorCode
import io.runledger.model.flow.LimitValues
import io.runledger.model.flow.Rate
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.AuditQuery
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.operator.OperatorTarget
import io.runledger.model.operator.UndoneAction
import java.time.Duration

private data class Push(val customer: String?)

private val crm: JobType<Push> = JobType.builder("crm.push", Push::class.java)
    .limit("crm-api") { it.permits(8) }
    .limit("crm-customer") { it.by(Push::customer).permits(1) }
    .build()

private val hour: Duration = Duration.ofHours(1)

/** The last action, undone by another operator. */
internal fun Ledger.undoLast(): UndoneAction {
    val last = audit.list(Scope.everything(), AuditQuery.builder().limit(1).build()).items().single()
    return actingAs("eve").audit.undo(Scope.everything(), last.id(), "mistake")
}

class LimitsSpec :
    FunSpec({
        fun TestLedger.declared() = apply { client.definitions.declare(crm) }

        fun Ledger.inForce(name: String = "crm-api") = limits.get(name).inForce()

        test("limits are listed by page in order of name, without queues") {
            val ledger = freshLedger().declared()
            val limits = ledger.client.limits
            ledger.client.queues.pause("crm")

            val first = limits.list(limit = 1)
            first.items().map { it.name() } shouldContainExactly listOf("crm-api")
            val second = limits.list(limit = 1, after = first.next())
            second.items().map { it.name() } shouldContainExactly listOf("crm-customer")
            second.next().shouldBeNull()
            limits.list().items() shouldContainExactly listOf(limits.get("crm-api"), limits.get("crm-customer"))
            limits.find("nobody").shouldBeNull()
            limits.find("queue:crm").shouldBeNull()
            limits.find("no name\u0000").shouldBeNull()
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) { limits.get("nobody") }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { limits.list(after = "!") }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { limits.list(limit = 0) }
        }

        test("an operator's values are in force until they are reset, and each change is in the history") {
            val ledger = freshLedger().declared()
            val dana = ledger.client.actingAs("dana").limits

            dana.changePermits("crm-api", 2, "too many errors").inForce() shouldBe LimitValues.permits(2)
            dana.changeRate("crm-api", Rate.of(5, hour), "still too many").inForce() shouldBe LimitValues(2, Rate(5, hour, 1))
            val changed = dana.change("crm-api", LimitValues.rate(1, hour))
            changed.inForce() shouldBe LimitValues.rate(1, hour)
            changed.declared() shouldBe LimitValues.permits(8)
            changed.changed() shouldBe true
            val reset = dana.reset("crm-api", "the CRM is well again")
            reset.inForce() shouldBe LimitValues.permits(8)
            reset.changed() shouldBe false

            val history = dana.history("crm-api", limit = 3)
            history.items().map { listOf(it.values(), it.changedBy(), it.reason()) } shouldContainExactly listOf(
                listOf(LimitValues.permits(8), "dana", "the CRM is well again"),
                listOf(LimitValues.rate(1, hour), "dana", null),
                listOf(LimitValues(2, Rate(5, hour, 1)), "dana", "still too many"),
            )
            dana.history("crm-api", limit = 3, after = history.next()).items().map {
                it.values() to it.changedBy()
            } shouldContainExactly
                listOf(LimitValues.permits(2) to "dana", LimitValues.permits(8) to null)
            listOf("nobody", "queue:crm", "\u0000").forEach { name -> dana.history(name).items().shouldBeEmpty() }
        }

        test("a change tells the workers once, and one that changes nothing tells and records nothing") {
            val ledger = freshLedger().declared()
            val ear = autoClose(Ear(ledger))
            val dana = ledger.client.actingAs("dana")

            ear.heard { dana.limits.changePermits("crm-api", 0) } shouldContainExactly listOf("f:crm-api")
            ear.heard { dana.limits.changePermits("crm-api", 0) }.shouldBeEmpty()
            ear.heard { dana.limits.reset("crm-api") } shouldContainExactly listOf("f:crm-api")
            ear.heard { dana.limits.reset("crm-api") }.shouldBeEmpty()
            dana.limits.history("crm-api").items().size shouldBe 3
            dana.audit.list(Scope.everything()).items().map { it.kind() to it.changed() } shouldContainExactly listOf(
                OperatorActionKind.LIMIT_RESET to 0L,
                OperatorActionKind.LIMIT_RESET to 1L,
                OperatorActionKind.LIMIT_CHANGE to 0L,
                OperatorActionKind.LIMIT_CHANGE to 1L,
            )
        }

        test("the declared values can be put in force by an operator, and then outlive a sync") {
            val ledger = freshLedger().declared()
            ledger.client.limits.changePermits("crm-api", 8).changed() shouldBe true
            ledger.client.limits.history("crm-api").items().size shouldBe 1
            ledger.client.definitions.declare(
                JobType.builder("crm.push", Push::class.java).version(2).limit("crm-api") { it.permits(4) }.build(),
            )
            ledger.client.inForce() shouldBe LimitValues.permits(8)
        }

        test("bad values and unknown limits are refused") {
            val ledger = freshLedger().declared()
            val limits = ledger.client.limits
            shouldRefuse(ErrorCode.FLOW_LIMIT_INVALID) { limits.changePermits("crm-api", -1) }
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) { limits.changePermits("nobody", 1) }
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) { limits.reset("nobody") }
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) { limits.reset("queue:crm") }
            shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) { limits.usage("nobody") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { limits.reset("crm-api", " ") }
            ledger.client.inForce() shouldBe LimitValues.permits(8)
        }

        test("a change is undone to what was in force before, once") {
            val ledger = freshLedger().declared()
            val dana = ledger.client.actingAs("dana")
            dana.limits.changePermits("crm-api", 2)
            dana.limits.change("crm-api", LimitValues(3, Rate.of(5, hour)))

            ledger.client.undoLast().restored() shouldBe 1
            ledger.client.limits.get("crm-api").let { it.inForce() to it.changed() } shouldBe (LimitValues.permits(2) to true)
            ledger.client.limits.history("crm-api").items().first().changedBy() shouldBe "eve"

            dana.limits.reset("crm-api")
            ledger.client.undoLast().restored() shouldBe 1
            ledger.client.limits.get("crm-api").let { it.inForce() to it.changed() } shouldBe (LimitValues.permits(2) to true)
        }

        test("the first change is undone to the declared values, also to those of a later declaration") {
            val ledger = freshLedger().declared()
            ledger.client.actingAs("dana").limits.changePermits("crm-api", 2)
            ledger.client.definitions.declare(
                JobType.builder("crm.push", Push::class.java).version(2).limit("crm-api") { it.permits(4) }.build(),
            )

            ledger.client.undoLast().restored() shouldBe 1
            ledger.client.limits.get("crm-api").let { it.inForce() to it.changed() } shouldBe (LimitValues.permits(4) to false)
        }

        test("a limit that was changed since, with or without a record, keeps its values") {
            val ledger = freshLedger().declared()
            ledger.client.actingAs("dana").limits.changePermits("crm-api", 2)
            ledger.client.limits.changePermits("crm-api", 5)

            ledger.client.undoLast().movedOn() shouldBe 1
            ledger.client.inForce() shouldBe LimitValues.permits(5)
        }

        test("a limit without keys shows its permits, its holders and what waits") {
            val ledger = freshLedger().declared()
            ledger.client.limits.usage("crm-api").items().single().let { listOf(it.key(), it.inUse(), it.waiting()) } shouldBe
                listOf(null, 0, 0)
            repeat(3) { ledger.client.jobs.enqueue(crm, Push("42")) }
            ledger.client.jobs.enqueue(JobRequest.builder(crm, Push("7")).delay(hour).build())
            val running = ledger.claim("crm.push", limit = 1, worker = "w7").single()

            val usage = ledger.client.limits.usage("crm-api").items().single()
            listOf(usage.key(), usage.inUse(), usage.waiting(), usage.moreWaiting(), usage.nextBegin()) shouldBe
                listOf(null, 1, 2, false, null)
            usage.holders().map { listOf(it.jobId(), it.jobType(), it.workerId(), it.leaseExpiresAt()) } shouldContainExactly
                listOf(listOf(running.lease().jobId(), "crm.push", "w7", running.leaseExpiresAt()))
        }

        test("a limit by key shows each key by page") {
            val ledger = freshLedger().declared()
            listOf("7", "42", "42", "queue:x", null).forEach { ledger.client.jobs.enqueue(crm, Push(it)) }
            ledger.claim("crm.push").size shouldBe 4

            fun shown(limit: Int, after: String? = null) = ledger.client.limits.usage("crm-customer", limit, after)
            shown(100).items().associate { it.key() to listOf(it.inUse(), it.waiting(), it.holders().size) } shouldBe mapOf(
                "42" to listOf(1, 1, 1),
                "7" to listOf(1, 0, 1),
                "queue:x" to listOf(1, 0, 1),
            )
            val pages = generateSequence(shown(1)) { page -> page.next()?.let { shown(1, it) } }.toList()
            pages.flatMap { it.items() } shouldBe shown(100).items()
            pages.size shouldBe 3
        }

        test("a rate that is spent says when the next job may begin") {
            val ledger = freshLedger().declared()
            ledger.client.limits.change("crm-api", LimitValues.rate(Rate(1, hour, 0)))
            repeat(2) { ledger.client.jobs.enqueue(crm, Push(null)) }
            val running = ledger.claim("crm.push").single().lease()

            val usage = ledger.client.limits.usage("crm-api").items().single()
            usage.nextBegin() shouldBe usage.holders().single().leasedAt().plus(hour)
            usage.holders().single().jobId() shouldBe running.jobId()
            // With a burst of one, the second job may begin at once.
            ledger.client.limits.change("crm-api", LimitValues.rate(Rate(1, hour, 1)))
            ledger.client.limits.usage("crm-api").items().single().nextBegin().shouldBeNull()
            ledger.client.limits.reset("crm-api")
            ledger.client.limits.usage("crm-api").items().single().nextBegin().shouldBeNull()
        }

        test("no more than twenty holders are named, and waiting jobs are counted up to a bound") {
            val ledger = freshLedger().declared()
            ledger.client.limits.changePermits("crm-api", 25)
            ledger.client.jobs.enqueueAll(List(5_030) { JobRequest.builder(crm, Push(null)).build() })
            ledger.claim("crm.push").size shouldBe 25

            val usage = ledger.client.limits.usage("crm-api").items().single()
            listOf(usage.inUse(), usage.holders().size, usage.waiting(), usage.moreWaiting()) shouldBe listOf(25, 20, 5_000, true)
        }

        test("a paused limit stops its jobs, and its reset starts them") {
            val ledger = freshLedger().declared()
            ledger.client.jobs.enqueue(crm, Push("42"))
            ledger.client.limits.changePermits("crm-api", 0)
            ledger.claim("crm.push").shouldBeEmpty()
            ledger.client.limits.reset("crm-api")
            ledger.claim("crm.push").size shouldBe 1
        }

        test("the record names the limit, its new and its earlier values, and a repeated key is refused") {
            val ledger = freshLedger().declared()
            ledger.client.actingAs("dana", "k").limits.changePermits("crm-api", 2, "ticket 7")
            shouldRefuse(ErrorCode.ACTION_REPEATED) { ledger.client.actingAs("dana", "k").limits.changePermits("crm-api", 3) }
            ledger.client.inForce() shouldBe LimitValues.permits(2)
            ledger.client.actingAs("dana").limits.change("crm-api", LimitValues.rate(1, hour))

            val actions = ledger.client.audit.list(
                Scope.everything(),
                AuditQuery.builder().target(OperatorTarget.limit("crm-api")).build(),
            )
            actions.items().map { it.details() } shouldContainExactly listOf(
                Json.of("""{"values": {"rate": {"burst": 1, "count": 1, "period": "PT1H"}}, "previous": {"permits": 2}}"""),
                Json.of("""{"values": {"permits": 2}}"""),
            )
        }
    })
