package io.runledger.exposed.json

import io.runledger.model.json.Json
import tools.jackson.databind.DeserializationFeature
import tools.jackson.databind.JsonNode
import tools.jackson.databind.json.JsonMapper

private val plain: JsonMapper = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build()

private val exact: JsonMapper by lazy(StandardMapper::build)

/** Any JSON that the ledger accepts, with exact numbers. */
internal fun exactTree(json: Json): JsonNode = exact.readTree(json.text())

/** Maps, lists, texts and numbers as JSON. Independent of the user's codec, for data that the ledger stores for itself. */
internal fun plainJson(value: Any): Json = Json(plain.writeValueAsString(value))

/** The members of a JSON object. Empty for the JSON value `null`. */
@Suppress("UNCHECKED_CAST")
internal fun plainMap(json: Json): Map<String, Any?> =
    (plain.readValue<Map<*, *>?>(json.text(), Map::class.java) ?: emptyMap<String, Any?>()) as Map<String, Any?>
