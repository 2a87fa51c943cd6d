package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.context.TimedCursor
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.RequeueRequest
import io.runledger.model.ledger.Scope
import java.time.Instant
import java.util.UUID

class DeadLettersSpec :
    FunSpec({
        val everything = Scope.everything()

        fun Bench.requeue(id: UUID) = client.jobs.requeue(
            everything,
            RequeueRequest(id, JobStatus.DEAD_LETTERED, 1, KeptState.RESET_PROGRESS_AND_CHECKPOINT, null),
        )

        test("every time a job gave up is kept") {
            val bench = bench()
            val id = bench.dead("test.first")
            bench.requeue(id)
            bench.die(bench.claimOne(), "test.second")

            bench.client.jobs.deadLetters(everything, id).items().map {
                "${it.runNumber()} ${it.errorCode()}"
            } shouldContainExactly
                listOf("1 test.first", "2 test.second")
            bench.client.jobs.deadLetters(Scope.organization(UUID.randomUUID()), id).items().shouldBeEmpty()
            bench.client.jobs.openDeadLetters(everything, 9).items().map { it.runNumber() } shouldContainExactly listOf(2)
        }

        test("the dead letters of a job are paged, the earliest first") {
            val bench = bench()
            val jobs = bench.client.jobs
            val id = bench.dead("test.1")
            (1..4).forEach { run ->
                jobs.requeue(
                    everything,
                    RequeueRequest.of(jobs.get(everything, id), KeptState.RESET_PROGRESS_AND_CHECKPOINT, null),
                )
                bench.die(bench.claimOne(), "test.${run + 1}")
            }
            bench.dead("test.other")

            val pages = generateSequence(jobs.deadLetters(everything, id, 2)) { page ->
                page.next()?.let { jobs.deadLetters(everything, id, 2, it) }
            }.toList()

            pages.map { page -> page.items().map { it.errorCode() } } shouldContainExactly
                listOf(listOf("test.1", "test.2"), listOf("test.3", "test.4"), listOf("test.5"))
            jobs.deadLetters(Scope.organization(UUID.randomUUID()), id, 2, pages.first().next()).items().shouldBeEmpty()
            listOf("not a cursor", "-1", "").forEach {
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { jobs.deadLetters(everything, id, 2, it) }
            }
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
            shouldRefuse(ErrorCode.INVALID_PAGINATION) {
                bench.client.jobs.openDeadLetters(
                    everything,
                    2,
                    TimedCursor(Instant.parse("-9999-01-01T00:00:00Z"), UUID(0, 0)).text(),
                )
            }
            listOf(0, 1_001).forEach {
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { bench.client.jobs.openDeadLetters(everything, it) }
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { bench.client.jobs.deadLetters(everything, UUID.randomUUID(), it) }
            }
        }
    })
