package io.runledger.exposed.json

import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import tools.jackson.databind.json.JsonMapper
import java.lang.reflect.Type
import java.util.concurrent.ConcurrentHashMap

/**
 * The standard codec, on Jackson. Safe for use by many threads.
 *
 * What it writes depends on no default of Jackson: instants, dates and durations as ISO-8601 text, enums by name, nulls
 * included, no class names. What it reads must be one whole value; properties the class does not know are ignored, so that
 * yesterday's worker reads the payload of tomorrow's producer; numbers of trees and untyped maps are exact. Kotlin classes
 * work unless somebody excludes `jackson-module-kotlin`. [Json] passes through as it is.
 *
 * A value of a declared sealed type says which of its classes it is: `{"@type":"SayHello","name":"Ada"}`, by the class's simple
 * name or its `@JsonTypeName`. A sealed type with a `@JsonTypeInfo` of its own is written as that says.
 *
 * Give a [mapper] of your own to change any of it, best one that was made by [standardMapper] and rebuilt.
 */
public class JacksonCodec
@JvmOverloads
constructor(private val mapper: JsonMapper = standardMapper()) : PayloadCodec {
    private val sealed = ConcurrentHashMap<Class<*>, JsonMapper>()

    override fun encode(value: Any?): Json = encode(value, mapper)

    override fun encode(value: Any?, declared: Type): Json = encode(value, mapperOf(declared))

    override fun decode(json: Json, type: Type): Any? =
        if (type == Json::class.java) json else mapperOf(type).readValue<Any?>(json.text, mapper.constructType(type))

    override fun nameOf(type: Class<*>): String = mapper.nameOf(type)

    private fun encode(value: Any?, mapper: JsonMapper): Json = value as? Json ?: Json(mapper.writeValueAsString(value))

    private fun mapperOf(type: Type): JsonMapper {
        val raw = mapper.constructType(type).rawClass
        return if (raw.isSealed) sealed.computeIfAbsent(raw, mapper::taggingClassesOf) else mapper
    }

    public companion object {
        /** A mapper with the settings described above; `standardMapper().rebuild()` is the start of a variation. */
        @JvmStatic
        public fun standardMapper(): JsonMapper = StandardMapper.build()
    }
}
