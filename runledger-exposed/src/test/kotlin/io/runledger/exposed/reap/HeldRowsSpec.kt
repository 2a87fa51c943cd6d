package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Ledger
import io.runledger.exposed.define
import io.runledger.exposed.deliveries
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.enqueue
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.triggers
import io.runledger.exposed.upkeep
import io.runledger.exposed.workflow.Flow
import io.runledger.exposed.workflow.expireLease
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.jobOf
import io.runledger.exposed.workflow.passDeadline
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ReapedJob
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.schedule.TakenPoll
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.StepsBuilder
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRunStatus
import java.sql.Connection
import java.time.Duration
import java.time.Instant
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/** Housekeeping while another session holds a row: it returns, the other rows are processed, and the held row follows later. */
class HeldRowsSpec :
    FunSpec({
        val everything = Scope.everything()
        val minute = Duration.ofMinutes(1)
        val past = Instant.parse("2026-01-01T00:00:00Z")

        /** Runs [call] on another thread; fails when it does not return, as one that waits for the holder would not. */
        fun <T> returning(call: () -> T): T = CompletableFuture.supplyAsync(call).get(30, TimeUnit.SECONDS)

        /** Does [work] while a transaction that has done [hold] is open. */
        fun <T> Flow.beside(hold: (Ledger, Connection) -> Unit, work: () -> T): T = ledger.database.connect().use { holder ->
            holder.autoCommit = false
            hold(client.within(holder), holder)
            try {
                returning(work)
            } finally {
                holder.rollback()
            }
        }

        fun <T> Flow.besideLockOf(rows: String, work: () -> T): T =
            beside({ _, holder -> holder.createStatement().use { it.execute("SELECT FROM runledger.$rows FOR UPDATE") } }, work)

        fun StepsBuilder.other(key: String, vararg after: Upstream): JobRef =
            job(key) { it.runs("other", Json.EMPTY_OBJECT).after(*after) }

        fun Flow.every(name: String, type: String, start: Instant = past) = client.schedules.upsert(
            ScheduleRequest.builder(name, type, Json.EMPTY_OBJECT).every(Duration.ofDays(1)).firstFireAt(start).build(),
        )

        fun Flow.makeDue() = ledger.run("UPDATE runledger.job_schedules SET next_fire_at = now() - interval '1 second'")

        test("a schedule whose job type another session holds stays due, and the others fire") {
            val flow = flow()
            flow.ledger.define("other")
            flow.every("held", "other")
            flow.every("free", "work")
            flow.client.schedules.upsert(
                ScheduleRequest.builder("held run", workflow { other("a") }).every(Duration.ofDays(1)).firstFireAt(past).build(),
            )

            val pass = flow.besideLockOf("job_definitions WHERE job_type = 'other'") { flow.client.dueSchedules.fire(10) }

            pass.fired().size shouldBe 1
            pass.deferred().shouldBeEmpty()
            flow.client.dueSchedules.fire(10).fired().size shouldBe 2
            flow.client.schedules.fires(everything, "held").items().map { it.outcome() } shouldContain FireOutcome.FIRED
        }

        test("a schedule whose open pause is not committed stays due, and the others fire") {
            val flow = flow()
            listOf("held", "free").forEach { flow.every(it, "work") }

            val pass = flow.beside({ open, _ -> open.schedules.pause(everything, "held") }) { flow.client.dueSchedules.fire(10) }

            pass.fired().size shouldBe 1
            flow.client.dueSchedules.fire(10).fired().size shouldBe 1
        }

        test("an expired job whose end needs a row that another session holds is put off, and the others are reaped") {
            val flow = flow()
            flow.ledger.define("other")
            val held = flow.ledger.enqueue("other") { maxAttempts(1) }.id()
            val free = flow.ledger.enqueue("work") { maxAttempts(1) }.id()
            flow.client.leases.claim(ClaimRequest.of(listOf("work", "other"), "w1", minute, 10)).size shouldBe 2
            listOf(held, free).forEach(flow::expireLease)

            val reaped = flow.beside({ open, _ -> open.definitions.disable("other") }) { flow.client.leases.reap(10, minute) }

            reaped.associate { it.lease().jobId() to it.result() } shouldBe
                mapOf(held to ReapedJob.Result.DEFERRED, free to ReapedJob.Result.DEAD_LETTERED)
            reaped.mapNotNull { it.refusal()?.code() } shouldContainExactly listOf(ErrorCode.DB_LOCK_TIMEOUT)
            flow.expireLease(held)
            flow.client.leases.reap(10, minute).map { it.result() } shouldContainExactly
                listOf(ReapedJob.Result.DEAD_LETTERED)
        }

        test("an expired step is reaped although another session holds the type of its follower") {
            val flow = flow()
            flow.ledger.define("other")
            val held = flow.start {
                val a = work("a") { maxAttempts(1) }
                other("next", a.onFailure())
            }
            val free = flow.start {
                val b = work("b") { maxAttempts(1) }
                work("next", b.onFailure())
            }
            flow.claim()
            flow.expireLease(flow.jobOf(held, "a"))
            flow.expireLease(flow.jobOf(free, "b"))

            val reaped = flow.beside({ open, _ -> open.definitions.disable("other") }) { flow.client.leases.reap(10, minute) }

            reaped.map { it.result() } shouldContainExactly List(2) { ReapedJob.Result.DEAD_LETTERED }
            flow.steps(free) shouldContainExactly listOf("b FAILED", "next ENQUEUED")
            flow.steps(held) shouldContainExactly listOf("a FAILED", "next ENQUEUED")
            flow.contradictions().shouldBeEmpty()
        }

        test("a gate ends although another session holds the type of its follower") {
            val flow = flow()
            flow.ledger.define("other")
            val held = flow.start {
                val g = gate("g") { expiresAfter(minute) }
                other("next", g.onFailure())
            }
            val free = flow.start { gate("g") { expiresAfter(minute) } }
            listOf(held, free).forEach { flow.passDeadline(it, "g") }

            val ended = flow.beside({ open, _ -> open.definitions.disable("other") }) { flow.client.upkeep.expireGates(10) }

            ended.map { it.runId() } shouldContainExactlyInAnyOrder listOf(held, free)
            flow.steps(held) shouldContainExactly listOf("g FAILED", "next ENQUEUED")
            flow.contradictions().shouldBeEmpty()
        }

        test("a gate's step that another session holds stays open, and other gates end") {
            val flow = flow()
            val (held, free) = List(2) { flow.start { gate("g") { expiresAfter(minute) } } }
            listOf(held, free).forEach { flow.passDeadline(it, "g") }

            val ended = flow.besideLockOf("workflow_step_rows WHERE workflow_run_id = '$held'") {
                flow.client.upkeep.expireGates(10)
            }

            ended.map { it.runId() } shouldContainExactly listOf(free)
            flow.client.upkeep.expireGates(10).map { it.runId() } shouldContainExactly listOf(held)
        }

        test("an active key that another session holds is left, and others are given back") {
            val flow = flow()
            val (held, free) = listOf("held", "free").map { key ->
                flow.client.workflows.enqueueUnlessActive(
                    workflow {
                        activeKey(key)
                        work(key)
                    },
                ).runId()
            }
            flow.claim()
            listOf(held, free).forEach { flow.client.workflows.cancel(everything, it) }
            flow.ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second'")

            val released = flow.besideLockOf("workflow_active_claims WHERE workflow_run_id = '$held'") {
                flow.client.upkeep.releaseActiveKeys(10)
            }

            released shouldContainExactly listOf(free)
            flow.client.upkeep.releaseActiveKeys(10) shouldContainExactly listOf(held)
        }

        test("a trigger that another session holds is refused soon, for registering, settling, failing and giving back") {
            val flow = flow()
            val triggers = flow.client.triggers
            fun taken(name: String): TakenPoll {
                triggers.register(name, minute)
                return triggers.take(listOf(name), minute).single()
            }
            val poll = taken("held")
            val other = taken("free")
            val find = PollResult.fire("k", JobRequest.builder("work", Json.EMPTY_OBJECT).build())
            val calls = listOf<() -> Unit>(
                { triggers.register("held", minute) },
                { triggers.settle(poll, find) },
                { triggers.fail(poll, "no luck") },
                { triggers.release(poll) },
            )

            flow.beside({ open, _ -> open.schedules.pause(everything, "held") }) {
                calls.forEach { shouldRefuse(ErrorCode.DB_LOCK_TIMEOUT, it) }
                triggers.settle(other, find).size shouldBe 1
            }

            triggers.settle(poll, find).map { it.outcome() } shouldContainExactly listOf(FireOutcome.FIRED)
        }

        test("a find whose key another session is about to use fails alone, and is started when it is found again") {
            val flow = flow()
            val triggers = flow.client.triggers
            fun request(key: String) = JobRequest.builder("work", Json.EMPTY_OBJECT).idempotencyKey(key).build()
            fun finds() = PollResult.all(listOf("held", "free").map { PollResult.fire(it, request(it)) })
            triggers.register("files", Duration.ofSeconds(1))
            val poll = triggers.take(listOf("files"), minute).single()

            val noted = flow.beside({ open, _ -> open.jobs.enqueue(request("held")) }) { triggers.settle(poll, finds()) }

            noted.map { "${it.dedupKey()} ${it.outcome()}" } shouldContainExactlyInAnyOrder listOf("held FAILED", "free FIRED")
            flow.makeDue()
            triggers.settle(triggers.take(listOf("files"), minute).single(), finds())
                .map { "${it.dedupKey()} ${it.outcome()}" } shouldContainExactly listOf("held FIRED")
        }

        test("a hook that another session holds is refused soon for registering, and others register") {
            val flow = flow()
            flow.client.deliveries.register("pager", listOf("work"))

            flow.beside({ open, _ -> open.hooks.remove("pager") }) {
                shouldRefuse(ErrorCode.DB_LOCK_TIMEOUT) { flow.client.deliveries.register("pager", listOf("work")) }
                flow.client.deliveries.register("desk", listOf("work"))
            }
        }

        test("of letters that were delivered or put off, those that another session holds are told, and the others are written") {
            val flow = flow()
            val hooks = flow.client.deliveries
            hooks.register("pager", listOf("work"))
            repeat(4) {
                val id = flow.ledger.enqueue("work") { maxAttempts(1) }.id()
                flow.client.leases.claim(ClaimRequest.of(listOf("work"), "w1", minute, 1))
                flow.expireLease(id)
            }
            flow.client.leases.reap(10, minute)
            val letters = hooks.take("pager", listOf("work"), 10, minute)
            val (held, free) = letters.chunked(2)
            fun rows() = flow.ledger.rows(
                "SELECT job_id, due_at > now() + interval '1 hour' FROM runledger.job_dead_letter_deliveries ORDER BY job_id",
            )

            flow.besideLockOf(
                "job_dead_letter_deliveries WHERE job_id IN (${held.joinToString {
                    "'${it.letter().jobId()}'"
                }})",
            ) {
                hooks.delivered(listOf(held[0], free[0])) shouldContainExactly listOf(held[0])
                hooks.postpone(mapOf(held[1] to Duration.ofDays(1), free[1] to Duration.ofDays(1)))
            }

            rows() shouldContainExactlyInAnyOrder
                listOf(held[0] to "f", held[1] to "f", free[1] to "t").map { (it, far) -> "${it.letter().jobId()}|$far" }
            hooks.delivered(listOf(held[0])).shouldBeEmpty()
        }

        test("a job or run with a row that another session holds is kept for now, and the others are forgotten") {
            val flow = flow()
            val (job, _) = List(2) { flow.ledger.enqueue("work").id() }
            val (run, _) = List(2) { flow.start { work("a") } }
            flow.client.leases.claim(ClaimRequest.of(listOf("work"), "w1", minute, 10)).forEach { flow.succeed(it) }
            val jobs = PruneRequest.of(Duration.ZERO, setOf(JobStatus.SUCCEEDED), 100)
            val runs = PruneRunsRequest.of(Duration.ZERO, setOf(WorkflowRunStatus.SUCCEEDED), 100)

            val pruned = flow.besideLockOf("job_attempts WHERE job_id = '$job'") { flow.client.retention.prune(jobs) }
            val prunedRuns = flow.besideLockOf("workflow_step_rows WHERE workflow_run_id = '$run'") {
                flow.client.retention.pruneRuns(runs)
            }

            pruned.jobs() shouldBe 1
            prunedRuns.runs() shouldBe 1
            (pruned.refused() + prunedRuns.refused()).map { it.id() to it.refusal().code() } shouldContainExactly
                listOf(job, run).map { it to ErrorCode.DB_LOCK_TIMEOUT }
            flow.client.retention.prune(jobs).jobs() shouldBe 1
            flow.client.retention.pruneRuns(runs).runs() shouldBe 1
        }

        test("in a caller's transaction its own lock timeout stays as it is") {
            val flow = flow()
            flow.every("s", "work")
            flow.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                connection.createStatement().use { it.execute("SET LOCAL lock_timeout = '7s'") }
                val joined = flow.client.within(connection)
                joined.dueSchedules.fire(10).fired().size shouldBe 1
                joined.leases.reap(10, minute)
                joined.upkeep.expireGates(10)
                joined.retention.prune(PruneRequest.of(Duration.ZERO, setOf(JobStatus.SUCCEEDED), 100))
                joined.triggers.register("files", minute)

                connection.createStatement().use { statement ->
                    statement.executeQuery("SHOW lock_timeout").use { if (it.next()) it.getString(1) else null } shouldBe "7s"
                }
                connection.rollback()
            }
        }
    })
