package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.makeDue
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Duration
import java.time.Instant
import java.util.UUID

class ClaimFlowSpec :
    FunSpec({
        val succeed = Verdict.Succeed(null)

        /** [rate] as count, period in microseconds and burst. */
        fun TestLedger.limit(name: String, permits: Int? = null, keyedBy: String = "NONE", rate: String = "NULL, NULL, NULL") =
            run(
                "INSERT INTO runledger.limits (name, permits, keyed_by, rate_count, rate_period_us, rate_burst) " +
                    "VALUES ('$name', $permits, '$keyedBy', $rate)",
            )

        fun List<ClaimedJob>.ids() = map { it.lease().jobId() }

        /** What a claim says of the jobs with flow that it has left: null if it says nothing. */
        fun TestLedger.waiting(request: ClaimRequest): Pair<List<ClaimedJob>, Duration?> {
            var waiting: Duration? = null
            val jobs = client.leases.claim(request, {}, { waiting = it.orElse(Duration.ofDays(1)) })
            return jobs to waiting
        }

        context("permits") {
            test(
                "no more jobs of a limit are leased than it has permits, whatever their types, and an ended job frees its permit",
            ) {
                val ledger = freshLedger().apply { define("mail", "crawl") }
                ledger.limit("api", permits = 3)
                repeat(4) { ledger.enqueue { limit("api") } }
                repeat(4) { ledger.enqueue("crawl") { limit("api") } }
                val plain = ledger.enqueue()

                val first = ledger.claim("mail", "crawl")
                first shouldHaveSize 4
                first.ids().count { it == plain.id() } shouldBe 1
                ledger.claim("mail", "crawl").shouldBeEmpty()
                ledger.settle(first.first { it.lease().jobId() != plain.id() }, succeed)
                ledger.claim("mail", "crawl") shouldHaveSize 1
                ledger.claim("mail", "crawl").shouldBeEmpty()
            }

            test("a limit by key has its permits for each key, and a job needs those of all its limits") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("api", permits = 3)
                ledger.limit("customer", permits = 1, keyedBy = "KEY")
                listOf("a", "a", "b", "b", "c", "d").forEach { key -> ledger.enqueue { limit("api").limit("customer", key) } }

                val first = ledger.claim()
                first shouldHaveSize 3
                ledger.rows("SELECT limit_keys[2] FROM runledger.job_queue WHERE status = 'LEASED'").distinct() shouldHaveSize 3
                first.forEach { ledger.settle(it, succeed) }
                ledger.claim() shouldHaveSize 3
            }

            test("a job that waits for its retry holds no permit, and neither does one whose lease was reaped") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("api", permits = 1)
                val jobs = List(3) { ledger.enqueue { limit("api") }.id() }
                val failed = ledger.claim().single()
                ledger.settle(failed, Verdict.Retry(JobFailure.retryable("x", "x"), Duration.ofHours(1), null))
                val lost = ledger.claim().single()
                ledger.run(
                    "UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 minute' WHERE status = 'LEASED'",
                )
                ledger.claim().shouldBeEmpty()
                ledger.client.leases.reap(10, Duration.ofHours(1)) shouldHaveSize 1
                ledger.claim().ids() shouldContainExactly (jobs - failed.lease().jobId() - lost.lease().jobId())
            }

            test("no permits stop the jobs, and permits that a limit gets later let them run") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("api", permits = 0)
                repeat(3) { ledger.enqueue { limit("api") } }
                ledger.claim().shouldBeEmpty()
                ledger.run("UPDATE runledger.limits SET permits = 2")
                ledger.claim() shouldHaveSize 2
            }

            test("many keys: each claim takes as many as it wants, one job of each key") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("customer", permits = 1, keyedBy = "KEY")
                ledger.client.jobs.enqueueAll(
                    (0 until 900).map {
                        JobRequest.builder("mail", Json.EMPTY_OBJECT).limit("customer", "c${it % 300}").build()
                    },
                )
                ledger.claim(limit = 200) shouldHaveSize 200
                ledger.claim(limit = 200) shouldHaveSize 100
                ledger.claim(limit = 200).shouldBeEmpty()
            }
        }

        test("two claims that use each other's new keys do not wait in a circle") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.limit("customer", permits = 1, keyedBy = "KEY")
            listOf("a", "b").forEach { key -> repeat(2) { ledger.enqueue { limit("customer", key) } } }
            val (first, second) = List(2) { ledger.dataSource.connection.apply { autoCommit = false } }
            fun use(session: Connection, key: String) = session.createStatement().use {
                it.execute("INSERT INTO runledger.limit_keys (limit_key) VALUES ('customer:$key')")
            }
            use(first, "a")
            use(second, "b")
            // Both keys are being made elsewhere, and neither is waited for long.
            ledger.claim().shouldBeEmpty()
            first.commit()
            ledger.claim() shouldHaveSize 1
            second.rollback()
            ledger.claim() shouldHaveSize 1
            listOf(first, second).forEach { it.close() }
        }

        context("rates") {
            test("no more jobs begin than the burst and one allow at once, and the claim says when the next one may") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("api", rate = "10, 3600000000, 2")
                repeat(6) { ledger.enqueue { limit("api") } }
                ledger.claim() shouldHaveSize 3
                val (jobs, retryIn) = ledger.waiting(ClaimRequest.of(listOf("mail"), "w1", lease, 10))
                jobs.shouldBeEmpty()
                retryIn.shouldNotBeNull() shouldBeLessThanOrEqualTo Duration.ofMinutes(6)
                retryIn shouldBeGreaterThan Duration.ofMinutes(5)
                ledger.run("UPDATE runledger.limit_keys SET spent_until = spent_until - interval '6 minutes'")
                ledger.claim() shouldHaveSize 1
                ledger.claim().shouldBeEmpty()
            }

            test("an ended job gives its place in the period to no other") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("api", rate = "1, 3600000000, 0")
                repeat(2) { ledger.enqueue { limit("api") } }
                ledger.settle(ledger.claim().single(), succeed)
                ledger.claim().shouldBeEmpty()
            }
        }

        context("order") {
            test("jobs of one order run one after another, in the order of their commits, whatever their priority and time") {
                val ledger = freshLedger().apply { define("mail") }
                val early = ledger.dataSource.connection
                early.autoCommit = false
                fun request(priority: Int) =
                    JobRequest.builder("mail", Json.EMPTY_OBJECT).orderKey("7").priority(priority).build()
                val committedLast = ledger.client.within(early).jobs.enqueue(request(300)).id()
                val first = ledger.client.jobs.enqueue(request(1)).id()
                val second = ledger.client.jobs.enqueue(request(200)).id()
                early.commit()
                early.close()
                val other = ledger.enqueue { orderKey("8") }.id()

                val begun = ledger.claim()
                begun.ids() shouldContainExactlyInAnyOrder listOf(first, other)
                ledger.settle(begun.single { it.lease().jobId() == first }, succeed)
                val next = ledger.claim().single()
                next.lease().jobId() shouldBe second
                ledger.settle(next, succeed)
                ledger.claim().ids() shouldContainExactly listOf(committedLast)
            }

            test("jobs of one call have the order of its list, also those of several types") {
                val ledger = freshLedger().apply { define("mail", "crawl") }
                ledger.run("""UPDATE runledger.job_definitions SET flow = '{"order": {"name": "o", "by": "KEY"}}'""")
                val types = List(20) { listOf("mail", "crawl", "crawl")[it % 3] }
                val requests = types.map { JobRequest.builder(it, Json.EMPTY_OBJECT).orderKey("7").build() }
                val jobs = ledger.client.jobs.enqueueAll(requests).map { it.id() }
                ledger.rows("SELECT id FROM runledger.job_queue ORDER BY order_position") shouldContainExactly jobs.map { "$it" }
            }

            test("a retry that waits holds the jobs behind it, and so does a dead letter until it is canceled") {
                val ledger = freshLedger().apply { define("mail") }
                val (first, second) = List(2) { ledger.enqueue { orderKey("7") }.id() }
                ledger.settle(ledger.claim().single(), Verdict.Retry(JobFailure.retryable("x", "x"), Duration.ofHours(1), null))
                ledger.claim().shouldBeEmpty()
                ledger.makeDue(first)
                val again = ledger.claim().single()
                again.lease().jobId() shouldBe first
                ledger.settle(
                    again,
                    Verdict.DeadLetter(JobFailure.terminal("x", "x"), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
                )
                ledger.claim().shouldBeEmpty()
                ledger.run("UPDATE runledger.job_queue SET status = 'CANCELED' WHERE id = '$first'")
                ledger.claim().ids() shouldContainExactly listOf(second)
            }

            test("an operator lets the jobs behind a dead letter go on, and only those of a dead letter") {
                val ledger = freshLedger().apply { define("mail") }
                val (first, second) = List(2) { ledger.enqueue { orderKey("7") }.id() }
                shouldRefuse(ErrorCode.JOB_STATE) { ledger.client.jobs.releaseOrder(Scope.everything(), first, "broken") }
                ledger.settle(
                    ledger.claim().single(),
                    Verdict.DeadLetter(JobFailure.terminal("x", "x"), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
                )
                val ours = ledger.client.actingAs("ada")
                shouldRefuse(ErrorCode.JOB_NOT_FOUND) {
                    ours.jobs.releaseOrder(Scope.organization(UUID.randomUUID()), first, "broken")
                }
                repeat(2) {
                    ours.jobs.releaseOrder(Scope.everything(), first, "broken").status() shouldBe JobStatus.DEAD_LETTERED
                }
                ledger.claim().ids() shouldContainExactly listOf(second)
                ledger.rows("SELECT action, actor, changed FROM runledger.operator_actions ORDER BY id") shouldContainExactly
                    listOf("job.release_order|ada|1", "job.release_order|ada|0")
            }

            test("if the type says so, a dead letter holds none") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.run("""UPDATE runledger.job_definitions SET flow = '{"order": {"by": "KEY", "holds": false}}'""")
                val second = List(2) { ledger.enqueue { orderKey("7") }.id() }.last()
                ledger.settle(
                    ledger.claim().single(),
                    Verdict.DeadLetter(JobFailure.terminal("x", "x"), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
                )
                ledger.claim().ids() shouldContainExactly listOf(second)
            }
        }

        context("shares") {
            test("the shares of a type take turns: a single job waits for one round, not for a backlog") {
                val ledger = freshLedger().apply { define("mail") }
                fun requests(share: String, count: Int) =
                    List(count) { JobRequest.builder("mail", Json.EMPTY_OBJECT).shareKey(share).build() }
                ledger.client.jobs.enqueueAll(requests("large", 500))
                val single = ledger.client.jobs.enqueueAll(requests("small", 1)).single().id()
                ledger.claim(limit = 10).ids().contains(single) shouldBe true
                // And with one place for each claim, within two claims.
                val another = ledger.client.jobs.enqueueAll(requests("other", 1)).single().id()
                val worker = ledger.client.leases
                val one = ClaimRequest.of(listOf("mail"), "w1", lease, 1)
                List(2) { worker.claim(one).single().lease().jobId() }.contains(another) shouldBe true
                ledger.claim(limit = 1_000) shouldHaveSize 500 + 2 - 12
            }

            test("a share has as many parts as its weight") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.run("INSERT INTO runledger.share_weights VALUES ('mail', 'gold', 3)")
                listOf("gold", "silver").forEach { share ->
                    ledger.client.jobs.enqueueAll(
                        List(100) {
                            JobRequest.builder("mail", Json.EMPTY_OBJECT).shareKey(share).build()
                        },
                    )
                }
                repeat(4) { ledger.claim(limit = 10) }
                val gold = ledger.value(
                    "SELECT count(*) FROM runledger.job_queue WHERE status = 'LEASED' AND share_key = 'gold'",
                ).toInt()
                gold shouldBeInRange 28..32
            }
        }

        context("queues") {
            test("a worker gets the jobs of its queues, with and without the default one") {
                val ledger = freshLedger().apply { define("mail") }
                val imported = ledger.enqueue { queue("imports") }.id()
                val exported = ledger.enqueue { queue("exports") }.id()
                val plain = ledger.enqueue().id()
                fun claim(vararg queues: String) =
                    ledger.client.leases.claim(ClaimRequest.of(listOf("mail"), "w1", lease, 10).withQueues(queues.toSet())).ids()
                claim("imports") shouldContainExactly listOf(imported)
                claim("default") shouldContainExactly listOf(plain)
                ledger.claim().ids() shouldContainExactly listOf(exported)
            }
        }

        context("beside jobs without flow") {
            test("priorities count for both, and at equal priority each kind has half of the places") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("api", permits = 100)
                val urgent = ledger.enqueue { limit("api").priority(200) }.id()
                repeat(20) { ledger.enqueue { limit("api") } }
                repeat(20) { ledger.enqueue() }
                // The first claim learns that there are jobs with flow.
                val worker = ledger.client.leases
                fun claim(limit: Int) = worker.claim(ClaimRequest.of(listOf("mail"), "w1", lease, limit))
                claim(1)
                claim(1).ids() shouldContainExactly listOf(urgent)
                repeat(2) { claim(10) shouldHaveSize 10 }
                val begun = ledger.value(
                    "SELECT count(*) FROM runledger.job_queue WHERE status = 'LEASED' AND flow_group IS NOT NULL",
                )
                begun.toInt() shouldBe 11
            }

            test("no more jobs with flow are claimed than can begin at once") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("api", permits = 100)
                repeat(5) { ledger.enqueue { limit("api") } }
                fun claim(flowLimit: Int) =
                    ClaimRequest(listOf("mail"), "w1", lease, 10, ClaimOrigin.WORKER_PRESTART, emptyMap(), flowLimit, null)
                val (none, isWaiting) = ledger.waiting(claim(0))
                none.shouldBeEmpty()
                isWaiting.shouldNotBeNull()
                ledger.waiting(claim(2)).first shouldHaveSize 2
            }

            test("a delayed job with flow is claimed once it is due, and a paused type is not claimed") {
                val ledger = freshLedger().apply { define("mail") }
                ledger.limit("api", permits = 1)
                val late = ledger.enqueue { limit("api").delay(Duration.ofHours(1)) }.id()
                ledger.claim().shouldBeEmpty()
                ledger.client.leases.untilDue(listOf("mail")).shouldNotBeNull() shouldBeGreaterThan Duration.ofMinutes(59)
                ledger.run(
                    "UPDATE runledger.job_queue SET next_run_at = now() - interval '1 second', updated_at = now() - interval '1 hour'",
                )
                ledger.run("UPDATE runledger.job_definitions SET is_paused = true")
                ledger.claim().shouldBeEmpty()
                ledger.run("UPDATE runledger.job_definitions SET is_paused = false")
                ledger.claim().ids() shouldContainExactly listOf(late)
            }
        }

        context("refused") {
            test("a limit that is not declared, and a job without the key that its type needs") {
                val ledger = freshLedger().apply { define("mail") }
                shouldRefuse(ErrorCode.FLOW_LIMIT_UNKNOWN) { ledger.enqueue { limit("nowhere") } }
                ledger.limit("customer", permits = 1, keyedBy = "KEY")
                ledger.run("""UPDATE runledger.job_definitions SET flow = '{"limits": [{"name": "customer", "by": "KEY"}]}'""")
                shouldRefuse(ErrorCode.FLOW_KEY_MISSING) { ledger.enqueue() }
                ledger.value("SELECT count(*) FROM runledger.job_queue") shouldBe "0"
            }
        }

        test("organizations share a limit by organization, each its own") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.limit("tenant", permits = 1, keyedBy = "ORGANIZATION")
            val organizations = List(2) { UUID.randomUUID() }
            organizations.forEach { organization -> repeat(2) { ledger.enqueue { limit("tenant").organization(organization) } } }
            repeat(2) { ledger.enqueue { limit("tenant").runAt(Instant.EPOCH) } }
            ledger.claim() shouldHaveSize 3
        }
    })
