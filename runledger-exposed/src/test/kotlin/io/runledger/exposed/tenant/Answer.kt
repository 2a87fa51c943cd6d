package io.runledger.exposed.tenant

import io.runledger.model.error.RunledgerException
import java.lang.reflect.RecordComponent
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException

/** The complete result of a call, with all nested members: a value or a refusal. */
class Answer private constructor(val text: String) {
    /**
     * The same without values that differ between calls: ids are replaced by their order of appearance; times and the names that
     * [tenants] gave to their rows are removed.
     */
    fun comparable(vararg tenants: Tenant): String {
        val ids = LinkedHashMap<String, String>()
        val named = tenants.fold(text) { told, tenant -> told.replace(tenant.key, "<key>") }
        return UUIDS.replace(named) { ids.getOrPut(it.value) { "#${ids.size + 1}" } }
            .replace(INSTANTS, "<instant>")
            .replace(DURATIONS, "<duration>")
            .replace(ROW_NUMBERS, "id=<number>")
    }

    companion object {
        private val UUIDS = Regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
        private val INSTANTS = Regex("""\d{4}-\d\d-\d\dT[\d:.]+Z""")
        private val DURATIONS = Regex("""PT[-\d.HMS]+""")
        private val ROW_NUMBERS = Regex("""\bid=\d+""")

        fun of(call: () -> Any?): Answer = Answer(
            try {
                told(call())
            } catch (refusal: RunledgerException) {
                "refused: ${refusal.code()} ${refusal.message} ${refusal.internalMessage()}"
            },
        )

        private fun told(value: Any?): String = when (value) {
            is CompletableFuture<*> -> told(joined(value))

            is Map<*, *> -> value.entries.map { "${told(it.key)}=${told(it.value)}" }.sorted().toString()

            is Iterable<*> -> value.map(::told).toString()

            is Record -> value.javaClass.recordComponents.joinToString(", ", "${value.javaClass.simpleName}[", "]") {
                "${it.name}=${told(it.of(value))}"
            }

            else -> value.toString()
        }

        private fun joined(future: CompletableFuture<*>): Any? = try {
            future.get()
        } catch (failure: ExecutionException) {
            throw failure.cause ?: failure
        }

        private fun RecordComponent.of(record: Any): Any? = accessor.invoke(record)
    }
}
