package io.runledger.spring.shop

import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.spring.test.HandWorker
import io.runledger.spring.test.RunledgerTest
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import java.time.Duration

@RunledgerTest(properties = ["spring.flyway.locations=classpath:io/runledger/spring/orders"])
class RemindTest @Autowired constructor(private val client: RunledgerClient, private val worker: HandWorker) {
    @Test
    fun `a reminder waits for its day`() {
        val job = client.jobs.enqueue(remind, Reminder("A-1")) { it.delay(Duration.ofDays(7)) }.id()

        worker.work().finished shouldBe 0
        worker.workAfter(Duration.ofDays(7)).finished shouldBe 1
        client.logs.list(Scope.global(), job).items().map { it.message() } shouldBe listOf("Reminding of A-1")
    }
}
