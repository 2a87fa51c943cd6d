package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.util.UUID

private data class Alike(val message: String, val normalized: String)

private fun Bench.giveUp(message: String?, code: String = "test.down", organization: UUID? = null): UUID {
    val lease = leased { organization?.let(::organization) }
    val failure = JobFailure.terminal(code, message)
    client.leases.settle(mapOf(lease to Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE)))
    return lease.jobId()
}

class CausesSpec :
    FunSpec({
        val everything = Scope.everything()

        context("a message without its variable parts") {
            val ledger by lazy { freshLedger() }
            withData<Alike>(
                { "'${it.message.take(60)}'" },
                Alike(
                    "Order 4711 of 12.50 EUR failed after 3 tries",
                    "Order <number> of <number> EUR failed after <number> tries",
                ),
                Alike("No job 018F3A1C-9E2B-7C3D-8E4F-0123456789AB", "No job <uuid>"),
                Alike("at 0x7ffe12 in Foo@1b2c3d4, commit a94a8fe5", "at <hex> in Foo@<hex>, commit <hex>"),
                Alike("deadbeef is a word, facade too", "deadbeef is a word, facade too"),
                Alike("host10 answered in 35ms", "host<number> answered in <number>ms"),
                Alike(
                    "10.0.0.1:5432 refused at 2026-11-19T03:46:00Z",
                    "<number> refused at <number>-<number>-<number>T<number>Z",
                ),
                Alike(
                    "The file \"a 1.txt\" and 'b 2' and `c` and «d» are gone",
                    "The file <text> and <text> and <text> and <text> are gone",
                ),
                Alike("Can't reach the host, it won't answer", "Can't reach the host, it won't answer"),
                Alike("Can't reach 'mail-1', it isn't up", "Can't reach <text>, it isn't up"),
                Alike("  two\n\tlines \u00a0 here  ", "two lines here"),
                Alike("", ""),
            ) { (message, normalized) ->
                fun normalize(text: String) = ledger.value("SELECT runledger.normalized_message(\$m$$text\$m$)")

                normalize(message) shouldBe normalized
                normalize(normalized) shouldBe normalized
            }

            test("the first 200 characters count, and a message of 8,000 is not read to its end") {
                fun length(of: String) = ledger.value("SELECT length(runledger.normalized_message($of))").toInt()

                length("repeat('word ', 100)") shouldBe 199
                length("repeat('x', 8000)") shouldBe 200
                length("repeat(' ', 2000) || 'late'") shouldBe 0
                length("NULL") shouldBe 0
            }
        }

        test("dead letters are grouped by type, code and message, the largest group first") {
            val bench = bench()
            val first = bench.giveUp("Order 1 has no address")
            val second = bench.giveUp("Order 22 has no address")
            bench.giveUp("Order 3 has no address", "test.other")
            bench.set(bench.giveUp(null, "test.other"), "last_error_message = NULL")
            bench.set(first, "finished_at = now() - interval '5 hours 30 minutes'")

            val found = bench.client.jobs.deadLetterCauses(everything)

            found.read() shouldBe 4
            found.isComplete() shouldBe true
            found.causes().map { Triple(it.errorCode(), it.message(), it.count()) } shouldContainExactly listOf(
                Triple("test.down", "Order <number> has no address", 2L),
                Triple("test.other", null, 1L),
                Triple("test.other", "Order <number> has no address", 1L),
            )
            val largest = found.causes().first()
            largest.jobType() shouldBe Bench.TYPE
            largest.sampleJobId() shouldBe second
            largest.firstAt() shouldBe bench.client.jobs.get(everything, first).finishedAt()
            largest.lastAt() shouldBe bench.client.jobs.get(everything, second).finishedAt()
            largest.perHour() shouldContainExactly List(24) { if (it == 18 || it == 23) 1L else 0L }
        }

        test("what gave up more than a day ago, or was requeued, is not in the hours") {
            val bench = bench()
            val (old, requeued) = List(2) { bench.giveUp("It broke") }
            bench.set(old, "finished_at = now() - interval '24 hours'")
            bench.client.jobs.requeue(everything, requeued)

            val cause = bench.client.jobs.deadLetterCauses(everything).causes().single()

            cause.count() shouldBe 1
            cause.perHour().sum() shouldBe 0
        }

        test("a whole group is requeued by its selection, and nothing else") {
            val bench = bench()
            val group = List(3) { bench.giveUp("Order $it has no address") }
            val messages =
                listOf(
                    "Order is gone",
                    null,
                    "x".repeat(300),
                    "'quoted's end' ${"y".repeat(199)}",
                    "It's 'so' ${"z ".repeat(150)}",
                )
            val others = messages.map { message ->
                bench.giveUp(message).also { if (message == null) bench.set(it, "last_error_message = NULL") }
            } + bench.giveUp("Order 1 has no address", "test.other")

            val causes = bench.client.jobs.deadLetterCauses(everything).causes()
            causes.forEach { cause ->
                val preview = bench.client.jobs.preview(everything, cause.selection(), setOf(JobStatus.DEAD_LETTERED))
                preview.count() shouldBe cause.count()
            }
            val selection = JobSelection.ofType(Bench.TYPE).failedWith("test.down").failedWithMessage("Order 99 has no address")
            bench.client.jobs.requeueAllDeadLetters(everything, selection) shouldBe 3

            group.map { bench.row(it, "status") }.distinct() shouldContainExactly listOf("PENDING")
            others.map { bench.row(it, "status") }.distinct() shouldContainExactly listOf("DEAD_LETTERED")
            causes.drop(1).sumOf { bench.client.jobs.requeueAllDeadLetters(everything, it.selection()) } shouldBe others.size
            bench.client.jobs.deadLetterCauses(everything).causes().shouldBeEmpty()
        }

        test("an organization sees its own causes, and the global scope the others") {
            val bench = bench()
            val (acme, bolt) = List(2) { UUID.randomUUID() }
            repeat(2) { bench.giveUp("It broke", organization = acme) }
            bench.giveUp("It broke", organization = bolt)
            bench.giveUp("It broke")

            fun count(scope: Scope) = bench.client.jobs.deadLetterCauses(scope).run { read() to causes().sumOf { it.count() } }

            count(Scope.organization(acme)) shouldBe (2L to 2L)
            count(Scope.organization(bolt)) shouldBe (1L to 1L)
            count(Scope.organization(UUID.randomUUID())) shouldBe (0L to 0L)
            count(Scope.global()) shouldBe (1L to 1L)
            count(everything) shouldBe (4L to 4L)
        }

        test("no more than the newest are read, and the answer says so") {
            val bench = bench()
            val acme = UUID.randomUUID()
            val ids = List(4) { bench.giveUp("It broke", organization = acme.takeIf { _ -> it > 0 }) }
            val reads = ReadCauses(bench.client.context, mostLetters = 3)

            listOf(everything to ids.last(), Scope.organization(acme) to ids.last()).forEach { (scope, newest) ->
                val found = reads.causes(scope, 50)
                found.read() shouldBe 3
                found.isComplete() shouldBe (scope != everything)
                found.causes().single().run { sampleJobId() to count() } shouldBe (newest to 3L)
            }
            // The three newest belong to the organization.
            reads.causes(Scope.global(), 50).run { read() to isComplete() } shouldBe (0L to false)
            ReadCauses(bench.client.context, mostLetters = 4).causes(everything, 50).isComplete() shouldBe true
        }

        test("causes beyond the limit are cut, and the answer says so") {
            val bench = bench()
            listOf("one", "two", "three").forEach { bench.giveUp("It broke", it) }

            val found = bench.client.jobs.deadLetterCauses(everything, 2)

            found.causes().size shouldBe 2
            found.read() shouldBe 3
            found.isComplete() shouldBe false
            bench.client.jobs.deadLetterCauses(everything, 3).isComplete() shouldBe true
            listOf(0, 1_001).forEach {
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { bench.client.jobs.deadLetterCauses(everything, it) }
            }
        }
    })
