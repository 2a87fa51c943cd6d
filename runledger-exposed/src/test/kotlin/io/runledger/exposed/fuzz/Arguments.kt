package io.runledger.exposed.fuzz

import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import java.lang.reflect.Executable
import java.lang.reflect.GenericArrayType
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.lang.reflect.ParameterizedType
import java.lang.reflect.Proxy
import java.lang.reflect.Type
import java.lang.reflect.TypeVariable
import java.lang.reflect.WildcardType
import java.time.Duration
import java.time.Instant
import java.time.ZoneId
import java.util.UUID
import java.util.function.Consumer
import kotlin.random.Random

/** [Arguments] cannot create a value of this type. Add a case for it. */
class Unmakeable(type: Type) : RuntimeException("Arguments knows no way to make a $type")

/**
 * Creates arguments by their type: from earlier results, from hostile values, and with public constructors, factories and builders
 * of the model. A new method of a facade is therefore called automatically, and a new kind of parameter fails the test.
 */
class Arguments(
    private val random: Random,
    private val remembered: Remembered,
    private val given: Map<Class<*>, () -> Any?> = emptyMap(),
) {
    val hostile = Hostile(random)

    /** How many of ten values are valid. */
    var tameness = 5

    /** Whether the last call was given null where none is allowed. */
    var hasWrongNull = false
        private set

    fun forCall(call: Executable): List<Any?> {
        hasWrongNull = false
        return arguments(call, 0).toList()
    }

    fun of(type: Type, depth: Int): Any? {
        val raw = raw(type)
        given[raw]?.let { make -> return make().also { if (it == null) hasWrongNull = true } }
        return plain(raw) ?: composed(type, raw, depth)
    }

    private fun plain(raw: Class<*>): Any? = when (raw) {
        String::class.java -> if (isTame()) remembered.any(String::class.java) ?: "mail" else hostile.text()

        UUID::class.java -> if (isTame()) remembered.any(UUID::class.java) ?: UUID.randomUUID() else hostile.uuid()

        Int::class.java, Int::class.javaObjectType -> if (isTame()) random.nextInt(1, 50) else hostile.int()

        Long::class.java, Long::class.javaObjectType -> if (isTame()) random.nextLong(0, 50) else hostile.long()

        Double::class.java -> if (isTame()) random.nextDouble(1.0, 2.0) else hostile.double()

        Boolean::class.java, Boolean::class.javaObjectType -> random.nextBoolean()

        Duration::class.java -> if (isTame()) Duration.ofSeconds(random.nextLong(1, 600)) else hostile.duration()

        Instant::class.java -> if (isTame()) Instant.now().plusSeconds(random.nextLong(-600, 600)) else hostile.instant()

        Scope::class.java -> when {
            !isTame() -> Scope.organization(hostile.uuid())

            // A key is looked for in one scope only.
            oneIn(3) -> Scope.global()

            else -> Scope.everything()
        }

        Json::class.java -> if (isTame()) Json.EMPTY_OBJECT else Json.of(hostile.jsonText())

        Payload::class.java -> payload()

        Any::class.java -> value()

        ZoneId::class.java -> ZoneId.of(
            if (isTame()) "Europe/Berlin" else listOf("UTC", "+18:00", "-18:00", "Z", "America/Scoresbysund").random(random),
        )

        Class::class.java, Type::class.java -> listOf(
            Json::class.java,
            String::class.java,
            Map::class.java,
            Thread::class.java,
        ).random(random)

        Throwable::class.java -> listOf(
            IllegalStateException(hostile.text()),
            StackOverflowError(),
            object : Error() {},
        ).random(random)

        else -> null
    }

    private fun composed(type: Type, raw: Class<*>, depth: Int): Any? = when {
        depth > DEEPEST -> remembered.any(raw).also { if (it == null) hasWrongNull = true }

        raw.isEnum -> raw.enumConstants.random(random)

        Map::class.java.isAssignableFrom(raw) -> times().associate {
            of(element(type, 0), depth + 1) to
                of(element(type, 1), depth + 1)
        }

        Collection::class.java.isAssignableFrom(raw) -> times().map { of(element(type, 0), depth + 1) }.let {
            if (raw == Set::class.java) {
                it.toSet()
            } else {
                it
            }
        }

        raw.isArray -> times().map { of(raw.componentType, depth + 1) }.toArray(raw.componentType)

        raw == Consumer::class.java -> Consumer<Any> { target -> stir(target, depth + 1) }

        else -> remembered.any(raw)?.takeIf { oneIn(2) } ?: made(raw, depth)
    }

    private fun made(raw: Class<*>, depth: Int): Any? {
        if (raw.isSealed) return made(raw.permittedSubclasses.random(random), depth)
        if (raw.isInterface && raw.methods.count { Modifier.isAbstract(it.modifiers) } == 1) return silent(raw)
        val factories = raw.methods.filter { Modifier.isStatic(it.modifiers) }
        val ways = raw.constructors.filter { it.parameterCount > 0 || raw.isRecord }.inOrder() +
            factories.filter { it.returnType == raw && it.name != "valueOf" }.inOrder() +
            factories.filter { it.name == "builder" }.inOrder()
        if (ways.isEmpty()) return remembered.any(raw) ?: throw Unmakeable(raw)
        return when (val way = ways.random(random)) {
            is java.lang.reflect.Constructor<*> -> unwrapped { way.newInstance(*arguments(way, depth)) }

            else -> unwrapped { (way as Method).invoke(null, *arguments(way, depth)) }.let {
                if (way.name == "builder") {
                    built(it!!, depth)
                } else {
                    it
                }
            }
        }
    }

    /** Calls some of a builder's methods, then builds. */
    private fun built(builder: Any, depth: Int): Any? {
        stir(builder, depth)
        return unwrapped { builder.javaClass.getMethod("build").invoke(builder) }
    }

    private fun stir(target: Any, depth: Int) = repeat(random.nextInt(MOST_SETTINGS)) {
        val method = target.javaClass.methods.filter { it.isSetting() }.inOrder().random(random)
        remembered.add(unwrapped { method.invoke(target, *arguments(method, depth)) })
    }

    private fun arguments(call: Executable, depth: Int): Array<Any?> = call.genericParameterTypes.mapIndexed { place, type ->
        val isOptional = call.annotatedParameterTypes[place].annotations.any { it.annotationClass.simpleName == "Nullable" }
        when {
            raw(type).isPrimitive -> of(type, depth + 1)

            isOptional && oneIn(3) -> null

            oneIn(60) -> {
                hasWrongNull = true
                null
            }

            else -> of(type, depth + 1)
        }
    }.toTypedArray()

    private fun payload(): Payload = when (random.nextInt(4)) {
        0 -> Payload.json(hostile.jsonText())
        1 -> Payload.of(value())
        else -> Payload.empty()
    }

    private fun value(): Any? = listOf(
        {
            mapOf("to" to hostile.text())
        }, { hostile.text() }, { hostile.double() }, { null }, { Thread.currentThread() }, { Loop() }, { listOf(1, 2) },
        { hostile.instant() }, { Json.of(hostile.jsonText()) },
    ).random(random)()

    private fun times(): List<Unit> = List(random.nextInt(4)) { }

    private fun isTame() = random.nextInt(10) < tameness

    private fun oneIn(n: Int) = random.nextInt(n) == 0

    private fun element(type: Type, place: Int): Type =
        (type as? ParameterizedType)?.actualTypeArguments?.get(place) ?: String::class.java

    private fun silent(type: Class<*>): Any = Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, method, _ ->
        if (method.returnType == Boolean::class.java) {
            false
        } else {
            null
        }
    }

    private fun Method.isSetting() =
        declaringClass != Any::class.java && !Modifier.isStatic(modifiers) && name != "build" && !isSynthetic &&
            returnType != Void.TYPE

    private fun List<Any?>.toArray(component: Class<*>): Any =
        java.lang.reflect.Array.newInstance(component, size).also { array ->
            forEachIndexed { place, value -> java.lang.reflect.Array.set(array, place, value) }
        }

    /** A value that refers to itself and cannot be encoded. */
    class Loop {
        val self: Loop get() = this
    }

    private companion object {
        const val DEEPEST = 6
        const val MOST_SETTINGS = 6
    }
}

private fun raw(type: Type): Class<*> = when (type) {
    is Class<*> -> type
    is ParameterizedType -> raw(type.rawType)
    is WildcardType -> raw(type.upperBounds.first())
    is TypeVariable<*> -> raw(type.bounds.first())
    is GenericArrayType -> raw(type.genericComponentType).arrayType()
    else -> throw Unmakeable(type)
}

/** The order of reflection differs between processes, and a seed must give the same run everywhere. */
fun <T : Executable> Iterable<T>.inOrder(): List<T> = sortedBy { it.toGenericString() }

/** Calls by reflection, and throws what was thrown. */
fun unwrapped(call: () -> Any?): Any? = try {
    call()
} catch (failure: java.lang.reflect.InvocationTargetException) {
    throw failure.targetException
}
