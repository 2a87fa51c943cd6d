package io.runledger.console.page

import io.runledger.console.picture.PictureStyles
import io.runledger.console.visit.Visit
import java.security.MessageDigest
import java.util.HexFormat

/** Style sheets, scripts and pictures of the console. Their addresses change with their content, so browsers may keep them. */
internal class Assets {
    class Asset(val bytes: ByteArray, val contentType: String, val version: String)

    private val files: Map<String, Asset> = mapOf(
        "console.css" to ("text/css" to "asset/console.css"),
        "console.js" to ("text/javascript" to "asset/console.js"),
        "icon.svg" to ("image/svg+xml" to "asset/icon.svg"),
    ).mapValues { (_, place) -> asset(place.first, "/io/runledger/console/${place.second}") } +
        mapOf(
            "picture.css" to asset("text/css", PictureStyles.css().toByteArray()),
            "htmx.min.js" to asset("text/javascript", "/META-INF/resources/webjars/htmx.org/${htmxVersion()}/dist/htmx.min.js"),
        )

    fun find(name: String): Asset? = files[name]

    fun address(visit: Visit, name: String): String = visit.link("/asset/$name", "v" to files.getValue(name).version)

    private fun asset(contentType: String, resource: String): Asset = asset(
        contentType,
        checkNotNull(javaClass.getResourceAsStream(resource)) { "The resource $resource is missing." }.use { it.readBytes() },
    )

    private fun asset(contentType: String, bytes: ByteArray): Asset {
        val hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)).take(12)
        return Asset(bytes, "$contentType; charset=utf-8", hash)
    }

    /** The version of htmx is in the path of its web jar, and in the properties that Maven adds to it. */
    private fun htmxVersion(): String {
        val properties = java.util.Properties()
        val resource = "/META-INF/maven/org.webjars.npm/htmx.org/pom.properties"
        checkNotNull(javaClass.getResourceAsStream(resource)) { "The web jar of htmx is missing from the class path." }
            .use(properties::load)
        return properties.getProperty("version")
    }
}
