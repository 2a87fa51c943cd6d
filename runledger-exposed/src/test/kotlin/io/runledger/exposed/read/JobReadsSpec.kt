package io.runledger.exposed.read

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
import io.runledger.exposed.counting
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobQuery
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class JobReadsSpec :
    FunSpec({
        val acme = UUID.randomUUID()
        val everything = Scope.everything()

        test("a job comes back as it was enqueued") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue(payload = """{"n": 1}""") {
                organization(acme)
                priority(7)
                timeout(Duration.ofSeconds(90))
                idempotencyKey("k")
                stage(JobStage.SCHEDULED)
            }

            val job = ledger.client.jobs.get(Scope.organization(acme), id)

            job.organizationId() shouldBe acme
            job.status() shouldBe JobStatus.PENDING
            job.priority() shouldBe 7
            job.timeout() shouldBe Duration.ofSeconds(90)
            job.initialStage() shouldBe JobStage.SCHEDULED
            job.payload() shouldBe Json.of("""{"n": 1}""")
            job.progress() shouldBe Progress.NONE
            job.openAttempt().shouldBeNull()
            job.finishedAt().shouldBeNull()
        }

        test("a claimed job tells who is at it, a finished one what it returned") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val claimed = ledger.claim()

            val open = ledger.client.jobs.get(everything, id).openAttempt().shouldNotBeNull()
            open.lease() shouldBe claimed.lease()
            open.leaseDuration() shouldBe Duration.ofSeconds(60)

            ledger.settle(claimed, Verdict.Succeed(Payload.json("42")).counting(Progress.of(3, 3)))

            val done = ledger.client.jobs.get(everything, id)
            done.output() shouldBe Json.of("42")
            done.progress() shouldBe Progress.of(3, 3)
            done.openAttempt().shouldBeNull()
            ledger.client.jobs.attempts(everything, id).single().workerId() shouldBe "w1"
        }

        test("each scope sees its own jobs and no others") {
            val ledger = freshLedger().define("t")
            val jobs = ledger.client.jobs
            val global = ledger.enqueue()
            val ours = ledger.enqueue { organization(acme) }
            val theirs = ledger.enqueue { organization(UUID.randomUUID()) }
            val visible = mapOf(
                Scope.global() to listOf(global),
                Scope.organization(acme) to listOf(ours),
                everything to listOf(global, ours, theirs),
            )

            visible.forEach { (scope, ids) ->
                for (id in listOf(global, ours, theirs)) {
                    val isSeen = id in ids
                    (jobs.find(scope, id) != null) shouldBe isSeen
                    jobs.events(scope, id).items().isNotEmpty() shouldBe isSeen
                    if (!isSeen) {
                        shouldRefuse(ErrorCode.JOB_NOT_FOUND) { jobs.get(scope, id) }
                        shouldRefuse(ErrorCode.JOB_NOT_FOUND) { jobs.story(scope, id) }
                        shouldRefuse(ErrorCode.JOB_NOT_FOUND) { jobs.why(scope, id) }
                    }
                }
                jobs.statuses(scope, listOf(global, ours, theirs)).keys shouldBe ids.toSet()
                jobs.list(scope).items().map { it.id() } shouldContainExactly ids.sortedDescending()
                jobs.counts(scope)[JobStatus.PENDING] shouldBe ids.size.toLong()
            }
        }

        test("attempts of a job outside the scope are not there") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue { organization(acme) }
            ledger.settle(ledger.claim(), Verdict.Succeed(null))

            ledger.client.jobs.attempts(Scope.global(), id).shouldBeEmpty()
            ledger.client.jobs.attempts(Scope.organization(acme), id).size shouldBe 1
        }

        test("a key finds the job of exactly its type and scope") {
            val ledger = freshLedger().define("t", "u")
            val jobs = ledger.client.jobs
            val global = ledger.enqueue { idempotencyKey("k") }
            val ours = ledger.enqueue {
                organization(acme)
                idempotencyKey("k")
            }

            jobs.findByKey(Scope.global(), "t", "k")?.id() shouldBe global
            jobs.findByKey(Scope.organization(acme), "t", "k")?.id() shouldBe ours
            jobs.findByKey(Scope.organization(UUID.randomUUID()), "t", "k").shouldBeNull()
            jobs.findByKey(Scope.global(), "u", "k").shouldBeNull()
            val refusal = shouldRefuse(ErrorCode.INVALID_ARGUMENT) { jobs.findByKey(everything, "t", "secret-key") }
            refusal.message.orEmpty() shouldNotContain "secret-key"
        }

        test("bulk statuses count repeated ids once and leave out missing ones") {
            val ledger = freshLedger().define("t")
            val ids = List(3) { ledger.enqueue() }
            ledger.settle(ledger.claim(), Verdict.Cancel("no"))

            val statuses = ledger.client.jobs.statuses(everything, ids + ids + UUID.randomUUID())

            statuses shouldContainExactly
                mapOf(ids[0] to JobStatus.CANCELED, ids[1] to JobStatus.PENDING, ids[2] to JobStatus.PENDING)
        }

        test("live states are counted, zeros included, ended jobs are not") {
            val ledger = freshLedger().define("t")
            repeat(4) { ledger.enqueue() }
            ledger.settle(ledger.claim(), Verdict.Succeed(null))
            val failure = JobFailure.terminal("x.broken", null)
            ledger.settle(ledger.claim(), Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE))
            ledger.claim()

            ledger.client.jobs.counts(Scope.global()) shouldContainExactly
                mapOf(JobStatus.PENDING to 1L, JobStatus.LEASED to 1L, JobStatus.DEAD_LETTERED to 1L)
            ledger.client.jobs.counts(Scope.organization(acme)).values.toSet() shouldBe setOf(0L)
        }

        test("what cannot be asked is refused before the database is touched") {
            val ledger = freshLedger()
            val source = Watched(ledger.dataSource)
            val jobs = RunledgerClient.create(source).jobs
            val id = UUID.randomUUID()

            shouldRefuse(ErrorCode.INVALID_PAGINATION) { jobs.events(everything, id, 0) }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { jobs.events(everything, id, 1_001) }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { jobs.statuses(everything, List(1_001) { UUID.randomUUID() }) }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { jobs.list(everything, JobQuery.all().after("no cursor")) }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { jobs.list(everything, JobQuery.all().after("AAAA")) }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { JobQuery.builder().limit(0).build() }
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { JobQuery.builder().limit(1_001).build() }
            jobs.statuses(everything, emptyList()).shouldBeEmpty()

            source.statements shouldBe 0
        }

        test("a read inside a transaction sees what that transaction wrote") {
            val ledger = freshLedger().define("t")
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                val joined = ledger.client.within(connection).jobs
                val id = joined.enqueue(JobRequest.builder("t", Json.EMPTY_OBJECT).build()).id()

                joined.story(everything, id).job().id() shouldBe id
                ledger.client.jobs.find(everything, id).shouldBeNull()
                connection.rollback()
            }
        }
    })
