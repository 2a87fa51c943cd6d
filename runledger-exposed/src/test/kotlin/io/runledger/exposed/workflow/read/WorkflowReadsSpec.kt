package io.runledger.exposed.workflow.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.read.Watched
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.error.ErrorCode
import io.runledger.model.history.MutationKind
import io.runledger.model.history.RecoveryMode
import io.runledger.model.history.StepEventType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.WorkflowQuery
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.StepKind
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.util.UUID

class WorkflowReadsSpec :
    FunSpec({
        val acme = UUID.randomUUID()
        val everything = Scope.everything()

        test("a run and its steps come back as they were asked for") {
            val flow = flow()
            val runs = flow.client.workflows
            val id = flow.start {
                organization(acme)
                idempotencyKey("k")
                metadata(Json.of("""{"customer": 42}"""))
                val first = work("first") {
                    priority(7)
                    maxAttempts(3)
                    timeout(Duration.ofSeconds(90))
                    delay(Duration.ofSeconds(5))
                    payload(Json.of("""{"n": 1}"""))
                    mayContinue()
                }
                gate("approval", first) { expiresAfter(Duration.ofHours(1), GateExpiry.CANCELED) }
                result(first)
            }

            val run = runs.get(Scope.organization(acme), id)
            run.workflowType() shouldBe "test.flow"
            run.organizationId() shouldBe acme
            run.status() shouldBe WorkflowRunStatus.RUNNING
            listOf(run.openSteps(), run.activeSteps(), run.waitingSteps(), run.errorSteps()) shouldContainExactly
                listOf(2, 1, 0, 0)
            run.metadata() shouldBe Json.of("""{"customer": 42}""")
            run.resultStepKey() shouldBe "first"
            run.enqueueRequest().shouldNotBeNull()
            run.finishedAt().shouldBeNull()

            val first = runs.findStep(everything, id, "first").shouldNotBeNull()
            first.kind() shouldBe StepKind.JOB
            first.status() shouldBe WorkflowStepStatus.ENQUEUED
            first.payload() shouldBe Json.of("""{"n": 1}""")
            first.gate().shouldBeNull()
            first.organizationId() shouldBe acme
            val job = first.job().shouldNotBeNull()
            listOf(job.priority(), job.maxAttempts()) shouldContainExactly listOf(7, 3)
            listOf(job.timeout(), job.delay()) shouldContainExactly listOf(Duration.ofSeconds(90), Duration.ofSeconds(5))
            job.continuable() shouldBe true

            val gate = runs.findStep(everything, id, "approval").shouldNotBeNull()
            gate.kind() shouldBe StepKind.EXTERNAL
            gate.job().shouldBeNull()
            gate.gate()?.expiresAfter() shouldBe Duration.ofHours(1)
            gate.gate()?.expiry() shouldBe GateExpiry.CANCELED
            gate.gate()?.expiresAt().shouldBeNull()
            listOf(gate.dependencies(), gate.pendingDependencies()) shouldContainExactly listOf(1, 1)
            runs.findStep(everything, id, "missing").shouldBeNull()
            shouldRefuse(ErrorCode.STEP_NOT_FOUND) { runs.getStep(everything, id, "missing") }
            shouldRefuse(ErrorCode.STEP_NOT_FOUND) { runs.getStep(Scope.organization(UUID.randomUUID()), id, "first") }
        }

        test("each scope sees its own runs, and the run's organization decides about its steps") {
            val flow = flow()
            val runs = flow.client.workflows
            fun WorkflowRequest.Builder.steps() {
                // A step of another organization is still a step of its run.
                val first = work("first") { organization(UUID.randomUUID()) }
                gate("open")
                work("last", first)
            }
            val global = flow.start { steps() }
            val ours = flow.start {
                organization(acme)
                steps()
            }
            val theirs = flow.start {
                organization(UUID.randomUUID())
                steps()
            }
            val all = listOf(global, ours, theirs)
            val jobs = all.associateWith { runs.getStep(everything, it, "first").job()!!.jobId()!! }
            val visible = mapOf(
                Scope.global() to listOf(global),
                Scope.organization(acme) to listOf(ours),
                Scope.organization(UUID.randomUUID()) to emptyList(),
                everything to all,
            )

            visible.forEach { (scope, ids) ->
                for (id in all) {
                    val isSeen = id in ids
                    (runs.find(scope, id) != null) shouldBe isSeen
                    (runs.findStep(scope, id, "first") != null) shouldBe isSeen
                    (runs.findByJob(scope, jobs.getValue(id))?.id() == id) shouldBe isSeen
                    runs.steps(scope, id).items().size shouldBe if (isSeen) 3 else 0
                    runs.allSteps(scope, id).size shouldBe if (isSeen) 3 else 0
                    runs.stepCounts(scope, id).values.sum() shouldBe if (isSeen) 3 else 0
                    runs.stepTotals(scope, listOf(id)) shouldBe if (isSeen) mapOf(id to 3L) else emptyMap()
                    runs.dependencies(scope, id).items().size shouldBe if (isSeen) 1 else 0
                    runs.events(scope, id).items().isNotEmpty() shouldBe isSeen
                    if (!isSeen) {
                        shouldRefuse(ErrorCode.RUN_NOT_FOUND) { runs.get(scope, id) }
                        shouldRefuse(ErrorCode.RUN_NOT_FOUND) { runs.story(scope, id) }
                        shouldRefuse(ErrorCode.RUN_NOT_FOUND) { runs.lineage(scope, id) }
                    }
                }
                runs.list(scope).items().map { it.id() } shouldContainExactly ids.sortedDescending()
                runs.count(scope) shouldBe ids.size.toLong()
                runs.findLatest(scope, "test.flow")?.id() shouldBe ids.maxOrNull()
                runs.openGates(scope, 10).items().map { it.runId() } shouldContainExactly ids
            }
        }

        test("a key finds the run of exactly its type and scope") {
            val flow = flow()
            val runs = flow.client.workflows
            val global = flow.start {
                idempotencyKey("k")
                work("a")
            }
            val ours = flow.start {
                organization(acme)
                idempotencyKey("k")
                work("a")
            }

            runs.findByKey(Scope.global(), "test.flow", "k")?.id() shouldBe global
            runs.findByKey(Scope.organization(acme), "test.flow", "k")?.id() shouldBe ours
            runs.findByKey(Scope.organization(UUID.randomUUID()), "test.flow", "k").shouldBeNull()
            runs.findByKey(Scope.global(), "other", "k").shouldBeNull()
            val refusal = shouldRefuse(ErrorCode.INVALID_ARGUMENT) { runs.findByKey(everything, "test.flow", "secret-key") }
            refusal.message.orEmpty() shouldNotContain "secret-key"
        }

        test("an active key tells which run holds it, in exactly its scope") {
            val flow = flow()
            val runs = flow.client.workflows
            val id = runs.enqueueUnlessActive(
                workflow {
                    organization(acme)
                    activeKey("nightly")
                    work("a")
                },
            ).runId()

            val claim = runs.findActiveClaim(Scope.organization(acme), "nightly").shouldNotBeNull()
            claim.runId() shouldBe id
            claim.scope() shouldBe Scope.organization(acme)
            claim.releasePending() shouldBe false
            runs.findActiveClaim(Scope.global(), "nightly").shouldBeNull()
            runs.findActiveClaim(Scope.organization(acme), "weekly").shouldBeNull()
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { runs.findActiveClaim(everything, "nightly") }
        }

        test("steps tell what happened to them, in order and page by page") {
            val flow = flow()
            val runs = flow.client.workflows
            val id = flow.start {
                val a = work("a")
                work("b", a)
            }
            flow.finish("a")

            val told = runs.events(everything, id).items()
            told.map { "${it.stepKey()} ${it.type()}" } shouldContainExactly listOf(
                "a ${StepEventType.CREATED}",
                "b ${StepEventType.CREATED}",
                "a ${StepEventType.RELEASED}",
                "a ${StepEventType.STARTED}",
                "a ${StepEventType.SUCCEEDED}",
                "b ${StepEventType.RELEASED}",
            )
            told.map { it.number() } shouldContainExactly (1L..6L).toList()
            runs.events(everything, id, 3, told[1].cursor()).items() shouldContainExactly told.slice(2..4)
            runs.events(everything, id, after = told[5].cursor()).items().shouldBeEmpty()
            runs.events(everything, id, 3).next() shouldBe told[2].cursor()
            runs.events(everything, id, 6).next().shouldBeNull()
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { runs.events(everything, id, after = "not a cursor") }
            runs.stepCounts(everything, id) shouldContainExactly
                mapOf(WorkflowStepStatus.ENQUEUED to 1L, WorkflowStepStatus.SUCCEEDED to 1L)
        }

        test("appends are told with what was asked for") {
            val flow = flow()
            val runs = flow.client.workflows
            val id = flow.start { gate("window") }
            val append = AppendRequest.builder(id, "more-1", "window").metadata(Json.of("""{"by": "me"}"""))
            append.work("extra", Upstream.named("window"))
            runs.append(everything, append.build())

            val mutation = runs.mutations(Scope.global(), id).single()
            mutation.kind() shouldBe MutationKind.APPEND_STEPS
            mutation.mutationKey() shouldBe "more-1"
            mutation.metadata() shouldBe Json.of("""{"by": "me"}""")
            runs.mutations(Scope.organization(acme), id).shouldBeEmpty()
            runs.allSteps(everything, id).map { it.stepKey() } shouldContainExactly listOf("window", "extra")
        }

        test("a recovery is told from both its ends") {
            val flow = flow()
            val runs = flow.client.workflows
            val source = flow.start {
                idempotencyKey("k")
                work("a")
            }
            runs.lineage(everything, source).let {
                it.recoveredFrom().shouldBeNull()
                it.recoveries().shouldBeEmpty()
            }
            flow.fail(flow.claim().getValue("a"))
            val again = List(2) { runs.recover(everything, RecoveryRequest.of(source, "r$it", "it broke")).runId() }

            val lineage = runs.lineage(Scope.global(), source)
            lineage.recoveredFrom().shouldBeNull()
            lineage.recoveries().map { it.recoveryRunId() } shouldContainExactly again
            val from = runs.lineage(everything, again[0]).recoveredFrom().shouldNotBeNull()
            listOf(from.sourceRunId(), from.mode(), from.requestKey(), from.reason()) shouldContainExactly
                listOf(source, RecoveryMode.FULL_REPLAY, "r0", "it broke")
        }

        test("what cannot be asked is refused before the database is touched") {
            val source = Watched(flow().ledger.dataSource)
            val runs = RunledgerClient.create(source).workflows
            val id = UUID.randomUUID()
            val calls = listOf<(Int) -> Unit>(
                { runs.events(everything, id, it) },
                { runs.steps(everything, id, it) },
                { runs.dependencies(everything, id, it) },
                { runs.openGates(everything, it) },
                { runs.list(everything, WorkflowQuery.builder().limit(it).build()) },
            )
            for (limit in listOf(0, -1, 1_001)) {
                calls.forEach { call -> shouldRefuse(ErrorCode.INVALID_PAGINATION) { call(limit) } }
            }
            for (cursor in listOf("no cursor", "AAAA", "")) {
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { runs.steps(everything, id, 1, cursor) }
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { runs.dependencies(everything, id, 1, cursor) }
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { runs.openGates(everything, 1, cursor) }
                shouldRefuse(ErrorCode.INVALID_PAGINATION) { runs.list(everything, WorkflowQuery.all().after(cursor)) }
            }

            source.statements shouldBe 0
        }

        test("what is not there is empty") {
            val runs = flow().client.workflows
            val id = UUID.randomUUID()

            runs.find(everything, id).shouldBeNull()
            runs.findLatest(everything, "test.flow").shouldBeNull()
            runs.findByJob(everything, id).shouldBeNull()
            runs.allSteps(everything, id).shouldBeEmpty()
            runs.stepCounts(everything, id).shouldBeEmpty()
            runs.stepTotals(everything, listOf(id)).shouldBeEmpty()
            runs.stepTotals(everything, emptyList()).shouldBeEmpty()
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { runs.stepTotals(everything, List(1_001) { UUID.randomUUID() }) }
            runs.mutations(everything, id).shouldBeEmpty()
            runs.openGates(everything, 1).items().shouldBeEmpty()
            runs.count(everything) shouldBe 0
        }
    })
