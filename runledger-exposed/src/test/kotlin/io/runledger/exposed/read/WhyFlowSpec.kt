package io.runledger.exposed.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.fleet.beat
import io.runledger.exposed.fleet.card
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.membership
import io.runledger.exposed.settle
import io.runledger.model.failure.JobFailure
import io.runledger.model.fleet.WorkerCard
import io.runledger.model.history.JobReason
import io.runledger.model.history.JobReason.Code
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobStatus
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.value.UuidV7
import java.time.Duration
import java.util.UUID

class WhyFlowSpec :
    FunSpec({
        val acme = UUID.randomUUID()
        val other = UUID.randomUUID()

        fun TestLedger.why(id: UUID, scope: Scope = Scope.everything()): List<JobReason> = client.jobs.why(scope, id)

        fun TestLedger.codes(id: UUID, scope: Scope = Scope.everything()) = why(id, scope).map { it.code() }

        /** A ledger with a live worker for all queues. */
        fun served(): TestLedger = freshLedger().define("mail").apply {
            client.membership.enter(card("w-listed"))
        }

        fun TestLedger.limit(name: String, permits: Int?, keyedBy: String = "NONE", rate: String = "NULL, NULL, NULL") = run(
            "INSERT INTO runledger.limits (name, permits, declared_permits, keyed_by, rate_count, rate_period_us, rate_burst) " +
                "VALUES ('$name', $permits, $permits, '$keyedBy', $rate)",
        )

        fun workerOf(vararg queues: String) =
            WorkerCard(UuidV7.next(), "w-queues", emptySet(), listOf("mail"), queues.toSet(), 8, "1", null, "pod", 1, beat)

        test("a due job without anything before it waits for a free worker, whatever its flow") {
            val ledger = served()
            ledger.limit("api", 2)
            val id = ledger.enqueue {
                limit("api")
                queue("imports")
                orderKey("42")
                shareKey("acme")
            }.id()

            ledger.codes(id) shouldContainExactly listOf(Code.READY)
            val flow = ledger.client.jobs.get(Scope.everything(), id).flow()
            flow.queue() shouldBe "imports"
            flow.limitKeys() shouldContainExactly listOf("api")
            flow.orderKey() shouldBe "mail:42"
            flow.shareKey() shouldBe "acme"
            ledger.client.jobs.list(Scope.everything()).items().single().flow() shouldBe flow
        }

        test("a limit whose permits are in use is named with the jobs that hold them, at most ten") {
            val ledger = served()
            ledger.limit("api", 12)
            val running = List(12) { ledger.enqueue { limit("api") }.id() }
            ledger.claim() shouldHaveSize 12
            val id = ledger.enqueue { limit("api") }.id()

            val why = ledger.why(id).single()

            why.code() shouldBe Code.LIMIT_REACHED
            why.jobs() shouldHaveSize JobReason.MOST_JOBS
            running.containsAll(why.jobs().map { it.id() }) shouldBe true
            val lease = ledger.client.jobs.get(Scope.everything(), why.jobs().first().id()).openAttempt()!!
            why.jobs().first() shouldBe
                JobReason.AwaitedJob(why.jobs().first().id(), JobStatus.LEASED, "w1", lease.leaseExpiresAt())
            why.sentence() shouldContain "All 12 permits of the limit 'api' are in use: job ${why.jobs().first().id()} runs on worker " +
                "'w1' with a lease until ${lease.leaseExpiresAt()}; job"
            why.sentence() shouldContain "; others."
        }

        test("of the jobs that hold a limit, an organization learns its own, and that there are others") {
            val ledger = served()
            ledger.limit("api", 2)
            val own = ledger.enqueue {
                limit("api")
                organization(acme)
            }.id()
            val foreign = ledger.enqueue {
                limit("api")
                organization(other)
            }.id()
            ledger.claim() shouldHaveSize 2
            val id = ledger.enqueue {
                limit("api")
                organization(acme)
            }.id()

            val why = ledger.why(id, Scope.organization(acme)).single()

            why.jobs().map { it.id() } shouldContainExactly listOf(own)
            why.sentence() shouldContain "; others."
            why.sentence() shouldNotContain foreign.toString()
            ledger.why(id).single().jobs().map { it.id() } shouldContainExactlyInAnyOrder listOf(own, foreign)
        }

        test("a limit that only another organization's job holds names no job") {
            val ledger = served()
            ledger.limit("api", 1)
            ledger.enqueue {
                limit("api")
                organization(other)
            }
            ledger.claim() shouldHaveSize 1
            val id = ledger.enqueue {
                limit("api")
                organization(acme)
            }.id()

            val why = ledger.why(id, Scope.organization(acme)).single()

            why.jobs().shouldBeEmpty()
            why.sentence() shouldBe "The permit of the limit 'api' is in use: a job outside this scope."
        }

        test("only the key of the job counts, and each limit that stops it is a reason") {
            val ledger = served()
            ledger.limit("api", 1)
            ledger.limit("customer", 1, "KEY")
            ledger.enqueue { limit("customer", "42") }
            ledger.enqueue { limit("customer", "7") }
            ledger.enqueue { limit("api") }
            ledger.claim() shouldHaveSize 3

            val both = ledger.why(ledger.enqueue { limit("customer", "42").limit("api") }.id())
            val free = ledger.enqueue { limit("customer", "43") }.id()

            both.map { it.code() } shouldContainExactly listOf(Code.LIMIT_REACHED, Code.LIMIT_REACHED)
            both.last().sentence() shouldContain "The permit of the limit 'customer' for key '42' is in use: job"
            ledger.codes(free) shouldContainExactly listOf(Code.READY)
        }

        test("a limit without permits says since when and, to operators, who took them away") {
            val ledger = served()
            ledger.limit("api", 5)
            val id = ledger.enqueue {
                limit("api")
                organization(acme)
            }.id()
            ledger.client.actingAs("ann").limits.changePermits("api", 0, "Maintenance.")
            ledger.client.actingAs("bob").limits.change("api", ledger.client.limits.get("api").inForce().withRate(null), "Again.")
            val change = ledger.client.limits.history("api").items().last()

            val why = ledger.why(id).single()

            why.code() shouldBe Code.LIMIT_PAUSED
            why.at() shouldBe change.changedAt()
            why.sentence() shouldBe "The limit 'api' has 0 permits since ${change.changedAt()} by 'ann': give it permits."
            ledger.why(id, Scope.organization(acme)).single().sentence() shouldBe
                "The limit 'api' has 0 permits since ${change.changedAt()}: give it permits."
        }

        test("a paused queue says so until it is resumed") {
            val ledger = served()
            val id = ledger.enqueue { queue("imports") }.id()
            ledger.client.actingAs("ann").queues.pause("imports", "Maintenance.")

            val why = ledger.why(id).single()
            ledger.client.queues.resume("imports", "Done.")

            why.code() shouldBe Code.QUEUE_PAUSED
            why.sentence() shouldBe "The queue 'imports' is paused since ${why.at()} by 'ann': resume the queue."
            ledger.codes(id) shouldContainExactly listOf(Code.READY)
        }

        test("a spent rate says when the next job may begin: a claim at that time takes it") {
            val ledger = served()
            ledger.limit("api", null, rate = "10, 3600000000, 2")
            repeat(3) { ledger.enqueue { limit("api") } }
            ledger.claim() shouldHaveSize 3
            val id = ledger.enqueue { limit("api") }.id()

            val why = ledger.why(id).single()

            why.code() shouldBe Code.RATE_SPENT
            val spent = ledger.value("SELECT (spent_until - interval '12 minutes')::text FROM runledger.limit_keys")
            ledger.value("SELECT '${why.at()}'::timestamptz = '$spent'::timestamptz") shouldBe "t"
            why.sentence() shouldContain "the next job may begin at ${why.at()}"
            ledger.claim().shouldBeEmpty()
            // As if that time had come.
            ledger.run("UPDATE runledger.limit_keys SET spent_until = spent_until - ('${why.at()}'::timestamptz - now())")
            ledger.codes(id) shouldContainExactly listOf(Code.READY)
            ledger.claim().single().lease().jobId() shouldBe id
        }

        test("an order waits for the job that comes first: waiting, running, waiting for its retry, and dead") {
            val ledger = served()
            val first = ledger.enqueue { orderKey("42") }.id()
            ledger.enqueue { orderKey("42") }
            val id = ledger.enqueue { orderKey("42") }.id()
            ledger.enqueue { orderKey("43") }
            val order = "The order 'mail:42' waits for job $first, which"
            val ahead = "In the order, 2 jobs are before this job."

            fun held() = ledger.why(id).single().also { it.code() shouldBe Code.ORDER_HELD }

            held().sentence() shouldBe "$order waits itself. $ahead"
            val claimed = ledger.claim().single { it.lease().jobId() == first }
            val until = ledger.client.jobs.get(Scope.everything(), first).openAttempt()!!.leaseExpiresAt()
            held().sentence() shouldBe "$order runs on worker 'w1' with a lease until $until. $ahead"
            held().jobs().single() shouldBe JobReason.AwaitedJob(first, JobStatus.LEASED, "w1", until)
            ledger.settle(claimed, Verdict.Retry(JobFailure.retryable("x.busy", null), Duration.ofMinutes(5), null))
            val retryAt = ledger.client.jobs.get(Scope.everything(), first).nextRunAt()
            held().at() shouldBe retryAt
            held().sentence() shouldBe "$order waits for its retry at $retryAt. $ahead"
            ledger.run("UPDATE runledger.job_queue SET next_run_at = now() WHERE id = '$first'")
            val again = ledger.claim().single()
            ledger.settle(
                again,
                Verdict.DeadLetter(JobFailure.terminal("x.gone", null), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
            )
            held().sentence() shouldBe "$order is a dead letter: requeue it, replay it or delete it. $ahead"
            held().jobs().single() shouldBe JobReason.AwaitedJob(first, JobStatus.DEAD_LETTERED, null, null)
            ledger.run("UPDATE runledger.job_queue SET holds_order = false WHERE id = '$first'")
            ledger.why(id).single().sentence() shouldContain "which waits itself."
        }

        test("a job that runs out of turn holds the order too") {
            val ledger = served()
            val first = ledger.enqueue { orderKey("42") }.id()
            val later = ledger.enqueue { orderKey("42") }.id()
            ledger.run("UPDATE runledger.job_queue SET is_paused = true WHERE id = '$first'")
            ledger.why(later).single().sentence() shouldContain "is paused with its run."
            ledger.run(
                "UPDATE runledger.job_queue SET status = 'SUCCEEDED', finished_at = now() WHERE id = '$first'",
            )
            ledger.claim().single().lease().jobId() shouldBe later
            ledger.run("UPDATE runledger.job_queue SET status = 'PENDING', finished_at = NULL, is_paused = false WHERE id = '$first'")

            ledger.why(first).single().sentence() shouldContain "The order 'mail:42' waits for job $later, which runs on worker 'w1'"
        }

        test("of another organization's job that comes first, an organization learns only the state") {
            val ledger = served()
            val foreign = List(3) {
                ledger.enqueue {
                    orderKey("42")
                    organization(other)
                }.id()
            }
            val id = ledger.enqueue {
                orderKey("42")
                organization(acme)
            }.id()

            val why = ledger.why(id, Scope.organization(acme)).single()

            why.sentence() shouldBe "The order 'mail:42' waits for a job outside this scope, which waits itself."
            why.jobs().shouldBeEmpty()
            ledger.claim()
            ledger.why(id, Scope.organization(acme)).single().let {
                it.sentence() shouldBe "The order 'mail:42' waits for a job outside this scope, which runs."
                it.at() shouldBe null
            }
            ledger.why(id).single().jobs().single().id() shouldBe foreign.first()
        }

        test("a queue that no live worker serves says so, and one that a worker serves does not") {
            val ledger = freshLedger().define("mail")
            ledger.client.membership.enter(workerOf("default", "exports"))
            val imports = ledger.enqueue { queue("imports") }.id()
            val exports = ledger.enqueue { queue("exports") }.id()
            val plain = ledger.enqueue().id()

            val why = ledger.why(imports).single()
            why.code() shouldBe Code.QUEUE_UNSERVED
            why.sentence() shouldBe
                "No live worker that serves job type 'mail' serves queue 'imports': start a worker for that queue."
            ledger.codes(exports) shouldContainExactly listOf(Code.READY)
            ledger.codes(plain) shouldContainExactly listOf(Code.READY)
            ledger.client.workers.list().single().queues() shouldBe setOf("default", "exports")

            ledger.run("UPDATE runledger.workers SET queues = '{imports}'")
            ledger.codes(imports) shouldContainExactly listOf(Code.READY)
            ledger.why(plain).single().sentence() shouldContain "serves the default queue"
            ledger.run("UPDATE runledger.workers SET beat_at = now() - interval '1 day'")
            ledger.codes(imports) shouldContainExactly listOf(Code.NO_WORKER)
        }

        test("other shares with due jobs take turns, and an organization learns of those of its own jobs") {
            val ledger = served()
            listOf("a", "a", "b", "c").forEach { share ->
                ledger.enqueue {
                    shareKey(share)
                    organization(other)
                }
            }
            ledger.enqueue {
                shareKey("d")
                organization(acme)
            }
            val id = ledger.enqueue {
                shareKey("e")
                organization(acme)
            }.id()

            val why = ledger.why(id)
            why.map { it.code() } shouldContainExactly listOf(Code.SHARES_TAKE_TURNS, Code.READY)
            why.first().sentence() shouldBe "4 other shares of type 'mail' take turns with share 'e' of the job."
            ledger.why(id, Scope.organization(acme)).first().sentence() shouldBe
                "1 other share of type 'mail' takes turns with share 'e' of the job."
        }

        test("jobs of a higher priority and earlier ones of its flow group are counted, unless a limit stops the job") {
            val ledger = served()
            ledger.limit("api", 1)
            ledger.enqueue { priority(200) }
            ledger.enqueue {
                priority(200)
                queue("imports")
            }
            ledger.enqueue()
            repeat(2) { ledger.enqueue { limit("api") } }
            val id = ledger.enqueue { limit("api") }.id()
            ledger.enqueue { limit("api") }

            val why = ledger.why(id)
            why.map { it.code() } shouldContainExactly listOf(Code.JOBS_AHEAD, Code.READY)
            why.first().sentence() shouldBe
                "4 due jobs of type 'mail' are claimed before this job, unless their limits stop them."
            ledger.claim()
            ledger.codes(id) shouldContainExactly listOf(Code.LIMIT_REACHED)
        }

        test("jobs with flow do not count for a job without") {
            val ledger = served()
            repeat(3) {
                ledger.enqueue {
                    queue("imports")
                    priority(500)
                }
            }

            ledger.codes(ledger.enqueue().id()) shouldContainExactly listOf(Code.READY)
        }

        test("a bounded part of many jobs is read") {
            val ledger = served()
            ledger.limit("customer", 1, "KEY")
            ledger.run(
                """INSERT INTO runledger.job_queue (job_type, max_attempts, flow_group, limit_keys, order_key, order_position, share_key)
                    SELECT 'mail', 1, md5(n::text)::uuid, ARRAY['customer:' || n % 1000], 'mail:1', n, 's' || n FROM generate_series(1, 20000) n""",
                "UPDATE runledger.job_queue SET order_position = n.at FROM (SELECT id, row_number() OVER () AS at FROM runledger.job_queue) n " +
                    "WHERE n.id = job_queue.id",
                "VACUUM ANALYZE runledger.job_queue",
            )
            val last = ledger.value("SELECT id FROM runledger.job_queue ORDER BY order_position DESC LIMIT 1")
            val explaining = Explaining(ledger.dataSource)
            val client = RunledgerClient.create(explaining)

            val reason = client.jobs.why(Scope.everything(), UUID.fromString(last)).single()

            reason.sentence() shouldContain "at least 1000 jobs are before this job"
            val plans = explaining.plans.filter { "Scan" in it }
            plans shouldHaveSize 5
            plans.forEach { plan ->
                plan shouldNotContain "Seq Scan on job_queue"
                val total = checkNotNull(Regex("""Buffers: shared (.*)""").find(plan)).groupValues[1]
                val pages = Regex("""(?:hit|read)=(\d+)""").findAll(total).sumOf { it.groupValues[1].toInt() }
                // A thousand jobs before it, each of which may be on a page of its own.
                (pages <= 2_500) shouldBe true
            }
        }
    })
