package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.SharedWorker
import io.runledger.exposed.Ledgers
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobType
import io.runledger.postgres.EmbeddedPostgres
import io.runledger.postgres.TestPostgres
import java.time.Duration
import kotlin.time.Duration.Companion.minutes

private val greet = JobType.of("greet", String::class.java)

/** How many true minutes to measure, with the default settings; without it, two minutes that are twenty times as short. */
private val trueMinutes: Int? = Integer.getInteger("runledger.idle-minutes")
private val scale = if (trueMinutes == null) 20L else 1L

/** Counts the statements of an idle worker on the server. */
class IdleStatementsSpec :
    FunSpec({
        fun Duration.scaled() = dividedBy(scale)

        fun allLoops(): WorkerConfig {
            val defaults = WorkerConfig.defaults()
            return WorkerConfig.builder()
                .pollInterval(defaults.pollInterval.scaled()).maxPollInterval(defaults.maxPollInterval.scaled())
                .schedulerInterval(defaults.schedulerInterval.scaled()).reaperInterval(defaults.reaperInterval.scaled())
                .janitorInterval(defaults.janitorInterval.scaled()).retention(JobStatus.SUCCEEDED, Duration.ofDays(1))
                .beatInterval(defaults.beatInterval.scaled())
                .shutdownGrace(Duration.ZERO)
                .build()
        }

        /** What a minute costs per ledger, as the server counts it, once [start] has begun to serve [ledgers] of them. */
        suspend fun perMinute(ledgers: Int, start: (TestLedger) -> AutoCloseable, isListening: () -> Boolean): Long {
            val server = autoClose(EmbeddedPostgres.start())
            val ledger = autoClose(TestLedger(TestPostgres.on(server).freshDatabase()))
            val outside = autoClose(server.database(server.maintenanceDatabase).connect())
            outside.createStatement().use { it.execute("CREATE EXTENSION pg_stat_statements") }

            fun statements(): Map<String, Long> = outside.createStatement().use { statement ->
                val sql = "SELECT query, sum(calls) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid " +
                    "WHERE d.datname = '${ledger.database.name}' GROUP BY query"
                statement.executeQuery(sql).use { rows ->
                    buildMap { while (rows.next()) put(rows.getString(1), rows.getLong(2)) }
                }
            }

            /** A reaper always runs four times a minute, so its passes measure the elapsed minutes. */
            fun minutes() = statements().filterKeys { "AS jobs" in it && "AS steps" in it }.values.sum() / 4.0 / ledgers

            suspend fun pass(minutes: Int) {
                val end = minutes() + minutes
                until("$minutes minutes have passed", (minutes + 2).minutes) { minutes() >= end }
            }
            return start(ledger).use {
                until("the worker listens", condition = isListening)
                // By then the pauses between claims have grown to their longest.
                pass(minutes = 2)
                val before = statements()
                pass(minutes = trueMinutes ?: 2)
                val after = statements()

                val sent = after.mapValues { (query, calls) -> calls - (before[query] ?: 0) }.filterValues { it > 0 }
                val perMinute = sent.values.sum() / (trueMinutes ?: 2) / ledgers
                println(
                    "Idle: $perMinute statements per minute and ledger: " +
                        sent.map { (query, calls) -> "$calls x ${query.replace(Regex("\\s+"), " ").take(80)}" },
                )
                perMinute
            }
        }

        val greeting = handlers { on(greet) { } }

        test("an idle worker with every loop on sends a handful of statements per minute") {
            lateinit var client: RunledgerClient
            val cost = perMinute(
                ledgers = 1,
                start = { ledger ->
                    client = RunledgerClient.create(ledger.pool)
                    client.migrate()
                    client.definitions.sync(listOf(greet))
                    RunledgerWorker.builder(client).handlers(greeting).config(allLoops()).start()
                },
                isListening = { client.signals.isListening },
            )

            cost shouldBeGreaterThan 0
            cost shouldBeLessThanOrEqual 14
        }

        test("an idle ledger costs a process that serves five of them no more than one alone") {
            lateinit var clients: List<RunledgerClient>
            val cost = perMinute(
                ledgers = 5,
                start = { ledger ->
                    ledger.client.migrate()
                    val ledgers = Ledgers.of(ledger.pool)
                    clients = List(5) { "tenant_$it" }.map { schema ->
                        ledgers.create(schema)
                        ledgers.client(schema).apply { definitions.sync(listOf(greet)) }
                    }
                    SharedWorker.start(places = 4) { worker, _ -> worker.handlers(greeting).config(allLoops()) }
                        .also { clients.forEach(it::serve) }
                },
                isListening = { clients.all { it.signals.isListening } },
            )

            cost shouldBeGreaterThan 0
            cost shouldBeLessThanOrEqual 14
        }
    })
