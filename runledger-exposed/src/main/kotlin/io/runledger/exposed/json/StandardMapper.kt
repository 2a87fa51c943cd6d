package io.runledger.exposed.json

import com.fasterxml.jackson.annotation.JsonInclude
import tools.jackson.core.StreamReadConstraints
import tools.jackson.core.StreamWriteConstraints
import tools.jackson.core.json.JsonFactory
import tools.jackson.core.json.JsonWriteFeature
import tools.jackson.databind.DeserializationFeature
import tools.jackson.databind.MapperFeature
import tools.jackson.databind.SerializationFeature
import tools.jackson.databind.cfg.DateTimeFeature
import tools.jackson.databind.cfg.EnumFeature
import tools.jackson.databind.cfg.JsonNodeFeature
import tools.jackson.databind.json.JsonMapper
import tools.jackson.module.kotlin.KotlinFeature
import tools.jackson.module.kotlin.KotlinModule

/** Every setting that affects stored JSON, explicit even where it is Jackson's current default. */
internal object StandardMapper {
    private const val DEPTH = 512
    private const val NUMBER_LENGTH = 20_100
    private const val KOTLIN_MODULE = "tools.jackson.module.kotlin.KotlinModule"

    fun build(): JsonMapper = JsonMapper
        .builder(factory())
        .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
        .disable(DateTimeFeature.WRITE_DATE_KEYS_AS_TIMESTAMPS, DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
        .disable(DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE, DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
        .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
        .disable(EnumFeature.WRITE_ENUMS_USING_INDEX, EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .enable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST, MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS, SerializationFeature.INDENT_OUTPUT)
        .disable(SerializationFeature.WRITE_CHAR_ARRAYS_AS_JSON_ARRAYS)
        .changeDefaultPropertyInclusion {
            JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS)
        }
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .apply { if (isKotlinModulePresent()) KotlinSupport.addTo(this) }
        .build()

    // The limits of the model's JSON, not Jackson's stricter ones: every value that the ledger accepts must be readable.
    private fun factory() = JsonFactory
        .builder()
        .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH).maxNumberLength(NUMBER_LENGTH).build())
        .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(DEPTH).build())
        .enable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
        .build()

    private fun isKotlinModulePresent(): Boolean = try {
        Class.forName(KOTLIN_MODULE, false, StandardMapper::class.java.classLoader)
        true
    } catch (_: ClassNotFoundException) {
        false
    }

    /** Separate, so that the optional module is not loaded when it is absent. */
    private object KotlinSupport {
        /** New in version 3.2 of the module. Spring Boot 4.1 manages 3.1, where Kotlin's own `Instant` is not supported. */
        private const val INSTANT_CONVERSION = "UseJavaInstantConversion"

        fun addTo(builder: JsonMapper.Builder) {
            builder.addModule(
                KotlinModule
                    .Builder()
                    .enable(KotlinFeature.StrictNullChecks)
                    .enable(KotlinFeature.SingletonSupport)
                    .disable(KotlinFeature.NullIsSameAsDefault)
                    .enable(KotlinFeature.UseJavaDurationConversion)
                    .apply { KotlinFeature.values().filter { it.name == INSTANT_CONVERSION }.forEach(::enable) }
                    .build(),
            )
        }
    }
}
