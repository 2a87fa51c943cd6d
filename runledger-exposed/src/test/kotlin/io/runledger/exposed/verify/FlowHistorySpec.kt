package io.runledger.exposed.verify

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.plan
import io.runledger.exposed.planRows
import java.util.UUID

/** Each rule with a history that breaks it and one that barely keeps it. */
class FlowHistorySpec :
    FunSpec({
        val limit = "limit.exceeded"
        val rate = "rate.exceeded"
        val order = "order.violated"

        /** [write] returns the jobs that must be reported, and by which rule. */
        fun history(name: String, write: WrittenHistory.() -> Map<UUID, String>) = test(name) {
            val written = WrittenHistory(freshLedger().define("mail"))
            val expected = written.write()
            written.violations() shouldContainExactly expected
        }

        fun kept(name: String, write: WrittenHistory.() -> Unit) = test(name) {
            val written = WrittenHistory(freshLedger().define("mail"))
            written.write()
            written.violations().shouldBeEmpty()
        }

        history("a job that begins while the permits are in use") {
            limit("api", permits = 2)
            attempt(job("api"), 0.0, 10.0)
            attempt(job("api"), 1.0, 10.0)
            val third = job("api")
            attempt(third, 9.9, 20.0)
            mapOf(third to limit)
        }
        kept("a job that begins when a permit is free") {
            limit("api", permits = 2)
            attempt(job("api"), 0.0, 10.0)
            attempt(job("api"), 1.0, 9.0)
            attempt(job("api"), 9.0, 20.0)
            attempt(job("api"), 10.0, 20.0)
        }
        history("jobs of one claim are counted together") {
            limit("api", permits = 1)
            val jobs = List(2) { job("api") }
            jobs.forEach { attempt(it, 5.0, 10.0) }
            jobs.associateWith { limit }
        }
        kept("each key has its own permits, and what a limit is not declared for has as many as it wants") {
            limit("customer", permits = 1)
            listOf("customer:a", "customer:b", "other", "other", "queue:imports", "queue:imports").forEach {
                attempt(job(it), 0.0, 10.0)
            }
        }
        history("a job with several limits needs a permit of each") {
            limit("api", permits = 5)
            limit("customer", permits = 1)
            attempt(job("api", "customer:a"), 0.0, 10.0)
            val second = job("api", "customer:a")
            attempt(second, 5.0, 10.0)
            mapOf(second to limit)
        }
        history("the limit of a queue") {
            limit("queue:imports", permits = 1)
            attempt(job("queue:imports"), 0.0, 10.0)
            val second = job("queue:imports")
            attempt(second, 5.0, 10.0)
            mapOf(second to limit)
        }
        history("an open lease holds its permit") {
            limit("api", permits = 1)
            lease(job("api"), 0.0)
            val second = job("api")
            attempt(second, 3600.0, 3610.0)
            mapOf(second to limit)
        }
        history("an expired lease holds its permit until it is reaped") {
            limit("api", permits = 1)
            attempt(job("api"), 0.0, 90.0, "LEASE_EXPIRED")
            val early = job("api")
            attempt(early, 70.0, 71.0)
            attempt(job("api"), 90.0, 91.0)
            mapOf(early to limit)
        }
        history("a job that was released before it began held its permit") {
            limit("api", permits = 1)
            attempt(job("api"), 0.0, 5.0, "INTERRUPTED")
            val early = job("api")
            attempt(early, 4.0, 5.0)
            attempt(job("api"), 5.0, 6.0)
            mapOf(early to limit)
        }
        kept("a lowered limit does not end what runs") {
            limit("api", permits = 3)
            limit("api", permits = 1, at = 50.0)
            repeat(3) { attempt(job("api"), 0.0, 100.0) }
            attempt(job("api"), 100.0, 110.0)
        }
        history("a lowered limit counts for what begins later than ten seconds after it") {
            limit("api", permits = 2)
            limit("api", permits = 1, at = 50.0)
            attempt(job("api"), 0.0, 100.0)
            attempt(job("api"), 59.9, 60.0)
            val late = job("api")
            attempt(late, 60.1, 61.0)
            mapOf(late to limit)
        }
        history("a raised limit counts from the change") {
            limit("api", permits = 1)
            limit("api", permits = 2, at = 50.0)
            attempt(job("api"), 0.0, 100.0)
            val early = job("api")
            attempt(early, 49.9, 50.0)
            attempt(job("api"), 50.0, 60.0)
            mapOf(early to limit)
        }
        history("without permits nothing begins, and without a limit on them anything") {
            limit("api", permits = 0)
            limit("api", permits = null, at = 50.0)
            val paused = job("api")
            attempt(paused, 0.0, 1.0)
            repeat(5) { attempt(job("api"), 50.0, 60.0) }
            mapOf(paused to limit)
        }
        kept("jobs that began before the limit was declared") {
            limit("api", permits = 1, at = 50.0)
            repeat(2) { attempt(job("api"), 49.9, 60.0) }
        }

        val five = WrittenHistory.Rate(count = 4, seconds = 10, burst = 1)
        history("one job too many within a period") {
            limit("api", rate = five)
            repeat(5) { attempt(job("api"), it.toDouble(), it + 0.5) }
            val sixth = job("api")
            attempt(sixth, 9.9, 11.0)
            mapOf(sixth to rate)
        }
        kept("the next period begins when the first one has passed") {
            limit("api", rate = five)
            repeat(5) { attempt(job("api"), 0.0, 0.5) }
            repeat(5) { attempt(job("api"), 10.0, 10.5) }
        }
        history("jobs of one claim, and each key has its own rate") {
            limit("api", rate = five)
            listOf("api:a", "api:b").forEach { key -> repeat(5) { attempt(job(key), 0.0, 1.0) } }
            val jobs = List(6) { job("api:c") }
            jobs.forEachIndexed { n, job -> attempt(job, n / 1000.0, 1.0) }
            mapOf(jobs.last() to rate)
        }
        history("an attempt that was released before it began counts, and so does one that goes on") {
            limit("api", rate = WrittenHistory.Rate(count = 1, seconds = 10, burst = 0))
            val released = job("api")
            attempt(released, 0.0, 1.0, "INTERRUPTED")
            lease(released, 9.9)
            val next = job("api")
            attempt(next, 19.8, 20.0)
            mapOf(released to rate, next to rate)
        }
        kept("a period in which the rate changed is not judged, nor one that began less than ten seconds later") {
            limit("api", rate = WrittenHistory.Rate(count = 9, seconds = 10, burst = 0))
            limit("api", rate = WrittenHistory.Rate(count = 1, seconds = 10, burst = 0), at = 5.0)
            repeat(5) { attempt(job("api"), it * 2.0, it + 0.5) }
            attempt(job("api"), 14.9, 15.0)
            attempt(job("api"), 24.8, 25.0)
        }
        history("a period after the change is judged by the new rate") {
            limit("api", rate = WrittenHistory.Rate(count = 9, seconds = 10, burst = 0))
            limit("api", rate = WrittenHistory.Rate(count = 1, seconds = 10, burst = 0), at = 5.0)
            attempt(job("api"), 15.1, 15.5)
            val early = job("api")
            attempt(early, 25.0, 25.5)
            mapOf(early to rate)
        }
        kept("a period that is longer than the time that PostgreSQL knows") {
            limit("api", rate = WrittenHistory.Rate(count = Int.MAX_VALUE, seconds = Int.MAX_VALUE, burst = Int.MAX_VALUE))
            repeat(2) { attempt(job("api"), 0.0, 1.0) }
        }

        history("two jobs of one order at the same time") {
            attempt(job(order = "customer:a", position = 1), 0.0, 10.0)
            val second = job(order = "customer:a", position = 2)
            attempt(second, 9.9, 20.0)
            mapOf(second to order)
        }
        kept("one job of an order after another, and two orders at the same time") {
            attempt(job(order = "customer:a", position = 1), 0.0, 10.0)
            attempt(job(order = "customer:a", position = 3), 10.0, 20.0)
            attempt(job(order = "customer:b", position = 2), 0.0, 20.0)
        }
        history("a job that begins between the attempts of the one before it") {
            val first = job(order = "customer:a", position = 1)
            val second = job(order = "customer:a", position = 2)
            attempt(first, 0.0, 1.0, "RETRYABLE")
            attempt(second, 2.0, 3.0)
            attempt(first, 4.0, 5.0, number = 2)
            mapOf(second to order)
        }
        kept("a job that begins after the last attempt of the one before it") {
            val first = job(order = "customer:a", position = 1)
            attempt(first, 0.0, 1.0, "RETRYABLE")
            attempt(first, 4.0, 5.0, number = 2)
            attempt(job(order = "customer:a", position = 2), 5.0, 6.0)
        }
        history("a job that begins although the one before it waits for its next attempt") {
            attempt(job(order = "customer:a", position = 1), 0.0, 1.0, "INTERRUPTED")
            val second = job(order = "customer:a", position = 2)
            attempt(second, 2.0, 3.0)
            mapOf(second to order)
        }
        history("a job that begins between the runs of one that goes on") {
            val first = job(order = "customer:a", position = 1)
            attempt(first, 0.0, 1.0, "INTERRUPTED")
            requeue(first, 1.0, "HANDLER_CONTINUATION")
            attempt(first, 4.0, 5.0, run = 2)
            val second = job(order = "customer:a", position = 2)
            attempt(second, 2.0, 3.0)
            mapOf(second to order)
        }
        history("a job behind a dead letter that holds those behind it") {
            attempt(job(order = "customer:a", position = 1), 0.0, 1.0, "TERMINAL")
            val second = job(order = "customer:a", position = 2)
            attempt(second, 2.0, 3.0)
            mapOf(second to order)
        }
        kept("a job behind a dead letter that does not, or behind a canceled one") {
            attempt(job(order = "customer:a", position = 1, holds = false), 0.0, 1.0, "TERMINAL")
            attempt(job(order = "customer:a", position = 2), 2.0, 3.0)
            cancel(job(order = "customer:a", position = 3), 3.5)
            attempt(job(order = "customer:a", position = 4), 4.0, 5.0)
        }
        kept("a job that was requeued after those behind it had begun") {
            val first = job(order = "customer:a", position = 1)
            attempt(first, 0.0, 1.0)
            attempt(job(order = "customer:a", position = 2), 2.0, 3.0)
            requeue(first, 4.0)
            // The claim may have looked before the requeue was committed.
            attempt(job(order = "customer:a", position = 3), 4.1, 5.0)
            attempt(first, 5.0, 6.0, run = 2)
            attempt(job(order = "customer:a", position = 4), 6.0, 7.0)
        }
        history("a job that begins between the attempts of a requeued one") {
            val first = job(order = "customer:a", position = 1)
            attempt(first, 0.0, 1.0)
            requeue(first, 4.0)
            attempt(first, 5.0, 6.0, "RETRYABLE", run = 2)
            val second = job(order = "customer:a", position = 2)
            attempt(second, 7.0, 8.0)
            mapOf(second to order)
        }
        kept("a job behind one that was canceled between its attempts and requeued later") {
            val first = job(order = "customer:a", position = 1)
            attempt(first, 0.0, 1.0, "RETRYABLE")
            cancel(first, 2.0)
            attempt(job(order = "customer:a", position = 2), 3.0, 4.0)
            requeue(first, 5.0)
            attempt(first, 6.0, 7.0, run = 2)
        }
        kept("a job behind one that was canceled before it began and brought back later") {
            val first = job(order = "customer:a", position = 1)
            cancel(first, 2.0)
            attempt(job(order = "customer:a", position = 2), 3.0, 4.0)
            requeue(first, 5.0, "UNDO")
            attempt(first, 6.0, 7.0, run = 2)
        }
        history("a job that begins before the first attempt of the one before it") {
            val first = job(order = "customer:a", position = 1)
            val second = job(order = "customer:a", position = 2)
            attempt(second, 0.0, 1.0)
            attempt(first, 2.0, 3.0)
            mapOf(second to order)
        }
        history("a job that begins although the one before it waits, or was canceled only later") {
            job(order = "customer:a", position = 1)
            val second = job(order = "customer:a", position = 2)
            attempt(second, 0.0, 1.0)
            cancel(job(order = "customer:b", position = 1), 5.0)
            val other = job(order = "customer:b", position = 2)
            attempt(other, 4.0, 6.0)
            mapOf(second to order, other to order)
        }
        kept("a job that begins within ten seconds, when the enqueue with the smaller position may not be committed") {
            val first = job(order = "customer:a", position = 1, created = -1.0)
            attempt(job(order = "customer:a", position = 2, created = -9.9), 0.0, 1.0)
            attempt(first, 1.0, 3.0)
        }
        history("but not if the job with the smaller position had already begun") {
            val first = job(order = "customer:a", position = 1, created = -1.0)
            attempt(first, 0.0, 1.0, "RETRYABLE")
            val second = job(order = "customer:a", position = 2, created = -1.0)
            attempt(second, 2.0, 3.0)
            mapOf(second to order)
        }

        test("a ledger without limits and orders pays with one look at its jobs") {
            val ledger = freshLedger().define("mail")
            ledger.run(
                "INSERT INTO runledger.job_queue (job_type, max_attempts, status, finished_at) " +
                    "SELECT 'mail', 1, 'SUCCEEDED', now() FROM generate_series(1, $planRows)",
                "VACUUM ANALYZE runledger.job_queue",
            )
            val table = ledger.value("SELECT pg_relation_size('runledger.job_queue') / 8192").toLong()

            val plan = ledger.plan("verify/verify_flow") { int("limit", 100) }

            plan.text.lines().filter { "on job_attempts" in it || "on job_journal" in it }.forEach {
                it shouldContain
                    "never executed"
            }
            plan.pages shouldBeLessThan table + 50
        }

        test("a violation says which attempt, when and why") {
            val ledger = freshLedger().define("mail")
            WrittenHistory(ledger).apply {
                limit("api", permits = 1)
                attempt(job("api"), 0.0, 10.0)
                attempt(job("api"), 9.0, 20.0)
            }

            val detail = ledger.client.verify().contradictions().single { it.rule() == limit }.detail()
            detail shouldStartWith "Attempt 1 of run 1 began at 2026-01-01 "
            detail shouldEndWith " as one of 2 leased jobs with the limit api, which allowed 1."
        }
    })
