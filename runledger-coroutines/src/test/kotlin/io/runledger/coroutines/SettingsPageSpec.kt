package io.runledger.coroutines

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import java.io.File
import java.lang.reflect.Modifier
import java.time.Duration

/** `docs/settings.md` and the code must not drift apart. */
class SettingsPageSpec :
    FunSpec({
        val page = File(System.getProperty("runledger.root"), "docs/settings.md").readText()
        val rows = Regex("""^\| `(\w+)` \|([^|]*)\|([^|]*)\|""", RegexOption.MULTILINE).findAll(page)
            .map { row -> Row(row.groupValues[1], row.groupValues[2].trim().trim('`'), row.groupValues[3].trim()) }
            .toList()

        test("every setting stands on the page, once, and the page tells of no other") {
            val settings = WorkerConfig.Builder::class.java.methods
                .filter { Modifier.isPublic(it.modifiers) && it.declaringClass == WorkerConfig.Builder::class.java }
                .map { it.name }
                .filterNot { it == "build" || it == "env" || '$' in it }
                .distinct()

            rows.map { it.setting } shouldContainExactlyInAnyOrder settings
        }

        test("every variable stands beside the setting it is about") {
            rows.map { it.variable }.filter { it.startsWith("JOBS_") } shouldContainExactlyInAnyOrder
                WorkerVariable.entries.map { it.variable }
        }

        test("the defaults on the page are the code's") {
            val defaults = WorkerConfig.defaults()
            rows.filter { it.default.toIntOrNull() != null || it.default.first().isDigit() }.forEach { row ->
                val value = defaults.javaClass.getMethod(row.setting).invoke(defaults)
                row.setting to row.default shouldBe (row.setting to if (value is Duration) value.words() else "$value")
            }
        }

        test("settings are sorted by how often they are needed") {
            Regex("^## (.*)$", RegexOption.MULTILINE).findAll(page).map { it.groupValues[1] }.toList() shouldContainExactly
                listOf("Essential", "Frequent", "Rare")
        }
    })

private data class Row(val setting: String, val variable: String, val default: String)

private fun Duration.words(): String = when {
    toMillis() < 1_000 -> "${toMillis()} ms"
    toSeconds() % 60 != 0L || toSeconds() == 0L -> "${toSeconds()} s"
    toDays() > 1 && this == Duration.ofDays(toDays()) -> "${toDays()} days"
    else -> "${toMinutes()} min"
}
