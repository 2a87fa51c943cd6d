package io.runledger.console.screen

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.console.Console
import io.runledger.console.Viewer
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.jdk.ConsoleServer
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.Statement
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

/** The number of statements of each page: it does not depend on the rows, and viewers of the same page share it. */
class PageCostSpec :
    FunSpec({
        val ledger = autoClose(TestLedger.fresh())
        val story = Story(ledger)
        val counting = CountingDataSource(ledger.dataSource)
        val console = Console.builder(ledger.client)
            .access(ConsoleAccess.always(ConsoleUser("ada", ConsoleRole.OPERATOR, Scope.everything())))
            .readWith(RunledgerClient.create(counting.dataSource))
            .refreshInterval(Duration.ofMinutes(5))
            .build()
        val server = ConsoleServer.start(console, base = "/runledger")
        val viewer = Viewer(server.address, "ada")

        afterSpec {
            server.close()
            console.close()
        }

        mapOf(
            "/" to 13,
            "/jobs" to 2,
            "/jobs?status=LEASED" to 1,
            "/jobs/${story.dead}" to 12,
            "/jobs/${story.unserved}" to 13,
            "/jobs/${story.dead}/logs" to 2,
            "/dead-letters" to 1,
            "/dead-letters/all" to 1,
            "/limits" to 2,
            "/queues" to 2,
        ).forEach { (path, most) ->
            test("the page $path takes at most $most statements, and none for the next viewer") {
                val first = counting.count { viewer.get(path).statusCode() shouldBe 200 }
                val second = counting.count { viewer.get(path).statusCode() shouldBe 200 }

                withClue(counting.last) { first shouldBeLessThanOrEqual most }
                // The log looks its job up for each viewer.
                second shouldBe if (path.endsWith("/logs")) 1 else 0
            }
        }
    })

private class CountingDataSource(real: DataSource) {
    private val statements = AtomicInteger()
    val last = ArrayList<String>()

    val dataSource: DataSource = wrap(real, DataSource::class.java)

    fun count(work: () -> Unit): Int {
        last.clear()
        val before = statements.get()
        work()
        return statements.get() - before
    }

    private fun <T : Any> wrap(target: T, type: Class<T>): T = type.cast(
        Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, method, arguments ->
            if (target is Statement && method.name.startsWith("execute")) {
                statements.incrementAndGet()
                last += target.toString()
            }
            val result = try {
                method.invoke(target, *(arguments ?: emptyArray()))
            } catch (failure: InvocationTargetException) {
                throw failure.targetException
            }
            when {
                result is Connection && target is DataSource -> wrap(result, Connection::class.java)
                result is PreparedStatement -> wrap(result, PreparedStatement::class.java)
                result is Statement -> wrap(result, Statement::class.java)
                else -> result
            }
        },
    )
}
