package io.runledger.exposed.hook

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.deliveries
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.RequeueRequest
import io.runledger.model.lease.DeadLetterDelivery
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import java.time.Duration
import java.util.UUID

class DeadLetterHooksSpec :
    FunSpec({
        val types = listOf(Bench.TYPE)

        fun Bench.hooked(vararg hooks: String = arrayOf("pager")) = apply {
            hooks.forEach { client.deliveries.register(it, types) }
        }

        fun Bench.take(hook: String = "pager", limit: Int = 100): List<DeadLetterDelivery> =
            client.deliveries.take(hook, types, limit, Duration.ofMinutes(1))

        fun List<DeadLetterDelivery>.jobs(): List<UUID> = map { it.letter().jobId() }

        /** Moves waiting rows forward in time, so that no test has to wait. */
        fun Bench.later() = ledger.run("UPDATE runledger.job_dead_letter_deliveries SET due_at = now()")

        fun Bench.waiting() = ledger.value("SELECT count(*) FROM runledger.job_dead_letter_deliveries")

        test("a job that gives up waits for the hook with everything that is known of it, until it was delivered") {
            val bench = bench().hooked()
            val id = bench.dead("mail.no_address")

            val delivery = bench.take().single()

            delivery.hook() shouldBe "pager"
            delivery.tries() shouldBe 1
            delivery.letter() shouldBe bench.client.jobs.deadLetters(Scope.everything(), id).items().single()
            delivery.letter().errorCode() shouldBe "mail.no_address"
            bench.take().shouldBeEmpty()
            bench.client.deliveries.delivered(listOf(delivery))
            bench.client.deliveries.delivered(listOf(delivery))
            bench.later()
            bench.take().shouldBeEmpty()
        }

        test("nothing is kept where nobody asked for it: before the first registration, of other types, of canceled jobs") {
            val bench = bench()
            bench.dead()
            bench.client.deliveries.register("pager", listOf("test.other"))
            bench.dead()
            bench.hooked()
            bench.client.jobs.cancel(Scope.everything(), bench.leased().jobId())
            bench.succeeded()

            bench.waiting() shouldBe "0"
        }

        test("a reaped job's letter waits like any other") {
            val bench = bench().hooked()
            val lease = bench.leased { maxAttempts(1) }
            bench.expire(lease.jobId())

            bench.client.leases.reap(9, Duration.ofDays(1))

            bench.take().jobs() shouldContainExactly listOf(lease.jobId())
        }

        test("every hook gets every letter of its types; another hook's delivery is none of its business") {
            val bench = bench().hooked("pager", "desk")
            val id = bench.dead()

            bench.client.deliveries.delivered(bench.take("pager"))

            bench.take("pager").shouldBeEmpty()
            bench.take("desk").jobs() shouldContainExactly listOf(id)
        }

        test("a letter that was taken and not delivered comes again when its time is over, and counts its tries") {
            val bench = bench().hooked()
            bench.dead()
            bench.take()
            bench.later()

            bench.take().single().tries() shouldBe 2
        }

        test("a postponed letter comes when its delay is over; one that was taken anew stays where it is") {
            val bench = bench().hooked()
            bench.dead()
            val first = bench.take().single()
            bench.client.deliveries.postpone(mapOf(first to Duration.ofDays(1)))
            bench.take().shouldBeEmpty()
            bench.client.deliveries.postpone(mapOf(first to Duration.ZERO))
            val second = bench.take().single()

            bench.client.deliveries.postpone(mapOf(first to Duration.ZERO))

            second.tries() shouldBe 2
            bench.take().shouldBeEmpty()
        }

        test("racing workers never take the same letter") {
            val bench = bench().hooked()
            val ids = List(40) { bench.dead() }

            val taken = racing(4) { List(10) { bench.take(limit = 3) }.flatten() }.flatten() + bench.take()

            taken.jobs() shouldContainExactlyInAnyOrder ids
        }

        test("a requeue recalls no letter, and a second giving up is a second letter") {
            val bench = bench().hooked()
            val id = bench.dead("test.first")
            bench.client.jobs.requeue(
                Scope.everything(),
                RequeueRequest(
                    id,
                    JobStatus.DEAD_LETTERED,
                    1,
                    KeptState.RESET_PROGRESS_AND_CHECKPOINT,
                    null,
                ),
            )
            bench.die(bench.claimOne(), "test.second")

            bench.take().map { "${it.letter().runNumber()} ${it.letter().errorCode()}" } shouldContainExactly
                listOf("1 test.first", "2 test.second")
        }

        test("a job that is forgotten takes its letters along, also one that is just being handed over") {
            val bench = bench().hooked()
            bench.dead()
            bench.dead()
            val taken = bench.take(limit = 1)

            bench.client.retention.prune(PruneRequest.of(Duration.ZERO, setOf(JobStatus.DEAD_LETTERED), 9)).deadLetters() shouldBe
                2

            bench.waiting() shouldBe "0"
            bench.client.deliveries.delivered(taken)
            bench.client.deliveries.postpone(taken.associateWith { Duration.ZERO })
        }

        test("nothing more is kept for a hook that was not seen for a month, until it registers again") {
            val bench = bench().hooked()
            bench.ledger.run("UPDATE runledger.job_dead_letter_hooks SET seen_at = now() - interval '31 days'")
            bench.dead()
            bench.waiting() shouldBe "0"

            bench.hooked()
            bench.dead()
            bench.waiting() shouldBe "1"
        }

        test("registering again adds types, and writes nothing within a day") {
            val bench = bench().hooked()
            val row = "SELECT xmin, seen_at FROM runledger.job_dead_letter_hooks WHERE job_type = '${Bench.TYPE}'"
            val before = bench.ledger.value(row)

            bench.client.deliveries.register("pager", types + "test.other")

            bench.ledger.value(row) shouldBe before
            bench.ledger.rows("SELECT job_type FROM runledger.job_dead_letter_hooks ORDER BY 1") shouldContainExactly
                listOf("test.other", Bench.TYPE)
        }

        test("a forgotten hook leaves nothing behind, and others keep theirs") {
            val bench = bench().hooked("pager", "desk")
            repeat(3) { bench.dead() }

            bench.client.hooks.remove("pager") shouldBe 3
            bench.dead()

            bench.take("pager").shouldBeEmpty()
            bench.take("desk").size shouldBe 4
        }

        test("a name that cannot be kept, a foolish number or time is refused") {
            val bench = bench()

            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.deliveries.register(" ", types) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.take(limit = 0) }
            shouldRefuse(ErrorCode.INVALID_LEASE_DURATION) { bench.client.deliveries.take("pager", types, 1, Duration.ZERO) }
        }
    })
