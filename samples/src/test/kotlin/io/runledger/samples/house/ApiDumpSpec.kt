package io.runledger.samples.house

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotBeEmpty
import org.jetbrains.kotlin.abi.tools.AbiFilters
import org.jetbrains.kotlin.abi.tools.AbiToolsFactory
import java.io.File
import java.util.ServiceLoader

/**
 * The public API of the published modules, as `api/<module>.api` has it. A change of the API changes that file in the same commit:
 * run this spec with `-Drunledger.api.write=true`.
 */
class ApiDumpSpec :
    FunSpec({
        val tools = ServiceLoader.load(AbiToolsFactory::class.java).single().get()
        val modules = listOf(
            "model", "dsl", "exposed", "coroutines", "postgres", "test", "ktor", "opentelemetry", "micrometer", "spring-boot-starter",
            "console",
        ).map { "runledger-$it" }

        modules.forEach { module ->
            test("the public API of $module is the one that is committed") {
                val classes = File(repository, "$module/target/classes").walk().filter {
                    it.extension == "class"
                }.sorted().toList()
                val dump = StringBuilder().also { tools.printJvmDump(it, classes, workerApi) }.toString()
                val committed = File(repository, "$module/api/$module.api")
                if (java.lang.Boolean.getBoolean("runledger.api.write")) {
                    committed.parentFile.mkdirs()
                    committed.writeText(dump)
                }

                dump.shouldNotBeEmpty()
                withClue("The API of $module has changed. If that is intended, run this spec with -Drunledger.api.write=true.") {
                    dump shouldBe committed.readText()
                }
            }
        }
    })

/** Functions for workers are not part of the API for applications. */
private val workerApi =
    AbiFilters(emptySet(), emptySet(), emptySet(), setOf("io.runledger.exposed.worker.WorkerApi"))
