package io.runledger.console.payload

import java.lang.reflect.Modifier
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Instant
import java.time.LocalDate
import java.util.UUID
import kotlin.reflect.KClass

/** A member of a flat payload class, as a form shows it. */
internal class PayloadMember(
    val name: String,
    val kind: Kind,
    /** The values of an enum. */
    val choices: List<String>,
    /** A value that the class accepts. */
    val example: String,
) {
    enum class Kind { TEXT, WHOLE_NUMBER, NUMBER, BOOLEAN, DATE, CHOICE }

    companion object {
        /** The members of [type] if all of them are texts, numbers, dates and the like; null for any other class. */
        fun of(type: Class<*>): List<PayloadMember>? {
            val values = when {
                type.isRecord -> type.recordComponents.map { it.name to it.type }
                isPlain(type) -> type.declaredFields.filter { isOwn(it.modifiers) && !it.isSynthetic }.map { it.name to it.type }
                else -> emptyList()
            }
            val members = values.mapNotNull { (name, valueType) -> of(name, valueType) }
            return members.takeIf { it.isNotEmpty() && it.size == values.size }
        }

        /** Whether all data of [type] is in its own fields. */
        private fun isPlain(type: Class<*>) =
            type.superclass == Any::class.java && !type.isArray && !type.name.startsWith("java.")

        private fun isOwn(modifiers: Int) = !Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)

        private fun of(name: String, type: Class<*>): PayloadMember? {
            if (type.isEnum) {
                val choices = type.enumConstants.map { (it as Enum<*>).name }
                return PayloadMember(name, Kind.CHOICE, choices, choices.firstOrNull().orEmpty())
            }
            val (kind, example) = kinds[type] ?: return null
            return PayloadMember(name, kind, emptyList(), example)
        }

        private val kinds: Map<Class<*>, Pair<Kind, String>> = buildMap {
            put(String::class.java, Kind.TEXT to "")
            put(UUID::class.java, Kind.TEXT to "00000000-0000-0000-0000-000000000000")
            put(Instant::class.java, Kind.TEXT to "2026-01-01T00:00:00Z")
            put(LocalDate::class.java, Kind.DATE to "2026-01-01")
            put(BigInteger::class.java, Kind.WHOLE_NUMBER to "0")
            put(BigDecimal::class.java, Kind.NUMBER to "0")
            both(Int::class, Kind.WHOLE_NUMBER, "0")
            both(Long::class, Kind.WHOLE_NUMBER, "0")
            both(Short::class, Kind.WHOLE_NUMBER, "0")
            both(Byte::class, Kind.WHOLE_NUMBER, "0")
            both(Double::class, Kind.NUMBER, "0")
            both(Float::class, Kind.NUMBER, "0")
            both(Boolean::class, Kind.BOOLEAN, "false")
        }

        private fun MutableMap<Class<*>, Pair<Kind, String>>.both(type: KClass<*>, kind: Kind, example: String) {
            put(checkNotNull(type.javaPrimitiveType), kind to example)
            put(type.javaObjectType, kind to example)
        }
    }
}
