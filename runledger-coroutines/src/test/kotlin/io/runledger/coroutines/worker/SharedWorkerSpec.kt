package io.runledger.coroutines.worker

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.inspectors.forAtLeastOne
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.coroutines.CountingDataSource
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.ObservedJob
import io.runledger.coroutines.Overheard
import io.runledger.coroutines.Witness
import io.runledger.coroutines.WorkerConfig
import io.runledger.coroutines.WorkerObserver
import io.runledger.coroutines.enqueue
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.freshTenants
import io.runledger.coroutines.handlers
import io.runledger.coroutines.heldMonitors
import io.runledger.coroutines.quick
import io.runledger.coroutines.until
import io.runledger.exposed.Ledgers
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.lifecycle.Destroying
import io.runledger.model.error.ErrorCode
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.model.ledger.Scope
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.withTimeout
import org.postgresql.ds.PGSimpleDataSource
import org.slf4j.MDC
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.minutes

private val greet = JobType.of("greet", String::class.java)

class SharedWorkerSpec :
    FunSpec({
        val everything = Scope.everything()
        val greeting = handlers { on(greet) { "hello ${it.payload()}" } }

        /** Greets, with an observer for each ledger. */
        class Crew(places: Int = 4, config: WorkerConfig = quick(), handlers: (RunledgerClient) -> Handlers = { greeting }) :
            AutoCloseable {
            private val witnesses = ConcurrentHashMap<String, Witness>()
            val worker = SharedWorker.start(places) { worker, ledger ->
                worker.handlers(handlers(ledger)).config(config).observe(witness(ledger.schema))
            }

            fun witness(schema: String): Witness = witnesses.computeIfAbsent(schema) { Witness() }

            override fun close() = worker.close()
        }

        /** A job that reports its start and ends on command. */
        class Begun(val schema: String) {
            val end = CompletableDeferred<Unit>()
        }

        fun held(begun: Channel<Begun>): (RunledgerClient) -> Handlers = { ledger ->
            handlers {
                on(greet) {
                    val job = Begun(ledger.schema)
                    begun.send(job)
                    job.end.await()
                }
            }
        }

        suspend fun Channel<Begun>.next() = withTimeout(1.minutes) { receive() }

        test("one process runs the jobs of every ledger that it serves, each under its own name") {
            val tenants = freshTenants()
            val ids = listOf("acme", "globex").associateWith { tenants.tenant(it, greet).enqueue(greet, it) }
            val overheard = Overheard.during {
                Crew().use { crew ->
                    ids.forEach { (schema, id) ->
                        crew.worker.serve(tenants.ledgers.client(schema))
                        crew.witness(schema).await("succeeded", id)
                    }
                    crew.worker.serving shouldBe ids.keys
                    ids.keys.forEach { tenants.ledgers.client(it).workers.list().single().slots() shouldBe 4 }
                }
            }

            ids.forEach { (schema, id) ->
                val job = tenants.ledgers.client(schema).jobs.get(everything, id)
                job.output()?.text() shouldBe "\"hello $schema\""
                overheard.lines.forAtLeastOne { it shouldContain "of ledger $schema runs 4 jobs at once" }
            }
        }

        test("a ledger with three jobs is not kept waiting by one with many") {
            val tenants = freshTenants()
            val begun = Channel<Begun>(Channel.UNLIMITED)
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            repeat(60) { acme.enqueue(greet, "Ada") }
            repeat(3) { globex.enqueue(greet, "Bob") }

            Crew(places = 4, handlers = held(begun)).use { crew ->
                crew.worker.serve(acme)
                val running = ArrayDeque(List(4) { begun.next() })
                running.map { it.schema } shouldContainExactly List(4) { "acme" }
                crew.worker.serve(globex)

                // Only one place becomes free at a time, and the greedy one is always there to take it.
                val next = List(20) {
                    running.removeFirst().end.complete(Unit)
                    begun.next().also(running::add).schema
                }

                next.count { it == "globex" } shouldBe 3
            }
        }

        test("places are kept for no ledger whose workers are drained") {
            val tenants = freshTenants()
            val begun = Channel<Begun>(Channel.UNLIMITED)
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            listOf(acme, globex).forEach { ledger -> repeat(10) { ledger.enqueue(greet, "Ada") } }

            Crew(places = 4, handlers = held(begun)).use { crew ->
                crew.worker.serve(acme)
                val running = List(4) { begun.next() }
                acme.workers.drain(WorkerSelection.all(), "Acme moves to another database.")
                until("it drains") { acme.workers.list().single().state() == WorkerState.DRAINING }
                crew.worker.serve(globex)
                running.forEach { it.end.complete(Unit) }

                List(4) { begun.next() }.map { it.schema } shouldContainExactly List(4) { "globex" }
            }
        }

        test("a ledger is served from the moment it is added, left without a word to the others, and served again") {
            val tenants = freshTenants()
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            Crew().use { crew ->
                val first = crew.worker.serve(acme)
                crew.worker.serve(acme) shouldBe first
                crew.witness("acme").await("succeeded", acme.enqueue(greet, "Ada"))
                crew.worker.serve(globex)

                crew.worker.leave("acme").join()?.finished shouldBe 1
                crew.worker.leave("acme").join() shouldBe null
                crew.worker.serving shouldBe setOf("globex")
                val waiting = acme.enqueue(greet, "Bob")
                crew.witness("globex").await("succeeded", globex.enqueue(greet, "Eve"))
                acme.jobs.get(everything, waiting).status() shouldBe JobStatus.PENDING

                crew.worker.serve(acme)
                crew.witness("acme").await("succeeded", waiting)
            }
        }

        test("a ledger that is dropped under its worker stops nothing else, and is served again once it is back") {
            val tenants = freshTenants()
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            Crew().use { crew ->
                listOf(acme, globex).forEach(crew.worker::serve)
                crew.witness("acme").await("succeeded", acme.enqueue(greet, "Ada"))
                repeat(200) { acme.enqueue(greet, "more") }

                tenants.ledgers.drop("acme", Destroying.RUNNING_JOBS)
                crew.witness("acme").awaitUnavailable(ErrorCode.SCHEMA_MISSING).message shouldContain "It was dropped"
                crew.witness("globex").await("succeeded", globex.enqueue(greet, "Bob"))

                tenants.tenant("acme", greet)
                crew.witness("acme").await("available")
                crew.witness("acme").await("succeeded", acme.enqueue(greet, "back"))
                crew.witness("globex").told.map { it.what }.filter { it == "unavailable" } shouldBe emptyList()
            }
        }

        test("ledgers that are not there yet or must not be touched stop nothing else") {
            val tenants = freshTenants()
            val globex = tenants.tenant("globex", greet)
            tenants.tenant("initech", greet)
            val stranger = "rl_" + UUID.randomUUID().toString().replace('-', '_')
            tenants.ledger.run("CREATE ROLE $stranger LOGIN PASSWORD 'secret'")
            val forbidden = PGSimpleDataSource().also {
                it.setURL(tenants.ledger.database.jdbcUrl)
                it.user = stranger
                it.password = "secret"
            }
            Crew().use { crew ->
                crew.worker.serve(tenants.ledgers.client("acme"))
                crew.worker.serve(RunledgerClient.builder(forbidden).schema("initech").build())
                crew.worker.serve(globex)

                crew.witness("acme").awaitUnavailable(ErrorCode.SCHEMA_MISSING)
                crew.witness("initech").awaitUnavailable(ErrorCode.PERMISSION_DENIED)
                crew.witness("globex").await("succeeded", globex.enqueue(greet, "Bob"))

                val acme = tenants.tenant("acme", greet)
                crew.witness("acme").await("succeeded", acme.enqueue(greet, "Ada"))
            }
            tenants.ledger.run("DROP ROLE $stranger")
        }

        test("handlers that never end keep the places of their own ledger, and no more than its limit of them") {
            val tenants = freshTenants()
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            val poison = CountDownLatch(1)
            val poisoned = handlers {
                blocking(greet) {
                    while (poison.count > 0) runCatching { poison.await() }
                    JobOutcome.succeeded()
                }
            }
            val config = quick { maxConcurrency(3).stopGrace(Duration.ofMillis(10)) }
            Crew(places = 4, config, { if (it.schema == "acme") poisoned else greeting }).use { crew ->
                repeat(50) { acme.enqueue(greet, "poison") }
                crew.worker.serve(acme)
                crew.witness("acme").awaitAll("started", count = 3)
                crew.worker.serve(globex)

                repeat(5) { crew.witness("globex").await("succeeded", globex.enqueue(greet, "Bob")) }
                poison.countDown()
            }
        }

        test("a ledger whose claim hangs on a lock starves no other, and goes on once the lock is gone") {
            val tenants = freshTenants()
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            val waiting = List(3) { acme.enqueue(greet, "Ada") }
            Crew(places = 2, quick { lease(Duration.ofSeconds(6)) }).use { crew ->
                tenants.whileLocked("acme") {
                    crew.worker.serve(acme)
                    tenants.awaitHangingClaim("acme")
                    crew.worker.serve(globex)

                    repeat(5) { crew.witness("globex").await("succeeded", globex.enqueue(greet, "Bob")) }
                }

                waiting.forEach { crew.witness("acme").await("succeeded", it) }
            }
        }

        test("jobs that come when their ledger is served no more keep no place") {
            val tenants = freshTenants()
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            val late = acme.enqueue(greet, "Ada")
            Crew(places = 1, quick { stopGrace(Duration.ofMillis(10)) }).use { crew ->
                tenants.whileLocked("acme") {
                    crew.worker.serve(acme)
                    tenants.awaitHangingClaim("acme")
                    crew.worker.leave("acme").join()
                }
                until("its claim is answered") { acme.jobs.get(everything, late).status() == JobStatus.LEASED }
                crew.worker.serve(globex)

                crew.witness("globex").await("succeeded", globex.enqueue(greet, "Bob"))
                crew.witness("acme").of(late) shouldBe emptyList()
            }
        }

        test("a ledger whose workers are stopped through the database is served no more until it is served again") {
            val tenants = freshTenants()
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            Crew().use { crew ->
                val (first, _) = listOf(acme, globex).map(crew.worker::serve)
                crew.witness("acme").await("succeeded", acme.enqueue(greet, "Ada"))

                acme.workers.stop(WorkerSelection.all(), "Acme moves.")
                first.ended().join().stopOrder?.reason() shouldBe "Acme moves."
                crew.worker.serving shouldBe setOf("globex")
                val waiting = acme.enqueue(greet, "Bob")
                crew.witness("globex").await("succeeded", globex.enqueue(greet, "Eve"))
                acme.jobs.get(everything, waiting).status() shouldBe JobStatus.PENDING

                crew.worker.serve(acme) shouldNotBe first
                crew.witness("acme").await("succeeded", waiting)
            }
        }

        test("whoever hears first that a worker has ended can have its ledger served again") {
            val tenants = freshTenants()
            val acme = tenants.tenant("acme", greet)
            Crew().use { crew ->
                val first = crew.worker.serve(acme)
                crew.witness("acme").await("succeeded", acme.enqueue(greet, "Ada"))
                val again = first.ended().thenApply { crew.worker.serve(acme) }

                acme.workers.stop(WorkerSelection.all(), "Acme restarts.")

                again.join() shouldNotBe first
                crew.worker.serving shouldBe setOf("acme")
                crew.witness("acme").await("succeeded", acme.enqueue(greet, "Bob"))
            }
        }

        test("a ledger that cannot be equipped is not served, and stands in nobody's way") {
            val tenants = freshTenants()
            tenants.tenant("acme", greet)
            val elsewhere = RunledgerClient.builder(tenants.ledger.database.dataSource()).schema("acme").build()
            val equip = { ledger: RunledgerClient -> if (ledger === elsewhere) greeting else error("No handlers.") }
            Crew(handlers = equip).use { crew ->
                val acme = tenants.ledgers.client("acme")
                repeat(2) { shouldThrow<IllegalStateException> { crew.worker.serve(acme) }.message shouldBe "No handlers." }

                crew.worker.serve(elsewhere)

                crew.witness("acme").await("succeeded", acme.enqueue(greet, "Ada"))
            }
        }

        test("a schema of the same name elsewhere is refused, not taken for the one that is served") {
            val tenants = freshTenants()
            val acme = tenants.tenant("acme", greet)
            val elsewhere = RunledgerClient.builder(freshLedger().pool).schema("acme").build()
            Crew().use { crew ->
                val worker = crew.worker.serve(acme)

                shouldThrow<IllegalArgumentException> { crew.worker.serve(elsewhere) }.message shouldContain "another data source"
                crew.worker.serve(Ledgers.of(tenants.ledger.pool).client("acme")) shouldBe worker
            }
        }

        test("no monitor is held while a ledger is equipped, which may take its time on a virtual thread") {
            val tenants = freshTenants()
            val acme = tenants.tenant("acme", greet)
            val held = CompletableDeferred<List<String>>()
            Crew(handlers = { greeting.also { held.complete(heldMonitors()) } }).use { crew ->
                thread { crew.worker.serve(acme) }.join()
            }

            held.await().shouldBeEmpty()
        }

        test("a ledger that takes long to equip holds up no other, and begins nothing when it is left meanwhile") {
            val tenants = freshTenants()
            val (acme, globex) = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            val (equipping, equipped) = List(2) { CountDownLatch(1) }
            val equip = { ledger: RunledgerClient ->
                if (ledger.schema == "acme") equipping.countDown().also { equipped.await() }
                greeting
            }
            Crew(handlers = equip).use { crew ->
                val serving = async(Dispatchers.IO) { runCatching { crew.worker.serve(acme) } }
                equipping.await()

                crew.worker.serve(globex)
                crew.witness("globex").await("succeeded", globex.enqueue(greet, "Bob"))
                crew.worker.serving shouldBe setOf("globex")
                crew.worker.leave("acme").join() shouldBe null
                equipped.countDown()

                serving.await().exceptionOrNull()?.message shouldContain "was left"
            }
        }

        test("told to stop, it waits for ledgers that are being left, too, and answers the same when asked again") {
            val tenants = freshTenants()
            val begun = Channel<Begun>(Channel.UNLIMITED)
            val acme = tenants.tenant("acme", greet)
            acme.enqueue(greet, "Ada")
            val crew = Crew(config = quick { shutdownGrace(Duration.ofMinutes(1)) }, handlers = held(begun))
            crew.worker.serve(acme)
            val running = begun.next()
            val left = crew.worker.leave("acme")

            val stopped = crew.worker.stop()
            stopped.isDone shouldBe false
            running.end.complete(Unit)

            stopped.join() shouldBe mapOf("acme" to left.join())
            crew.worker.stop().join() shouldBe stopped.join()
        }

        test("the report of a ledger that was left and served again before the stop is about both") {
            val tenants = freshTenants()
            val begun = Channel<Begun>(Channel.UNLIMITED)
            val acme = tenants.tenant("acme", greet)
            val crew = Crew(config = quick { shutdownGrace(Duration.ofMinutes(1)) }, handlers = held(begun))
            val running = List(2) {
                crew.worker.serve(acme)
                acme.enqueue(greet, "Ada")
                begun.next().also { crew.worker.leave("acme") }
            }
            crew.worker.serve(acme)

            val stopped = crew.worker.stop()
            running.forEach { it.end.complete(Unit) }

            stopped.join().mapValues { it.value.finished } shouldBe mapOf("acme" to 2L)
        }

        test("many who serve, leave and stop at once leave no worker behind") {
            val tenants = freshTenants()
            val clients = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            val crew = Crew()
            val started = ConcurrentHashMap.newKeySet<RunningWorker>()

            val callers = List(6) { caller ->
                async(Dispatchers.IO) {
                    repeat(30) { round ->
                        val client = clients[(caller + round) % clients.size]
                        runCatching { crew.worker.serve(client) }
                            .onSuccess(started::add)
                            .onFailure { it.shouldBeInstanceOf<IllegalStateException>() }
                        if (round % 3 == 0) crew.worker.leave(client.schema)
                        if (caller == 0 && round == 25) crew.worker.stop()
                    }
                }
            }
            callers.awaitAll()
            crew.worker.stop().join()

            started.size shouldBeGreaterThan clients.size
            started.forAll { it.ended().isDone shouldBe true }
            crew.worker.serving.shouldBeEmpty()
            clients.forAll { it.workers.list().shouldBeEmpty() }
        }

        test("told to stop, it lets what runs in every ledger end, and takes on no other") {
            val tenants = freshTenants()
            val begun = Channel<Begun>(Channel.UNLIMITED)
            val clients = listOf("acme", "globex").map { tenants.tenant(it, greet) }
            val ids = clients.associateWith { it.enqueue(greet, "Ada") }
            val crew = Crew(config = quick { shutdownGrace(Duration.ofMinutes(1)) }, handlers = held(begun))
            clients.forEach(crew.worker::serve)
            val running = List(2) { begun.next() }

            val stopped = crew.worker.stop()
            shouldThrow<IllegalStateException> { crew.worker.serve(clients.first()) }
            stopped.isDone shouldBe false
            running.forEach { it.end.complete(Unit) }

            stopped.join().mapValues { it.value.finished } shouldBe mapOf("acme" to 1L, "globex" to 1L)
            ids.entries.toList().forAll { (client, id) -> client.jobs.get(everything, id).status() shouldBe JobStatus.SUCCEEDED }
        }

        test("twelve ledgers at work listen over one connection and use no more than one process may") {
            val tenants = freshTenants()
            val counting = CountingDataSource(tenants.ledger.pool)
            val ledgers = Ledgers.of(counting.dataSource)
            val schemas = List(12) { "tenant_$it" }
            schemas.forEach { tenants.tenant(it, greet) }
            Crew(places = 8).use { crew ->
                schemas.forEach { crew.worker.serve(ledgers.client(it)) }
                until("all are listened to") { schemas.all { ledgers.client(it).signals.isListening } }
                tenants.ledger.value(LISTENERS) shouldBe "1"
                schemas.forEach { schema -> repeat(20) { tenants.ledgers.client(schema).enqueue(greet, "Ada") } }

                schemas.forEach { crew.witness(it).awaitAll("succeeded", count = 20) }
            }

            counting.mostConnections shouldBeLessThanOrEqual 17
        }

        test("every event says in which ledger it happened") {
            val tenants = freshTenants()
            val ledgers = ConcurrentHashMap.newKeySet<String>()
            val context = ConcurrentHashMap.newKeySet<String>()
            val done = Channel<String>(Channel.UNLIMITED)
            val observer = object : WorkerObserver {
                override fun succeeded(job: ObservedJob, elapsed: Duration) {
                    ledgers += job.ledger
                    done.trySend(job.ledger)
                }
            }
            val noting = handlers { on(greet) { context += MDC.get("runledger.ledger") } }
            SharedWorker.start(2) { worker, _ -> worker.handlers(noting).config(quick()).observe(observer) }.use { worker ->
                listOf("acme", "globex").forEach {
                    val client = tenants.tenant(it, greet)
                    client.enqueue(greet, "Ada")
                    worker.serve(client)
                }
                withTimeout(1.minutes) { repeat(2) { done.receive() } }
            }

            ledgers shouldContainAll listOf("acme", "globex")
            context shouldBe ledgers
        }
    })

private const val LISTENERS =
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
