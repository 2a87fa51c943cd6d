package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.UUID

class ExpenseServiceSpec :
    FunSpec({
        suspend fun serving(ledger: TestLedger, test: (Visitor) -> Unit) {
            val server = embeddedServer(CIO, port = 0, host = "127.0.0.1") { expenses(ledger.dataSource) }.startSuspend()
            try {
                test(Visitor(server.engine.resolvedConnectors().single().port))
            } finally {
                server.stopSuspend(0, 0)
            }
        }

        test("an expense is paid once somebody approves it over HTTP") {
            serving(freshLedger()) { visitor ->
                val run = visitor.post("/expenses/taxi-17").body()
                visitor.post("/expenses/taxi-17").body() shouldBe run

                visitor.post("/runs/$run/approval").statusCode() shouldBe 204
                visitor.post("/runs/$run/approval").statusCode() shouldBe 204

                visitor.get("/runs/$run/result").body() shouldBe "paid taxi-17"
                visitor.get("/health").statusCode() shouldBe 200
            }
        }

        test("an approval of nothing is not found, and says so in words that may be shown") {
            serving(freshLedger()) { visitor ->
                val answer = visitor.post("/runs/${UUID(0, 0)}/approval")

                answer.statusCode() shouldBe 404
                answer.body() shouldContain "workflow.external_step_not_found"
            }
        }
    })

private class Visitor(private val port: Int) {
    private val http = HttpClient.newHttpClient()

    fun get(path: String): HttpResponse<String> = send(request(path).GET())

    fun post(path: String): HttpResponse<String> = send(request(path).POST(HttpRequest.BodyPublishers.noBody()))

    private fun request(path: String) = HttpRequest.newBuilder(URI("http://127.0.0.1:$port$path")).timeout(Duration.ofMinutes(1))

    private fun send(request: HttpRequest.Builder) = http.send(request.build(), HttpResponse.BodyHandlers.ofString())
}
