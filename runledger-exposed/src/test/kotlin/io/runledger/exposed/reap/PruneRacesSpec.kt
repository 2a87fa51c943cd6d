package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Rewriting
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.triggers
import io.runledger.exposed.workflow.Flow
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import io.runledger.model.retention.PruneRunsRequest
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.time.Duration
import java.time.Instant
import java.util.UUID
import java.util.concurrent.CompletableFuture

/** A key whose job or run retention deletes while a caller enqueues under it. */
class PruneRacesSpec :
    FunSpec({
        val flow = flow()
        val client = flow.client
        val ledger = flow.ledger
        val allJobs = PruneRequest.of(Duration.ZERO, JobStatus.entries.filter { it.isTerminal }.toSet(), 1_000)
        val allRuns = PruneRunsRequest.of(Duration.ZERO, WorkflowRunStatus.entries.filter { it.isTerminal }.toSet(), 1_000)

        fun job(key: String) = JobRequest.builder(Flow.TYPE, Json.EMPTY_OBJECT).idempotencyKey(key).build()

        fun run(key: String) = workflow {
            idempotencyKey(key)
            gate("g")
        }

        fun endedJob(key: String): UUID = client.jobs.enqueue(job(key)).id().also { client.jobs.cancel(Scope.everything(), it) }

        fun endedRun(key: String): UUID = flow.start(run(key)).also { client.workflows.cancel(Scope.everything(), it) }

        fun exists(table: String, id: UUID) = ledger.value("SELECT count(*) FROM runledger.$table WHERE id = '$id'") == "1"

        /**
         * Runs [work] while retention is between its two statements: it has locked [rows], and deletes them when [work] waits
         * for them.
         */
        fun <T> whilePruning(table: String, rows: List<UUID>, work: () -> T): T = ledger.database.connect().use { janitor ->
            janitor.autoCommit = false
            janitor.createStatement().use {
                it.execute("SELECT FROM runledger.$table WHERE id IN (${rows.joinToString { id -> "'$id'" }}) FOR UPDATE")
            }
            val answer = CompletableFuture.supplyAsync(work)
            ledger.awaitLockWait()
            val retention = client.within(janitor).retention
            if (table == "job_queue") retention.prune(allJobs) else retention.pruneRuns(allRuns)
            janitor.commit()
            answer.get()
        }

        beforeTest {
            ledger.run(
                "DELETE FROM runledger.job_schedules",
                "DELETE FROM runledger.workflow_runs",
                "DELETE FROM runledger.job_queue",
            )
        }
        afterTest { flow.contradictions().shouldBeEmpty() }

        test("a job whose key retention is just freeing is enqueued, and is there") {
            val old = endedJob("k")

            val enqueued = whilePruning("job_queue", listOf(old)) { client.jobs.enqueue(job("k")) }

            enqueued.disposition() shouldBe Disposition.INSERTED
            exists("job_queue", enqueued.id()) shouldBe true
            exists("job_queue", old) shouldBe false
        }

        test("among many jobs, those whose keys are being freed are enqueued, and the others keep what they are") {
            val kept = client.jobs.enqueue(job("kept")).id()
            val old = listOf("b", "d").map(::endedJob)

            val requests = listOf("a", "b", "kept", "c", "d").map(::job)

            val enqueued = whilePruning("job_queue", old) { client.jobs.enqueueAll(requests) }

            enqueued.map { it.disposition() }.shouldContainExactly(
                Disposition.INSERTED,
                Disposition.INSERTED,
                Disposition.EXISTING,
                Disposition.INSERTED,
                Disposition.INSERTED,
            )
            enqueued[2].id() shouldBe kept
            enqueued.all { exists("job_queue", it.id()) } shouldBe true
        }

        test("a run whose key retention is just freeing is started, and is there") {
            val old = endedRun("k")

            val started = whilePruning("workflow_runs", listOf(old)) { client.workflows.enqueue(run("k")) }

            started.disposition() shouldBe Disposition.INSERTED
            exists("workflow_runs", started.runId()) shouldBe true
            flow.steps(started.runId()).shouldContainExactly("g WAITING_FOR_EXTERNAL")
        }

        test("a run with an active key and the key of a run that is being deleted is started, and is there") {
            val old = endedRun("k")
            val request = workflow {
                idempotencyKey("k")
                activeKey("a")
                gate("g")
            }
            // Ended in another way than it was asked for, so that only the wait decides.
            ledger.run("UPDATE runledger.workflow_runs SET enqueue_request = enqueue_request || '{\"active_key\": \"a\"}'")

            val started = whilePruning("workflow_runs", listOf(old)) { client.workflows.enqueueUnlessActive(request) }

            started.disposition() shouldBe Disposition.INSERTED
            exists("workflow_runs", started.runId()) shouldBe true
        }

        test("a joined enqueue beside retention commits with its host") {
            val old = endedRun("k")

            val started = ledger.database.connect().use { host ->
                host.autoCommit = false
                whilePruning("workflow_runs", listOf(old)) { client.within(host).workflows.enqueue(run("k")) }
                    .also { host.commit() }
            }

            exists("workflow_runs", started.runId()) shouldBe true
        }

        test("a schedule that is due again for an instant whose run is being deleted starts another, and so do its neighbours") {
            val past = Instant.parse("2026-01-01T00:00:00Z")
            val gated = workflow { gate("g") }
            client.schedules.sync(
                Scope.everything(),
                listOf("s1", "s2").map { name ->
                    ScheduleRequest.builder(name, gated).every(Duration.ofHours(1)).firstFireAt(past).build()
                },
            )
            client.schedules.retime(Scope.everything(), "s1", past)
            val old = checkNotNull(client.dueSchedules.fire(1).fires().first { it.outcome() == FireOutcome.FIRED }.runId())
            client.workflows.cancel(Scope.everything(), old)
            ledger.run(
                "DELETE FROM runledger.job_schedule_fires",
                "UPDATE runledger.job_schedules SET next_fire_at = '$past', last_run_id = NULL",
            )

            val pass = whilePruning("workflow_runs", listOf(old)) { client.dueSchedules.fire(10) }

            val started = pass.fires().mapNotNull { it.runId() }
            started shouldHaveSize 2
            started.all { exists("workflow_runs", it) } shouldBe true
        }

        test("retention does not wait for a schedule that another session holds: the last job and run stay until it is free") {
            val past = Instant.parse("2026-01-01T00:00:00Z")
            client.schedules.sync(
                Scope.everything(),
                listOf(
                    ScheduleRequest.builder("flow", workflow { gate("g") }).every(Duration.ofHours(1)).firstFireAt(past).build(),
                    ScheduleRequest.builder("job", Flow.TYPE, Json.NULL).every(Duration.ofHours(1)).firstFireAt(past).build(),
                ),
            )
            val fires = client.dueSchedules.fire(10).fired()
            fires.mapNotNull { it.jobId() }.forEach { client.jobs.cancel(Scope.everything(), it) }
            fires.mapNotNull { it.runId() }.forEach { client.workflows.cancel(Scope.everything(), it) }

            ledger.database.connect().use { operator ->
                operator.autoCommit = false
                listOf("flow", "job").forEach { client.within(operator).schedules.pause(Scope.everything(), it) }
                client.retention.prune(allJobs).jobs() shouldBe 0
                client.retention.pruneRuns(allRuns).runs() shouldBe 0
                operator.commit()
            }

            client.retention.prune(allJobs).jobs() shouldBe 1
            client.retention.pruneRuns(allRuns).runs() shouldBe 1
        }

        test("a poll that finds what retention is just deleting starts it") {
            client.triggers.register("files", Duration.ofSeconds(30))
            val old = endedJob("k")
            val poll = client.triggers.take(listOf("files"), Duration.ofMinutes(1)).single()

            val line = whilePruning("job_queue", listOf(old)) {
                client.triggers.settle(poll, PollResult.fire("found", job("k"))).single()
            }

            line.outcome() shouldBe FireOutcome.FIRED
            exists("job_queue", checkNotNull(line.jobId())) shouldBe true
        }

        test("a key that vanishes at every look is a passing failure, and nothing is written") {
            endedJob("k")
            endedRun("k")
            // A look-up by key never finds a row.
            val lost = RunledgerClient.create(
                listOf("FOR KEY SHARE OF q", "FOR KEY SHARE OF r").fold(ledger.dataSource) { real, lock ->
                    Rewriting(real, lock, "AND false $lock")
                },
            )

            shouldRefuse(ErrorCode.DB_CONTENTION) { lost.jobs.enqueueAll(listOf(job("k"), job("new"))) }
            shouldRefuse(ErrorCode.DB_CONTENTION) { lost.workflows.enqueueAll(listOf(run("k"), run("new"))) }

            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "1"
            ledger.value("SELECT count(*) FROM runledger.workflow_runs") shouldBe "1"
        }

        test("a type that is not defined is still told apart from a key that vanished") {
            val undefined = JobRequest.builder("unheard-of", Json.NULL).idempotencyKey("k").build()

            shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) { client.jobs.enqueue(undefined) }
            shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) { client.jobs.enqueueAll(listOf(job("a"), undefined)) }
            ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "0"
        }

        test("whatever callers, operators and janitors do at once, what was acknowledged is there until it is pruned") {
            val rounds = 100
            val counts = racing(4) { party ->
                var inserted = 0
                var pruned = 0
                repeat(rounds) { round ->
                    when (party) {
                        0, 1 -> {
                            val keys = List(3) { "k${(round * 7 + it * 3 + party) % 5}" }.distinct()
                            inserted += client.jobs.enqueueAll(keys.map(::job)).count { it.disposition() == Disposition.INSERTED }
                            inserted += client.workflows.enqueueAll(keys.map(::run))
                                .count { it.disposition() == Disposition.INSERTED }
                        }

                        2 -> {
                            ledger.rows("SELECT id FROM runledger.job_queue WHERE status = 'PENDING'")
                                .forEach { client.jobs.cancelAll(Scope.everything(), listOf(UUID.fromString(it))) }
                            flow.cancelEverything()
                        }

                        else -> {
                            pruned += client.retention.prune(allJobs).jobs()
                            pruned += client.retention.pruneRuns(allRuns).runs()
                        }
                    }
                }
                inserted - pruned
            }.sum()

            ledger.value(
                "SELECT count(*) FROM (SELECT id FROM runledger.job_queue UNION SELECT id FROM runledger.workflow_runs) t",
            )
                .shouldBe("$counts")
        }
    })
