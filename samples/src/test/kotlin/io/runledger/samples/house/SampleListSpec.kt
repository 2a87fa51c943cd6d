package io.runledger.samples.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import java.io.File

class SampleListSpec :
    FunSpec({
        test("samples/README.md lists every sample, and no other") {
            val samples = File(System.getProperty("runledger.root"), "samples")
            val listed = Regex("""]\((src/main/[^)]+)\)""").findAll(samples.resolve("README.md").readText()).map {
                it.groupValues[1]
            }

            val present = listOf("kotlin", "java").flatMap { language ->
                samples.resolve("src/main/$language/io/runledger/samples").listFiles { it.isFile }.orEmpty().toList()
            }

            listed.toList() shouldContainExactlyInAnyOrder present.map { it.toRelativeString(samples) }
        }
    })
