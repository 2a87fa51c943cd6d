package io.runledger.exposed.intake

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.runledger.exposed.Rewriting
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.control.Bench
import io.runledger.exposed.control.bench
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.until
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.EnqueuedJob
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.key.ReplacedPart
import io.runledger.model.key.Uniqueness
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.retention.PruneRequest
import java.sql.Connection
import java.time.Duration
import java.util.concurrent.CompletableFuture

/** Two sessions and one key, step by step: the second session goes on only after the server reports that it waits. */
class KeyRacesSpec :
    FunSpec({
        val hour = Duration.ofHours(1)
        val ended = PruneRequest.of(Duration.ZERO, JobStatus.entries.filter { it.isTerminal }.toSet(), 1_000)

        fun request(payload: Int = 1, settings: JobRequest.Builder.() -> Unit): JobRequest =
            JobRequest.builder(Bench.TYPE, payload).apply(settings).build()

        fun Bench.joined(work: (Connection) -> Unit) = ledger.database.connect().use { connection ->
            connection.autoCommit = false
            // A statement that would wait fails instead of blocking the test.
            connection.createStatement().use { it.execute("SET LOCAL lock_timeout = '5s'") }
            work(connection)
        }

        fun Bench.jobs() = ledger.value("SELECT count(*) FROM runledger.job_queue").toInt()

        /** Enqueues [first] in an open transaction and [second] in another session, which waits until the first ends by [end]. */
        fun Bench.inTurn(first: JobRequest, second: JobRequest, end: (Connection) -> Unit): Pair<EnqueuedJob, EnqueuedJob> {
            var answers: Pair<EnqueuedJob, EnqueuedJob>? = null
            joined { connection ->
                val one = client.within(connection).jobs.enqueue(first)
                val other = CompletableFuture.supplyAsync { client.jobs.enqueue(second) }
                ledger.awaitLockWait()
                end(connection)
                answers = one to other.get()
            }
            return checkNotNull(answers)
        }

        val rules = mapOf<String, JobRequest.Builder.() -> Unit>(
            "unique" to { unique(Uniqueness.whilePending("k")) },
            "throttled" to { throttle("k", hour) },
            "debounced" to { debounce("k", hour, hour) },
            "replaced" to { replacePending("k", ReplacedPart.PAYLOAD) },
        )

        rules.forEach { (name, rule) ->
            test("the second enqueue of a $name job waits for the first, and finds its job if it was committed") {
                val bench = bench()

                val (first, second) = bench.inTurn(request(1, rule), request(2, rule), Connection::commit)

                second.id() shouldBe first.id()
                second.isNew shouldBe false
                bench.jobs() shouldBe 1
            }

            test("the second enqueue of a $name job inserts it if the first was rolled back") {
                val bench = bench()

                val (first, second) = bench.inTurn(request(1, rule), request(2, rule), Connection::rollback)

                second.id() shouldNotBe first.id()
                second.isNew shouldBe true
                bench.ledger.value("SELECT job_id FROM runledger.job_keys") shouldBe second.id().toString()
            }

            test("of two enqueues after the $name job has ended, one inserts and the other finds") {
                val bench = bench()
                bench.client.jobs.enqueue(request(0, rule))
                bench.ledger.run("UPDATE runledger.job_keys SET ends_at = NULL")
                bench.client.jobs.cancelAllWhere(Scope.everything(), JobSelection.any())

                val (first, second) = bench.inTurn(request(1, rule), request(2, rule), Connection::commit)

                first.isNew shouldBe true
                second.id() shouldBe first.id()
                bench.jobs() shouldBe 2
            }
        }

        /** Two enqueues with the key of an ended job, which begin while a third session holds the key. Both wait for it. */
        fun Bench.bothAtOnce(client: RunledgerClient): List<EnqueuedJob> {
            val rule: JobRequest.Builder.() -> Unit = { unique(Uniqueness.whilePending("k")) }
            val old = this.client.jobs.enqueue(request(0, rule)).id()
            this.client.jobs.cancel(Scope.everything(), old)
            var both = emptyList<CompletableFuture<EnqueuedJob>>()
            joined { holder ->
                holder.createStatement().use { it.execute("SELECT FROM runledger.job_keys FOR UPDATE") }
                both = List(2) { CompletableFuture.supplyAsync { client.jobs.enqueue(request(1, rule)) } }
                until("both sessions wait for the key") {
                    ledger.rows(
                        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
                    ).size == 2
                }
                holder.commit()
            }
            return both.map { it.get() }
        }

        test("two enqueues that find the key of an ended job at once insert one job") {
            val bench = bench()

            val answers = bench.bothAtOnce(bench.client)

            answers.count { it.isNew } shouldBe 1
            answers.map { it.id() }.distinct() shouldHaveSize 1
        }

        test("without the lock on a key that is in use, both would insert") {
            val bench = bench()
            val weaker = Rewriting(bench.ledger.dataSource, "DO UPDATE SET ends_at = k.ends_at WHERE false", "DO NOTHING")

            bench.bothAtOnce(RunledgerClient.create(weaker)).count { it.isNew } shouldBe 2

            weaker.rewritten shouldBe 2
        }

        listOf("debounced", "replaced").forEach { name ->
            test("a $name job that is being claimed while it is to be changed stays as it is, and a new job is inserted") {
                val bench = bench()
                val rule = rules.getValue(name)
                val first = bench.client.jobs.enqueue(request(1, rule)).id()
                bench.client.jobs.runNow(Scope.everything(), first, "test")

                bench.joined { worker ->
                    val claim = ClaimRequest(
                        listOf(Bench.TYPE),
                        "w",
                        Duration.ofMinutes(1),
                        1,
                        ClaimOrigin.DIRECT,
                    )
                    bench.client.within(worker).leases.claim(claim).single().lease().jobId() shouldBe first
                    val second = CompletableFuture.supplyAsync { bench.client.jobs.enqueue(request(2, rule)) }
                    bench.ledger.awaitLockWait()
                    worker.commit()

                    second.get().isNew shouldBe true
                    bench.row(first, "payload, status") shouldBe "1|LEASED"
                    bench.row(second.get().id(), "payload, status") shouldBe "2|PENDING"
                }
                bench.jobs() shouldBe 2
                bench.client.verify().contradictions().shouldBeEmpty()
            }
        }

        test("a worker skips a job that an open transaction has changed, and claims it afterwards") {
            val bench = bench()
            val rule: JobRequest.Builder.() -> Unit = { replacePending("k", ReplacedPart.PAYLOAD) }
            val first = bench.client.jobs.enqueue(request(1, rule)).id()

            bench.joined { caller ->
                bench.client.within(caller).jobs.enqueue(request(2, rule)).disposition() shouldBe Disposition.REPLACED
                bench.claim().shouldBeEmpty()
                caller.commit()
            }

            bench.claim().single().payload() shouldBe Json.of("2")
            bench.jobs() shouldBe 1
            bench.row(first, "payload") shouldBe "2"
        }

        test("retention that frees a key is awaited, and then a job is inserted") {
            val bench = bench()
            val rule: JobRequest.Builder.() -> Unit = { unique(Uniqueness.whilePending("k")) }
            val old = bench.client.jobs.enqueue(request(1, rule)).id()
            bench.client.jobs.cancel(Scope.everything(), old)

            bench.joined { janitor ->
                bench.client.within(janitor).retention.prune(ended).jobs() shouldBe 1
                val second = CompletableFuture.supplyAsync { bench.client.jobs.enqueue(request(2, rule)) }
                bench.ledger.awaitLockWait()
                janitor.commit()
                second.get().isNew shouldBe true
            }
            bench.jobs() shouldBe 1
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("retention passes a job whose key an open transaction has taken, and does not wait") {
            val bench = bench()
            val rule: JobRequest.Builder.() -> Unit = { unique(Uniqueness.whilePending("k")) }
            val old = bench.client.jobs.enqueue(request(1, rule)).id()
            bench.client.jobs.cancel(Scope.everything(), old)

            bench.joined { caller ->
                val second = bench.client.within(caller).jobs.enqueue(request(2, rule))
                bench.client.retention.prune(ended).jobs() shouldBe 0
                caller.commit()
                bench.client.retention.prune(ended).jobs() shouldBe 1
                bench.ledger.rows("SELECT job_id FROM runledger.job_keys") shouldContainExactly listOf(second.id().toString())
            }
            bench.client.verify().contradictions().shouldBeEmpty()
        }

        test("the job of an open window is kept, so that the window is exact, and deleted with its key afterwards") {
            val bench = bench()
            val first = bench.client.jobs.enqueue(request(1) { throttle("k", hour) })
            bench.succeed(bench.claimOne())
            val plain = bench.succeeded()

            bench.client.retention.prune(ended).jobs() shouldBe 1
            bench.ledger.rows("SELECT id FROM runledger.job_queue") shouldContainExactly listOf(first.id().toString())
            plain shouldNotBe first.id()
            bench.client.jobs.enqueue(request(2) { throttle("k", hour) }) shouldBe
                EnqueuedJob(first.id(), Disposition.EXISTING, JobStatus.SUCCEEDED, 1)

            bench.ledger.run("UPDATE runledger.job_keys SET ends_at = now()")
            bench.client.retention.prune(ended).jobs() shouldBe 1
            bench.ledger.rows("SELECT key FROM runledger.job_keys").shouldBeEmpty()
            bench.client.jobs.enqueue(request(2) { throttle("k", hour) }).isNew shouldBe true
        }

        test("racing enqueues make one job of each key, and crossing batches of all kinds do not deadlock") {
            val bench = bench()
            val keys = List(20) { "k$it" }
            val settings = rules.keys.toList()

            repeat(15) { round ->
                val ids = racing(8) { thread ->
                    val order = if (thread % 2 == 0) keys else keys.reversed()
                    val batch = order.mapIndexed { n, key ->
                        request(n) {
                            when (settings[thread % settings.size]) {
                                "unique" -> unique(Uniqueness.whilePending("$round-$key"))
                                "throttled" -> unique(Uniqueness.whileUnfinished("$round-$key").orWithin(hour))
                                "debounced" -> debounce("$round-$key", hour, hour)
                                else -> replacePending("$round-$key", ReplacedPart.PAYLOAD)
                            }
                        }
                    } + request(0) { idempotencyKey("$round-i${thread % 2}") }
                    bench.client.jobs.enqueueAll(batch).dropLast(1).map { it.id() }.toSet()
                }
                ids.toSet() shouldHaveSize 1
            }

            bench.jobs() shouldBe 15 * 22
            bench.ledger.value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") shouldBe "0"
            bench.client.verify().contradictions().shouldBeEmpty()
        }
    })
