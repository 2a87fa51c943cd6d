package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.deliveries
import io.runledger.exposed.dueSchedules
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.Flow
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobRequest
import io.runledger.model.job.Progress
import io.runledger.model.job.ReplayRequest
import io.runledger.model.json.Json
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.schedule.ScheduleRequest
import io.runledger.model.value.HeaderSource
import io.runledger.model.workflow.AppendRequest
import java.time.Duration
import java.time.Instant
import java.util.UUID

private val everything = Scope.everything()
private val broken = Verdict.DeadLetter(
    JobFailure.terminal("test.broken", "It broke."),
    DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
)

class HeadersSpec :
    FunSpec({
        val ledger = freshLedger().define("mail")
        val flow = flow()

        beforeTest {
            ledger.run("TRUNCATE runledger.job_queue CASCADE")
            flow.cancelEverything()
        }

        fun TestLedger.clientWith(source: HeaderSource): RunledgerClient =
            RunledgerClient.builder(dataSource).headers(source).build()

        test("the claim and the reads of a job have the headers of its request") {
            val given = mapOf("X-Locale" to "de-AT", "x-locale" to "", "Quote" to "\"\\ \u00e4\n\ud83d\ude00")

            val id = ledger.enqueue { headers(given).header("trace", "1") }.id()

            ledger.claim().single().headers() shouldBe given + ("trace" to "1")
            ledger.client.jobs.get(everything, id).headers() shouldBe given + ("trace" to "1")
        }

        test("jobs without headers store null and share one empty map") {
            ledger.client.jobs.enqueueAll(List(2) { JobRequest.builder("mail", it).build() })

            val jobs = ledger.claim()

            jobs.forEach { it.headers() shouldBeSameInstanceAs emptyMap<String, String>() }
            ledger.rows("SELECT DISTINCT headers IS NULL FROM runledger.job_queue WHERE status = 'LEASED'") shouldContainExactly
                listOf("t")
        }

        test("a batch keeps the headers of each job apart") {
            ledger.client.jobs.enqueueAll(
                List(4) { n -> JobRequest.builder("mail", n).apply { if (n % 2 == 0) header("n", "$n") }.build() },
            )

            ledger.claim().associate { it.payload().text() to it.headers()["n"] } shouldBe
                mapOf("0" to "0", "1" to null, "2" to "2", "3" to null)
        }

        test("a repeated request with other headers finds the job, which keeps the first ones") {
            fun send(trace: String) = ledger.enqueue { idempotencyKey("order/7").header("trace", trace) }
            val first = send("1")

            val second = send("2")

            second.disposition() shouldBe Disposition.EXISTING
            second.id() shouldBe first.id()
            ledger.claim().single().headers() shouldBe mapOf("trace" to "1")
        }

        test("a retry, a continuation and a requeue keep the headers") {
            val id = ledger.enqueue { header("trace", "1") }.id()
            val endings = listOf(
                Verdict.Retry(JobFailure.retryable("test.flaky", "Not this time."), Duration.ZERO, null),
                Verdict.Continue(null, null, Duration.ZERO, null, Progress.NONE),
                broken,
            )
            endings.forEach { ending ->
                val job = ledger.claim().single()
                job.headers() shouldBe mapOf("trace" to "1")
                ledger.settle(job, ending)
            }
            ledger.client.jobs.requeue(everything, id)

            ledger.claim().single().headers() shouldBe mapOf("trace" to "1")
        }

        test("a replay has the headers of its source") {
            val id = ledger.enqueue { header("trace", "1") }.id()
            ledger.settle(ledger.claim().single(), Verdict.Succeed(null))

            ledger.client.jobs.replay(everything, ReplayRequest(id, 1, "again", "A test."))

            ledger.claim().single().headers() shouldBe mapOf("trace" to "1")
        }

        test("a dead letter shows the headers of its job, in lists and to hooks") {
            ledger.client.deliveries.register("pager", listOf("mail"))
            val id = ledger.enqueue { header("trace", "1") }.id()
            ledger.settle(ledger.claim().single(), broken)

            val letters = listOf(
                ledger.client.deliveries.take("pager", listOf("mail"), 10, Duration.ofMinutes(1)).map { it.letter() },
                ledger.client.jobs.deadLetters(everything, id, 10, null).items(),
                ledger.client.jobs.openDeadLetters(everything, 10, null).items().filter { it.jobId() == id },
                ledger.client.jobs.story(everything, id).deadLetters(),
            )

            letters.map { it.single().headers() } shouldContainExactly List(4) { mapOf("trace" to "1") }
            ledger.client.jobs.get(everything, id).toString() shouldNotContain "trace"
        }

        test("all invalid headers of a request are named at once, without their values") {
            val refusal = shouldRefuse(ErrorCode.INVALID_HEADERS) {
                JobRequest.builder("mail", Json.NULL)
                    .header("", "v").header("a b", "v").header("\u00e4", "v").header("n".repeat(129), "v")
                    .header("nul", "secret\u0000").header("half", "\ud83d")
                    .build()
            }

            listOf("no name", "'a b'", "'\u00e4'", "129", "'nul'", "'half'").forEach { refusal.message!! shouldContain it }
            refusal.message!! shouldNotContain "secret"
            shouldRefuse(ErrorCode.INVALID_HEADERS) {
                JobRequest.builder("mail", Json.NULL).headers((0..64).associate { "h$it" to "" }).build()
            }.message!! shouldContain "at most 64"
            JobRequest.builder("mail", Json.NULL).headers(
                (0..63).associate {
                    "h$it" to ""
                },
            ).header("h0", "n".repeat(128)).build()
                .headers().size shouldBe 64
        }

        test("the problems of all steps and of the run are reported together") {
            val refusal = shouldRefuse(ErrorCode.INVALID_HEADERS) {
                workflow {
                    header("a b", "v")
                    work("pay") { header("c d", "v") }
                }
            }

            listOf("headers: ", "'a b'", "'pay'", "'c d'").forEach { refusal.message!! shouldContain it }
        }

        test("larger headers than the client allows are refused, and nothing is written") {
            val client = RunledgerClient.builder(ledger.dataSource).maxHeadersBytes(100).build()
            fun request(bytes: Int) = JobRequest.builder("mail", Json.NULL).header("0123456789", "x".repeat(bytes - 10)).build()

            shouldRefuse(ErrorCode.HEADERS_TOO_LARGE) { client.jobs.enqueueAll(listOf(request(50), request(101))) }
                .message!! shouldContain "maxHeadersBytes"

            ledger.claim().shouldBeEmpty()
            client.jobs.enqueue(request(100))
        }

        test("the client's source adds what the request does not have, on the thread of the caller") {
            val seen = ArrayList<HeaderSource.Target>()
            val caller = Thread.currentThread()
            val client = ledger.clientWith {
                check(Thread.currentThread() === caller)
                seen += it
                mapOf("trace" to "source", "locale" to "de")
            }

            client.jobs.enqueueAll(List(2) { n -> JobRequest.builder("mail", n).header("trace", "request").build() })

            ledger.claim().map { it.headers() } shouldContainExactly List(2) { mapOf("trace" to "request", "locale" to "de") }
            seen shouldContainExactly List(2) { HeaderSource.Target(HeaderSource.Kind.JOB, "mail") }
        }

        test("of two sources the first one wins") {
            val client = RunledgerClient.builder(ledger.dataSource)
                .headers { mapOf("a" to "first") }.headers { mapOf("a" to "second", "b" to "second") }.build()

            client.jobs.enqueue(JobRequest.builder("mail", 1).build())

            ledger.claim().single().headers() shouldBe mapOf("a" to "first", "b" to "second")
        }

        test("a failing source refuses the call, and nothing is written") {
            val failure = IllegalStateException("no request")
            val client = ledger.clientWith { throw failure }

            val refusal =
                shouldRefuse(ErrorCode.HEADER_SOURCE_FAILED) { client.jobs.enqueue(JobRequest.builder("mail", 1).build()) }

            refusal.cause shouldBeSameInstanceAs failure
            ledger.claim().shouldBeEmpty()
            shouldRefuse(ErrorCode.INVALID_HEADERS) {
                ledger.clientWith { mapOf("a b" to "c") }.jobs.enqueue(JobRequest.builder("mail", 1).build())
            }.message!! shouldContain "header source"
        }

        test("headers that were changed by hand do not keep the job from running") {
            listOf("[1]", "\"text\"", "{\"a\": 1, \"b\": \"kept\", \"c\": null}").forEach {
                ledger.enqueue { header("trace", "1") }
                ledger.run("UPDATE runledger.job_queue SET headers = '$it' WHERE headers @> '{\"trace\": \"1\"}'")
            }

            ledger.claim().map { it.headers() }.toSet() shouldBe setOf(emptyMap(), mapOf("b" to "kept"))
        }

        test("each job of a run has the headers of the run and of its step, at once and after a release") {
            val run = flow.start {
                header("trace", "run").header("locale", "de")
                val first = work("first") { header("locale", "en") }
                work("second", first) { header("n", "2") }
                work("third", first)
            }

            val first = flow.claim().getValue("first")
            flow.succeed(first)
            val rest = flow.claim()

            first.headers() shouldBe mapOf("trace" to "run", "locale" to "en")
            rest.getValue("second").headers() shouldBe mapOf("trace" to "run", "locale" to "de", "n" to "2")
            rest.getValue("third").headers() shouldBe mapOf("trace" to "run", "locale" to "de")
            flow.client.workflows.get(everything, run).headers() shouldBe mapOf("trace" to "run", "locale" to "de")
        }

        test("a run without headers has steps with some") {
            flow.start {
                val first = work("first") { header("n", "1") }
                work("second", first) { header("n", "2") }
                work("third", first)
            }

            val first = flow.claim().getValue("first").also { flow.succeed(it) }
            val rest = flow.claim()

            first.headers() shouldBe mapOf("n" to "1")
            rest.getValue("second").headers() shouldBe mapOf("n" to "2")
            rest.getValue("third").headers().shouldBeEmpty()
        }

        test("appended steps have the headers of the run") {
            val run = flow.start {
                header("trace", "run")
                gate("window")
            }
            val request = AppendRequest.builder(run, "more", "window").apply {
                val extra = work("extra") { header("n", "1") }
                work("last", extra)
            }.build()

            flow.client.workflows.append(everything, request)
            val extra = flow.claim().getValue("extra").also { flow.succeed(it) }

            extra.headers() shouldBe mapOf("trace" to "run", "n" to "1")
            flow.claim().getValue("last").headers() shouldBe mapOf("trace" to "run")
        }

        test("a retry of failed steps and a recovery keep the headers of run and steps") {
            val run = flow.start {
                header("trace", "run")
                work("pay") { header("n", "1") }
            }
            flow.fail(flow.claim().getValue("pay"))
            flow.client.workflows.retryFailed(everything, run, "again", "A test.")
            val again = flow.claim().getValue("pay").also { flow.succeed(it) }
            flow.client.workflows.recover(everything, RecoveryRequest.of(run, "recover", "A test."))
            val recovered = flow.claim().getValue("pay").also { flow.succeed(it) }

            listOf(again, recovered).forEach { it.headers() shouldBe mapOf("trace" to "run", "n" to "1") }
        }

        test("a run with other headers is the same run") {
            fun start(trace: String) = flow.client.workflows.enqueue(
                workflow {
                    idempotencyKey("order/9").header("trace", trace)
                    work("pay") { header("n", trace) }
                },
            )
            val first = start("1")

            start("2").let { it.runId() to it.disposition() } shouldBe (first.runId() to Disposition.EXISTING)

            flow.claim().getValue("pay").headers() shouldBe mapOf("trace" to "1", "n" to "1")
        }

        test("the completion of a gate adds headers to the jobs that it releases") {
            val client = flow.ledger.clientWith { mapOf("by" to it.kind().name, "trace" to "gate", "gate" to it.name()) }
            val run = flow.start {
                header("trace", "run")
                val approval = gate("approval")
                val first = work("first", approval) { header("by", "step") }
                work("second", first)
            }

            client.workflows.completeGate(everything, GateCompletion.succeeded(run, "approval"))
            val first = flow.claim().getValue("first").also { flow.succeed(it) }

            first.headers() shouldBe mapOf("trace" to "run", "by" to "step", "gate" to "approval")
            flow.claim().getValue("second").headers() shouldBe mapOf("trace" to "run")
        }

        test("each job and run of a schedule has the headers of the schedule") {
            val client = flow.ledger.clientWith { mapOf("by ${it.kind()}".replace(' ', '-') to it.name(), "trace" to "source") }
            val due = Instant.now().minusSeconds(5)
            val nightly = workflow {
                header("trace", "workflow").header("locale", "de")
                val first = work("first") { header("n", "1") }
                work("second", first) { header("n", "2") }
            }
            client.schedules.upsert(
                everything,
                ScheduleRequest.builder(
                    "nightly",
                    nightly,
                ).every(Duration.ofDays(1)).firstFireAt(due).header("trace", "schedule").build(),
            )
            flow.ledger.define("report")
            client.schedules.upsert(
                everything,
                ScheduleRequest.builder(
                    "report",
                    "report",
                    null,
                ).every(Duration.ofDays(1)).firstFireAt(due).header("n", "0").build(),
            )

            client.dueSchedules.fire(10)
            client.schedules.fireNow(everything, "report")
            val first = flow.claim().getValue("first").also { flow.succeed(it) }
            val second = flow.claim().getValue("second")

            val shared = mapOf("trace" to "schedule", "locale" to "de", "by-SCHEDULE" to "nightly")
            first.headers() shouldBe shared + ("n" to "1") + ("by-FIRE" to "nightly")
            second.headers() shouldBe shared + ("n" to "2") + ("by-FIRE" to "nightly")
            client.schedules.get(everything, "nightly").headers() shouldBe shared
            flow.ledger.claim("report").map { it.headers() } shouldContainExactly
                List(2) { mapOf("n" to "0", "trace" to "source", "by-SCHEDULE" to "report", "by-FIRE" to "report") }
        }

        test("a fire whose header source fails is deferred, and the other schedules fire") {
            val due = Instant.now().minusSeconds(5)
            listOf("bad job", "good").forEach { name ->
                flow.client.schedules.upsert(
                    everything,
                    ScheduleRequest.builder(name, Flow.TYPE, null).every(Duration.ofDays(1)).firstFireAt(due).build(),
                )
            }
            flow.client.schedules.upsert(
                everything,
                ScheduleRequest.builder("bad run", workflow { work("only") }).every(Duration.ofDays(1)).firstFireAt(due).build(),
            )

            val pass = flow.ledger.clientWith {
                check("bad" !in it.name()) { "No headers." }
                mapOf()
            }.dueSchedules.fire(10)

            pass.deferred().associate { it.name() to it.code() } shouldBe
                mapOf("bad job" to ErrorCode.HEADER_SOURCE_FAILED, "bad run" to ErrorCode.HEADER_SOURCE_FAILED)
            pass.fires().size shouldBe 1
            flow.ledger.run("UPDATE runledger.job_schedules SET is_active = false, deferred_from = NULL")
            flow.ledger.claim(Flow.TYPE).size shouldBe 1
        }

        test("saving a schedule again replaces its headers") {
            fun save(request: ScheduleRequest.Builder.() -> Unit) = flow.client.schedules.upsert(
                everything,
                ScheduleRequest.builder("again", Flow.TYPE, null).every(Duration.ofDays(1)).apply(request).build(),
            )
            save { header("a", "1") }

            save { header("b", "2") }.headers() shouldBe mapOf("b" to "2")
            save {}.headers().shouldBeEmpty()
        }
    })
