package io.runledger.samples.demo

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.test.freshLedger
import java.io.File
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse

class DemoSpec :
    FunSpec({
        test("the demo runs to its end and shows what it promises") {
            val java = File(System.getProperty("java.home"), "bin/java").path
            val demo = ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "io.runledger.samples.demo.DemoKt")
                .redirectErrorStream(true)
                .start()

            val output = demo.inputStream.bufferedReader().readText()

            demo.waitFor() shouldBe 0
            output shouldContain "The ledger is its schema 'runledger'"
            output shouldContain "The run's result: Shipment(order=A-1001, worth=4990, parcels=[Parcel(item=lamp)"
            output shouldContain "warehouse-1 ✘ job.lease_expired, warehouse-2 ✔"
            output shouldContain "✘ warehouse.aisle_blocked"
            output shouldContain "office ✔"
            output shouldContain "did you mean 'approval'?"
            output shouldContain "'approval' waits for 'notify' waits for 'approval'"
        }

        test("the console of the demo shows its ledger until Enter is pressed") {
            val ledger = freshLedger()
            DemoConsole.open(ledger.client).use { console ->
                val request = HttpRequest.newBuilder(console.address).build()
                val page = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())

                page.statusCode() shouldBe 200
                page.body() shouldContain "visitor of the demo"
                val keys = "any keys\nmore".byteInputStream()
                console.waitForEnter(keys)
                keys.readAllBytes().decodeToString() shouldBe "more"
                console.waitForEnter("".byteInputStream())
            }
        }
    })
