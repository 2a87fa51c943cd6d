package io.runledger.exposed.fuzz

import java.util.Optional
import java.util.UUID
import kotlin.random.Random

/** The parts of earlier results, for later calls: only existing ids, names, leases and cursors reach beyond the first checks. */
class Remembered(private val random: Random) {
    // In the order of arrival: the hash of a class differs between processes, and the seed alone must decide the choice.
    private val byType = LinkedHashMap<Class<*>, ArrayDeque<Any>>()

    fun add(value: Any?) {
        when (value) {
            null -> return

            is Iterable<*> -> value.take(MANY).forEach(::add)

            is Map<*, *> -> value.entries.take(MANY).forEach {
                add(it.key)
                add(it.value)
            }

            is Optional<*> -> add(value.orElse(null))

            is String -> if (value.length <= SHORT) keep(value)

            is UUID -> keep(value)

            is Record -> {
                keep(value)
                value.javaClass.recordComponents.forEach { add(it.accessor.invoke(value)) }
            }

            is Enum<*> -> Unit

            else -> if (value.javaClass.packageName in declarations) keep(value)
        }
    }

    fun <T : Any> any(type: Class<T>): T? =
        byType.filterKeys { type.isAssignableFrom(it) }.values.flatten().randomOrNull(random)?.let(type::cast)

    private fun keep(value: Any) {
        val known = byType.getOrPut(value.javaClass) { ArrayDeque() }
        known.addLast(value)
        if (known.size > KEPT) known.removeAt(random.nextInt(KEPT))
    }

    private companion object {
        /** Job types, workflow types and references to steps. */
        val declarations = setOf("io.runledger.model.job", "io.runledger.model.workflow")
        const val KEPT = 60
        const val MANY = 5
        const val SHORT = 400
    }
}
