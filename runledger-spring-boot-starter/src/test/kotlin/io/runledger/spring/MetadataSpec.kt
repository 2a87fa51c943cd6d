package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.coroutines.WorkerConfig
import org.springframework.boot.convert.DurationStyle
import tools.jackson.databind.JsonNode
import tools.jackson.databind.json.JsonMapper
import java.io.File
import java.time.Duration

/** The metadata for completion and the page name the properties that are bound, with the defaults that hold. */
class MetadataSpec :
    FunSpec({
        val metadata = JsonMapper().readTree(
            RunledgerProperties::class.java.getResourceAsStream("/META-INF/spring-configuration-metadata.json"),
        )
        val described = metadata["properties"].associateBy { it["name"].asString() }

        fun names(type: Class<*>, prefix: String): List<String> = type.recordComponents.flatMap { component ->
            val name = prefix + component.name.replace(Regex("[A-Z]")) { "-" + it.value.lowercase() }
            if (component.type.isRecord) names(component.type, "$name.") else listOf(name)
        }

        test("every property is described, and no other") {
            described.keys shouldContainExactlyInAnyOrder names(RunledgerProperties::class.java, "runledger.")
            described.values.filter { it["description"].asString().isBlank() }.shouldBeEmpty()
        }

        test("every setting of a worker has a property") {
            val settings = WorkerConfig::class.java.methods
                .filter { it.declaringClass == WorkerConfig::class.java && it.parameterCount == 0 && !it.isStatic() }
                .map { it.name }
            val properties = RunledgerProperties.Worker::class.java.recordComponents.map { it.name }

            settings.filterNot { it in properties }.shouldBeEmpty()
        }

        test("the default of a duration, a number or a switch is the default of the worker") {
            val config = WorkerConfig.defaults()
            val wrong = RunledgerProperties.Worker::class.java.recordComponents.mapNotNull { component ->
                val name = names(RunledgerProperties.Worker::class.java, "runledger.worker.").single {
                    it.removePrefix("runledger.worker.").replace("-", "") == component.name.lowercase()
                }
                val getter = WorkerConfig::class.java.methods.find { it.name == component.name && it.parameterCount == 0 }
                val value =
                    getter?.invoke(config)?.takeIf { it is Duration || it is Int || it is Boolean } ?: return@mapNotNull null
                val default = described.getValue(name)["defaultValue"]
                "$name is $default, not $value".takeUnless { default != null && parsed(default, value) == value }
            }

            wrong.shouldBeEmpty()
        }

        test("the page has a row for every property") {
            val page = File(System.getProperty("runledger.root"), "docs/spring-boot.md").readText()

            described.forEach { (name, property) ->
                page shouldContain "| `$name` | ${property["defaultValue"]?.let { "`${it.asString()}`" }.orEmpty()} | " +
                    property["description"].asString()
            }
            Regex("""(?m)^\| `runledger\.""").findAll(page).count() shouldBe described.size
        }
    })

private fun parsed(default: JsonNode, like: Any): Any = when (like) {
    is Duration -> DurationStyle.detectAndParse(default.asString())
    is Int -> default.asInt()
    else -> default.asBoolean()
}

private fun java.lang.reflect.Method.isStatic() = java.lang.reflect.Modifier.isStatic(modifiers)
