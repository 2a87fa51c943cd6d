package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.RequeueRequest
import io.runledger.model.ledger.Scope
import java.util.UUID

class DeadLettersSpec :
    FunSpec({
        val everything = Scope.everything()

        fun Bench.requeue(id: UUID) = client.jobs.requeue(
            RequeueRequest(everything, id, JobStatus.DEAD_LETTERED, 1, KeptState.RESET_PROGRESS_AND_CHECKPOINT, null),
        )

        test("every time a job gave up is kept") {
            val bench = bench()
            val id = bench.dead("test.first")
            bench.requeue(id)
            bench.die(bench.claimOne(), "test.second")

            bench.client.jobs.deadLetters(everything, id).map { "${it.runNumber()} ${it.errorCode()}" } shouldContainExactly
                listOf("1 test.first", "2 test.second")
            bench.client.jobs.deadLetters(Scope.organization(UUID.randomUUID()), id).shouldBeEmpty()
            bench.client.jobs.openDeadLetters(everything, 9).items().map { it.runNumber() } shouldContainExactly listOf(2)
        }

        test("open dead letters are paged, latest first, also when jobs leave between two pages") {
            val bench = bench()
            val ids = List(5) { bench.dead() }
            // Two gave up in the same instant.
            bench.ledger.run(
                "UPDATE runledger.job_dead_letters SET failed_at = '2020-01-01' WHERE job_id IN ('${ids[0]}', '${ids[1]}')",
                "UPDATE runledger.job_queue SET finished_at = '2020-01-01' WHERE id IN ('${ids[0]}', '${ids[1]}')",
            )

            val first = bench.client.jobs.openDeadLetters(everything, 2)
            bench.requeue(first.items().last().jobId())
            val second = bench.client.jobs.openDeadLetters(everything, 2, first.next())
            val third = bench.client.jobs.openDeadLetters(everything, 2, second.next())

            listOf(first, second, third).flatMap { page -> page.items().map { it.jobId() } } shouldContainExactly ids.reversed()
            third.next().shouldBeNull()
            bench.client.jobs.openDeadLetters(Scope.organization(UUID.randomUUID()), 2).items().shouldBeEmpty()
        }

        test("a foreign cursor and a foolish page size are refused") {
            val bench = bench()

            shouldRefuse(ErrorCode.INVALID_PAGINATION) { bench.client.jobs.openDeadLetters(everything, 2, "not a cursor") }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.jobs.openDeadLetters(everything, 0) }
        }
    })
