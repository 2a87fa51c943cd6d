package io.runledger.benchmarks.scenario

import io.runledger.benchmarks.Bench
import io.runledger.benchmarks.contender.RUNLEDGER
import io.runledger.benchmarks.contender.addRecentWork
import io.runledger.console.Console
import io.runledger.console.access.ConsoleAccess
import io.runledger.console.access.ConsoleRole
import io.runledger.console.access.ConsoleUser
import io.runledger.console.http.ConsoleRequest
import io.runledger.console.http.ConsoleResponse
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import java.io.InputStream
import java.time.Duration

/** How long the console needs for a page of a ledger with millions of jobs. No answer is shared with an earlier one. */
internal fun Bench.consolePages() {
    closeStands()
    val stand = stands(entries { it == RUNLEDGER }).singleOrNull() ?: return
    checkNotNull(stand.contender.history)(OLD_JOBS)
    stand.database.addRecentWork(DEAD_JOBS, RECENT_JOBS)
    stand.database.settleDown()
    stand.database.pool(2).use { pool ->
        val client = RunledgerClient.create(pool)
        val access = ConsoleAccess.always(ConsoleUser("bench", ConsoleRole.ADMINISTRATOR, Scope.everything()))
        Console.builder(client).access(access).refreshInterval(Duration.ofMillis(1)).build().use { console ->
            val job = client.jobs.list(Scope.everything()) { it.limit(1) }.items().single().id()
            (PAGES + "/jobs/$job").forEach { page ->
                val path = page.substringBefore('?')
                val request = PageRequest(path, page.substringAfter('?', "").ifEmpty { null })
                repeat(WARM_UPS) { console.millis(request) }
                report.add("console${page.replace("$job", "{id}")}", List(TURNS) { console.millis(request) }, "ms")
            }
        }
    }
    closeStands()
}

private fun Console.millis(request: ConsoleRequest): Double {
    // Answers are shared for a millisecond.
    Thread.sleep(2)
    val begin = System.nanoTime()
    val response = answer(request)
    val end = System.nanoTime()
    check(response.status == HTTP_OK) { "${request.path} is answered with ${response.status}." }
    check(response.body is ConsoleResponse.Bytes) { "${request.path} is not a page." }
    return (end - begin) / NANOS_PER_MILLI
}

private class PageRequest(path: String, query: String?) : ConsoleRequest("GET", "", path, query, isSecure = false) {
    override fun header(name: String): String? = null

    override fun hostRequest(): Any = this

    override fun body(): InputStream = InputStream.nullInputStream()
}

private const val OLD_JOBS = 5_000_000L
private const val DEAD_JOBS = 20_000
private const val RECENT_JOBS = 150_000
private const val WARM_UPS = 30
private const val TURNS = 15
private const val HTTP_OK = 200
private const val NANOS_PER_MILLI = 1e6
private val PAGES = listOf(
    "/", "/jobs", "/jobs?status=SUCCEEDED", "/jobs?status=PENDING&type=bench.noop", "/jobs?status=DEAD_LETTERED", "/jobs?error=bench.down",
    "/dead-letters", "/runs", "/gates", "/schedules", "/workers", "/types", "/types/bench.noop", "/database", "/audit",
)
