package io.runledger.exposed.json

import io.runledger.model.json.Json
import tools.jackson.core.JacksonException
import tools.jackson.databind.json.JsonMapper
import java.sql.ResultSet
import java.util.Collections

private val mapper = JsonMapper()

/** Headers as columns hold them; null if there are none. */
internal fun Map<String, String>.storedHeaders(): Json? = if (isEmpty()) null else plainJson(this)

/**
 * Headers that a column holds. Entries that were changed by hand and are not texts are left out: a job must run without them
 * too.
 */
internal fun readHeaders(stored: String?): Map<String, String> {
    if (stored == null) return emptyMap()
    val members = try {
        mapper.readValue(stored, Any::class.java) as? Map<*, *>
    } catch (_: JacksonException) {
        null
    }
    val headers = HashMap<String, String>()
    members?.forEach { (name, value) -> if (name is String && value is String) headers[name] = value }
    return Collections.unmodifiableMap(headers)
}

internal fun ResultSet.headers(): Map<String, String> = readHeaders(getString("headers"))
