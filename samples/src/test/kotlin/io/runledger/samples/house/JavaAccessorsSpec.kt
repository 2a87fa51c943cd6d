package io.runledger.samples.house

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import java.io.File

/**
 * Java reads a value as `ledger.client()`, never as `ledger.getClient()`: the model consists of records, and the Kotlin modules follow
 * them. The committed API of the modules shows the accessors.
 */
class JavaAccessorsSpec :
    FunSpec({
        val modules = listOf("model", "dsl", "exposed", "coroutines", "postgres", "test", "micrometer", "console").map {
            "runledger-$it"
        }

        modules.forEach { module ->
            test("no accessor of $module begins with get") {
                accessors(File(repository, "$module/api/$module.api").readText()).shouldBeEmpty()
            }
        }

        test("an accessor is found, unless the language or Exposed prescribes its name") {
            val api = """
                public final class io/runledger/test/TestLedger : java/lang/AutoCloseable {
                	public final fun client ()Lio/runledger/exposed/RunledgerClient;
                	public final fun getClient ()Lio/runledger/exposed/RunledgerClient;
                	public abstract fun getPort ()I
                	public final fun getStep (Ljava/util/UUID;)Lio/runledger/model/run/WorkflowStep;
                }

                public final class io/runledger/exposed/lifecycle/Destroying : java/lang/Enum {
                	public static fun getEntries ()Lkotlin/enums/EnumEntries;
                }

                public final class io/runledger/exposed/table/WorkersTable : io/runledger/exposed/table/LedgerTable {
                	public final fun getHost ()Lorg/jetbrains/exposed/v1/core/Column;
                }
            """.trimIndent()

            accessors(api) shouldContainExactly
                listOf("io/runledger/test/TestLedger.getClient", "io/runledger/test/TestLedger.getPort")
        }
    })

/** A function without parameters whose name begins with `get`. */
private val accessor = Regex("""\bfun (get[A-Z]\w*) \(\)(.*)""")

/** The tables of Exposed's DSL, which only Kotlin code can use: their columns are ordinary properties, as in every such table. */
private const val TABLES = "io/runledger/exposed/table/"

private fun accessors(api: String): List<String> {
    var type = ""
    return api.lines().mapNotNull { line ->
        if (line.startsWith("public ")) type = line.substringAfter("class ").substringBefore(' ')
        accessor.find(line)?.takeUnless { type.startsWith(TABLES) || it.groupValues[2].startsWith("Lkotlin/enums/") }
            ?.let { "$type.${it.groupValues[1]}" }
    }
}
