package io.runledger.console.payload

import io.runledger.model.json.Json
import tools.jackson.core.StreamReadConstraints
import tools.jackson.core.StreamWriteConstraints
import tools.jackson.core.json.JsonFactory
import tools.jackson.databind.DeserializationFeature
import tools.jackson.databind.JsonNode
import tools.jackson.databind.cfg.JsonNodeFeature
import tools.jackson.databind.json.JsonMapper

/** JSON as trees. Numbers keep all their digits. */
internal object JsonTrees {
    private val mapper: JsonMapper = JsonMapper.builder(
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(Int.MAX_VALUE).maxNumberLength(Int.MAX_VALUE).maxStringLength(Int.MAX_VALUE)
                    .maxNameLength(Int.MAX_VALUE).build(),
            )
            .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(Int.MAX_VALUE).build())
            .build(),
    )
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .build()

    fun read(json: Json): JsonNode = mapper.readTree(json.text())

    fun write(tree: JsonNode): Json = Json.of(mapper.writeValueAsString(tree))

    fun areEqual(one: Json, other: Json): Boolean = read(one) == read(other)
}
