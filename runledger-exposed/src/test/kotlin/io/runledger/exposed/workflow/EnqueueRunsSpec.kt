package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobStage
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.Dependency
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.ReleaseMode
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import java.sql.Connection
import java.time.Duration
import java.util.UUID

class EnqueueRunsSpec :
    FunSpec({
        val flow = flow()
        val acme = UUID.fromString("0199c000-0000-7000-8000-000000000001")
        val other = UUID.fromString("0199c000-0000-7000-8000-000000000002")

        fun keyed(key: String, steps: WorkflowRequest.Builder.() -> Unit = { work("a") }) = workflow {
            steps()
            idempotencyKey(key)
        }

        fun snapshot(run: UUID) = flow.ledger.value("SELECT enqueue_request FROM runledger.workflow_runs WHERE id = '$run'")

        test("what is kept of a request is sorted, with effective organizations and stages, and the settings as asked for") {
            flow.ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('orders.ship'), ('orders.pay')")
            val request = WorkflowRequest.builder("orders.fulfil").apply {
                organization(acme)
                idempotencyKey("order:42:fulfil")
                metadata(Json.of("""{"source": "shop"}"""))
                job("ship") {
                    it.runs("orders.ship", Json.of("""{"order": 42}""")).organization(other).priority(5).maxAttempts(3)
                        .timeout(Duration.ofSeconds(60)).stage(JobStage.SCHEDULED)
                        .after(Upstream.named("pay"), Dependency("approve", ReleaseMode.ON_TERMINAL))
                }
                job("pay") { it.runs("orders.pay", Json.of("""{"order": 42}""")) }
                externalGate("approve") { it.payload(Json.of("""{"who": "ops"}""")) }
            }.build()

            val run = flow.start(request)

            flow.ledger.value(
                "SELECT enqueue_request = '$goldenSnapshot'::jsonb FROM runledger.workflow_runs WHERE id = '$run'",
            ) shouldBe "t"
        }

        test("a keyed request can be repeated, whatever became of the run or of its job type") {
            val first = flow.client.workflows.enqueue(keyed("again"))
            flow.finish("a")
            flow.ledger.run("UPDATE runledger.job_definitions SET is_enabled = false WHERE job_type = '${Flow.TYPE}'")
            val jobs = flow.jobs()

            val second = flow.client.workflows.enqueue(keyed("again"))

            flow.ledger.run("UPDATE runledger.job_definitions SET is_enabled = true WHERE job_type = '${Flow.TYPE}'")
            second.runId() shouldBe first.runId()
            second.disposition() shouldBe Disposition.EXISTING
            second.status().isTerminal shouldBe true
            flow.jobs() shouldBe jobs
        }

        test("a key belongs to one organization, or to none, and to one type") {
            val global = flow.client.workflows.enqueue(keyed("mine")).runId()
            val owned = flow.client.workflows.enqueue(keyed("mine").withOrganization(acme))
            val foreign = WorkflowRequest.builder("test.other").apply {
                work("a")
                idempotencyKey("mine")
            }.build()

            owned.isNew shouldBe true
            flow.client.workflows.enqueue(keyed("mine").withOrganization(acme)).runId() shouldBe owned.runId()
            flow.client.workflows.enqueue(foreign).isNew shouldBe true
            owned.runId() shouldNotBe global
        }

        test("without a key every call starts a run") {
            flow.start { gate("g") } shouldNotBe flow.start { gate("g") }
        }

        test("another request under the key is a conflict that keeps the key to itself") {
            flow.client.workflows.enqueue(keyed("secret-key"))

            val refusal = shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT) {
                flow.client.workflows.enqueue(keyed("secret-key") { work("a") { payload(Json.of("1")) } })
            }

            refusal.message!! shouldNotContain "secret-key"
            refusal.toString() shouldNotContain "secret-key"
        }

        test("spelling of numbers, order of steps and of dependencies, and a stage that is the default make no difference") {
            val run = flow.client.workflows.enqueue(
                keyed("spelling") {
                    metadata(Json.of("""{"n": 1.0, "m": 2}"""))
                    work("a") { payload(Json.of("100")) }
                    work("b")
                    work("c", Upstream.named("a"), Upstream.named("b"))
                },
            ).runId()

            flow.client.workflows.enqueue(
                keyed("spelling") {
                    metadata(Json.of("""{"m": 2e0, "n": 1}"""))
                    work("c", Upstream.named("b"), Upstream.named("a")) { stage(JobStage.QUEUED) }
                    work("b")
                    work("a") { payload(Json.of("1e2")) }
                },
            ).runId() shouldBe run
        }

        test("an organization that is inherited equals the same one said aloud, a stated default does not equal an unstated one") {
            fun owned(build: JobStep.Builder.() -> Unit) = keyed("effective") { work("a", settings = build) }.withOrganization(acme)
            val run = flow.client.workflows.enqueue(owned { }).runId()

            flow.client.workflows.enqueue(owned { organization(acme) }).runId() shouldBe run
            shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT) { flow.client.workflows.enqueue(owned { priority(100) }) }
            shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT) {
                flow.client.workflows.enqueue(owned { stage(JobStage.SCHEDULED) })
            }
        }

        test("a request still matches after steps were appended or a payload was corrected") {
            val request = keyed("changed") {
                gate("window")
                work("a")
            }
            val run = flow.start(request)
            flow.client.workflows.append(
                Scope.global(),
                AppendRequest.builder(run, "m", "window").apply { work("b") }.build(),
            )
            flow.client.workflows.editPayload(Scope.global(), run, "a", Payload.json("7"), "typo")

            flow.client.workflows.enqueue(request).runId() shouldBe run
        }

        test("a key needs READ COMMITTED, a request without one takes any isolation") {
            flow.ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                connection.transactionIsolation = Connection.TRANSACTION_REPEATABLE_READ
                val joined = flow.client.within(connection)
                shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_ISOLATION) { joined.workflows.enqueue(keyed("isolated")) }
                joined.workflows.enqueue(workflow { work("a") }).isNew shouldBe true
                connection.rollback()
            }
        }

        test("equal requests at the same moment start one run") {
            repeat(ROUNDS) { round ->
                val answers = racing(8) { flow.client.workflows.enqueue(keyed("race$round")) }

                answers.count { it.isNew } shouldBe 1
                answers.map { it.runId() }.distinct().size shouldBe 1
            }
        }

        test("what a step does not say comes from its job type, what it says wins") {
            flow.ledger.run(
                "INSERT INTO runledger.job_definitions (job_type, default_priority, max_attempts, default_timeout_seconds) " +
                    "VALUES ('tuned', 7, 4, 30)",
            )
            val run = flow.start {
                job("plain") { it.runs("tuned", Json.NULL) }
                job("own") { it.runs("tuned", Json.NULL).priority(-3).maxAttempts(1).timeout(Duration.ofSeconds(5)) }
                gate("g")
            }

            flow.ledger.rows(
                "SELECT step_key, priority, max_attempts, timeout_seconds FROM runledger.workflow_steps " +
                    "WHERE workflow_run_id = '$run' ORDER BY ordinal",
            ).shouldContainExactly("plain|7|4|30", "own|-3|1|5", "g|||")
            flow.ledger.rows(
                "SELECT q.priority, q.max_attempts, q.timeout_seconds, q.payload FROM runledger.job_queue q JOIN " +
                    "runledger.workflow_steps s ON s.job_id = q.id WHERE s.workflow_run_id = '$run' ORDER BY s.ordinal",
            ).shouldContainExactly("7|4|30|null", "-3|1|5|null")
        }

        test("a missing or disabled job type names the first step that needs it and writes nothing") {
            val before = flow.ledger.value("SELECT count(*) FROM runledger.workflow_runs")

            val refusal = shouldRefuse(ErrorCode.WORKFLOW_DEFINITION_UNAVAILABLE) {
                flow.start {
                    work("fine")
                    job("first") { it.runs("nowhere", Json.NULL) }
                    job("second") { it.runs("elsewhere", Json.NULL) }
                }
            }

            refusal.message!! shouldContain "'first'"
            refusal.message!! shouldContain "'nowhere'"
            flow.ledger.value("SELECT count(*) FROM runledger.workflow_runs") shouldBe before
        }

        test("a refusal inside a joined call leaves the caller's transaction usable, and its rollback takes the run along") {
            val jobs = flow.jobs()
            flow.ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                val joined = flow.client.within(connection)
                shouldRefuse(ErrorCode.WORKFLOW_DEFINITION_UNAVAILABLE) {
                    joined.workflows.enqueue(workflow { job("x") { it.runs("nowhere", Json.NULL) } })
                }
                val run = joined.workflows.enqueue(workflow { work("a") }).runId()
                flow.ledger.rows("SELECT id FROM runledger.workflow_runs WHERE id = '$run'").shouldBeEmpty()
                connection.rollback()
            }
            flow.jobs() shouldBe jobs
        }

        test("an active key needs the call made for it, and that call needs an active key") {
            shouldRefuse(ErrorCode.ACTIVE_KEY_API_REQUIRED) {
                flow.start {
                    work("a")
                    activeKey("k")
                }
            }
            shouldRefuse(ErrorCode.ACTIVE_KEY_REQUIRED) { flow.client.workflows.enqueueUnlessActive(workflow { work("a") }) }
        }

        test("six hundred steps and 2,400 dependencies cost three statements, and so do a hundred runs at once") {
            val counting = CountingDataSource(flow.ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.workflows.enqueue(workflow { gate("first call") })
            val large = workflow {
                val steps = mutableListOf<Upstream>()
                repeat(600) { place -> steps += work("s$place", *steps.takeLast(4).toTypedArray()) }
            }
            var run: UUID? = null

            counting.count { run = client.workflows.enqueue(large).runId() } shouldBe 3
            counting.count { client.workflows.enqueueAll(List(100) { workflow { work("b", work("a")) } }) } shouldBe 3

            flow.ledger.rows(
                "SELECT count(*), sum(dependency_count_total), count(job_id) FROM runledger.workflow_steps " +
                    "WHERE workflow_run_id = '$run'",
            ).shouldContainExactly("600|2390|1")
            flow.contradictions().shouldBeEmpty()
            snapshot(run!!) shouldContain "s599"
        }

        test("keys outside the basic plane are sorted by their bytes, as other implementations do") {
            val run = flow.start {
                work("\uD83D\uDE00")
                work("\uFB00")
                work("\"quoted\\\"")
            }

            flow.ledger.value(
                "SELECT (enqueue_request->'steps'->0->>'step_key') = E'\"quoted\\\\\"' AND enqueue_request->'steps'->1->>'step_key' = " +
                    "U&'\\FB00' FROM runledger.workflow_runs WHERE id = '$run'",
            ) shouldBe "t"
        }
    })

private const val ROUNDS = 100

private val goldenSnapshot = """
    {"metadata": {"source": "shop"}, "steps": [
      {"step_key": "approve", "execution_kind": "EXTERNAL", "job_type": null, "payload": {"who": "ops"},
       "organization_id": "0199c000-0000-7000-8000-000000000001",
       "priority": null, "max_attempts": null, "timeout_seconds": null, "stage": null, "dependencies": []},
      {"step_key": "pay", "execution_kind": "JOB", "job_type": "orders.pay", "payload": {"order": 42},
       "organization_id": "0199c000-0000-7000-8000-000000000001",
       "priority": null, "max_attempts": null, "timeout_seconds": null, "stage": "queued", "dependencies": []},
      {"step_key": "ship", "execution_kind": "JOB", "job_type": "orders.ship", "payload": {"order": 42},
       "organization_id": "0199c000-0000-7000-8000-000000000002",
       "priority": 5, "max_attempts": 3, "timeout_seconds": 60, "stage": "scheduled",
       "dependencies": [{"prerequisite_step_key": "approve", "release_mode": "ON_TERMINAL"},
                        {"prerequisite_step_key": "pay", "release_mode": "ON_SUCCESS"}]}]}
""".trimIndent()
