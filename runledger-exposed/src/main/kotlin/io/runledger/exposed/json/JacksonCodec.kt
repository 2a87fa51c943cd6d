package io.runledger.exposed.json

import io.runledger.model.json.Json
import io.runledger.model.json.PayloadCodec
import tools.jackson.databind.ObjectReader
import tools.jackson.databind.json.JsonMapper
import java.lang.reflect.Type
import java.util.concurrent.ConcurrentHashMap

/**
 * The standard codec, on Jackson. Safe for use by many threads.
 *
 * The output does not depend on Jackson's defaults: instants, dates and durations are ISO-8601 texts, enums are names, nulls
 * are included, class names are not. The input must be one complete value. Unknown properties are ignored, so that an older
 * worker can read the payload of a newer producer. Numbers in trees and untyped maps are exact. Kotlin classes are supported
 * unless `jackson-module-kotlin` is excluded. [Json] passes through unchanged.
 *
 * A value of a declared sealed type includes the name of its class: `{"@type":"SayHello","name":"Ada"}`, by the simple name of
 * the class or its `@JsonTypeName`. A sealed type with its own `@JsonTypeInfo` is written accordingly.
 *
 * To change the format, pass your own [mapper], preferably one rebuilt from [standardMapper].
 */
public class JacksonCodec
@JvmOverloads
constructor(private val mapper: JsonMapper = standardMapper()) : PayloadCodec {
    private val sealed = ConcurrentHashMap<Class<*>, JsonMapper>()
    private val readers = ConcurrentHashMap<Type, ObjectReader>()

    override fun encode(value: Any?): Json = encode(value, mapper)

    override fun encode(value: Any?, declared: Type): Json = encode(value, mapperOf(declared))

    override fun prepare(type: Type) {
        if (type != Json::class.java) readerOf(type)
    }

    override fun decode(json: Json, type: Type): Any? =
        if (type == Json::class.java) json else readerOf(type).readValue<Any?>(json.text)

    override fun nameOf(type: Class<*>): String = mapper.nameOf(type)

    private fun encode(value: Any?, mapper: JsonMapper): Json = value as? Json ?: Json(mapper.writeValueAsString(value))

    private fun readerOf(type: Type): ObjectReader =
        readers[type] ?: readers.computeIfAbsent(type) { mapperOf(it).readerFor(mapper.constructType(it)) }

    private fun mapperOf(type: Type): JsonMapper {
        val raw = mapper.constructType(type).rawClass
        return if (raw.isSealed) sealed.computeIfAbsent(raw, mapper::taggingClassesOf) else mapper
    }

    public companion object {
        /** A mapper with the settings described above. To change some of them, use `standardMapper().rebuild()`. */
        @JvmStatic
        public fun standardMapper(): JsonMapper = StandardMapper.build()
    }
}
