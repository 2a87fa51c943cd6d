package io.runledger.console.replica

import ch.qos.logback.classic.Level
import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.read.ListAppender
import com.zaxxer.hikari.HikariDataSource
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.console.Console
import io.runledger.console.ConsoleBench
import io.runledger.console.Viewer
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.form.FilledForm
import io.runledger.console.form.fill
import io.runledger.console.form.location
import io.runledger.console.jdk.ConsoleServer
import io.runledger.console.screen.readText
import io.runledger.console.security.Addresses
import io.runledger.console.security.HostileLedger
import io.runledger.exposed.RunledgerClient
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.postgres.TestPostgres
import io.runledger.test.TestLedger
import org.slf4j.LoggerFactory
import java.net.http.HttpResponse
import java.time.Duration

/** The console over a real standby that streams from its primary: pages read from it, and nothing is written to it. */
class ReplicaSpec :
    FunSpec({
        val pair by lazy { autoClose(StreamingPair.start()) }
        val ledger by lazy { autoClose(TestLedger.freshOn(TestPostgres.on(pair))) }
        val hostile by lazy { HostileLedger(ledger) }
        val pool by lazy {
            autoClose(HikariDataSource().also { it.dataSource = pair.standby(ledger.database.name) })
        }
        val replica by lazy { RunledgerClient.create(pool) }

        fun viewer(console: Console): Viewer {
            autoClose(console)
            return Viewer(autoClose(ConsoleServer.start(console, base = ConsoleBench.BASE)).address, "ada")
        }

        fun builder(client: RunledgerClient) = Console.builder(client)
            .access(ConsoleAccess.always(ConsoleUser("ada", ConsoleRole.ADMINISTRATOR, Scope.everything())))
            .apply { snapshotLifetime = Duration.ZERO }

        fun waiting() = ledger.client.jobs.enqueue(
            JobRequest.builder(hostile.type.name(), Json.of("{}")).delay(Duration.ofHours(1)).build(),
        ).id()

        test("every page over a replica is answered, nothing is written and nothing is logged as an error").config(
            enabledOrReasonIf = StreamingPair.isThere,
        ) {
            val places = Addresses(hostile).all.filter { it.route.method == "GET" && !it.isPerhapsMissing }
            val before = hostile.fingerprint()
            val ada = viewer(builder(replica).build())
            val answers = HashMap<String, HttpResponse<String>>()

            val errors =
                errorsDuring { places.forEach { answers[it.toString()] = ada.get(it.path.removePrefix(ConsoleBench.BASE)) } }

            places.size shouldBeGreaterThan 50
            answers.filterValues {
                it.statusCode() !in 200..399
            }.map { (place, answer) -> "$place ${answer.statusCode()} ${answer.readText}" }
                .shouldBeEmpty()
            errors.shouldBeEmpty()
            hostile.fingerprint() shouldBe before
        }

        test("every action on a replica is refused with a sentence, and changes nothing").config(
            enabledOrReasonIf = StreamingPair.isThere,
        ) {
            val job = waiting()
            val run = hostile.run
            val before = hostile.fingerprint()
            val ada = viewer(builder(replica).build())
            val type = java.net.URLEncoder.encode(hostile.type.name(), Charsets.UTF_8)
            val schedule = java.net.URLEncoder.encode(hostile.schedule, Charsets.UTF_8)
            val forms = mapOf(
                "/jobs/$job/cancel" to emptyList(),
                "/jobs/$job/run-now" to emptyList(),
                "/jobs/$job/priority" to listOf("priority" to "7"),
                "/jobs/${hostile.deadJob}/requeue" to emptyList(),
                "/jobs/change/cancel?type=$type" to emptyList(),
                "/runs/$run/pause" to emptyList(),
                "/runs/$run/cancel" to emptyList(),
                "/schedule/fire?name=$schedule" to emptyList(),
                "/schedule/pause?name=$schedule" to emptyList(),
                "/workers/stop" to emptyList(),
                "/type/pause?type=$type" to emptyList(),
                "/jobs/enqueue?type=$type" to emptyList<Pair<String, String>>(),
            )

            val errors = errorsDuring {
                forms.forEach { (path, fields) ->
                    val answer = ada.fill(path, "reason" to "on a replica", *fields.toTypedArray())

                    withClue(path) {
                        answer.statusCode() shouldBe 503
                        answer.readText shouldContain "The database accepts no changes"
                    }
                }
                val review = ada.fill("/jobs/$job/edit", "payload" to "{\"a\": 1}", "reason" to "on a replica")
                review.statusCode() shouldBe 200
                ada.postRaw("/jobs/$job/edit", FilledForm(review.body()).with("decision" to "confirmed")).statusCode() shouldBe
                    503
            }

            errors.shouldBeEmpty()
            hostile.fingerprint() shouldBe before
        }

        test("pages read from the replica while actions go to the primary").config(enabledOrReasonIf = StreamingPair.isThere) {
            val job = waiting()
            val ada = viewer(builder(ledger.client).readWith(replica).build())
            ada.get("/jobs/$job").readText shouldContain "pending"

            val done = ada.fill("/jobs/$job/cancel", "reason" to "no longer wanted")

            done.statusCode() shouldBe 303
            ledger.client.jobs.get(Scope.everything(), job).status() shouldBe JobStatus.CANCELED
            val page = ada.get(checkNotNull(done.location()))
            page.statusCode() shouldBe 200
            page.readText shouldContain "canceled"
            page.readText shouldContain "no longer wanted"
        }
    })

/** What is logged as an error while [work] runs. */
private fun errorsDuring(work: () -> Unit): List<String> {
    val root = LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) as Logger
    val heard = ListAppender<ILoggingEvent>().also { it.start() }
    root.addAppender(heard)
    try {
        work()
    } finally {
        root.detachAppender(heard)
    }
    return heard.list.filter {
        it.level.isGreaterOrEqual(Level.ERROR)
    }.map { "${it.formattedMessage} ${it.throwableProxy?.message}" }
}
