package io.runledger.samples.demo

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.File

class DemoSpec :
    FunSpec({
        test("the demo runs to its end and shows what it promises") {
            val java = File(System.getProperty("java.home"), "bin/java").path
            val demo = ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "io.runledger.samples.demo.DemoKt")
                .redirectErrorStream(true)
                .start()

            val output = demo.inputStream.bufferedReader().readText()

            demo.waitFor() shouldBe 0
            output shouldContain "Migrated schema 'runledger'"
            output shouldContain "The run's result: Parcel(order=A-1001, tracking=RL-A-1001)"
            output shouldContain "attempt 1 by worker-that-vanishes: LEASE_EXPIRED"
            output shouldContain "attempt 2 by worker-2: SUCCEEDED"
            output shouldContain "did you mean 'approval'?"
            output shouldContain "'approval' waits for 'notify' waits for 'approval'"
            output shouldContain "schema.altered"
            output shouldContain "compatible again"
        }
    })
