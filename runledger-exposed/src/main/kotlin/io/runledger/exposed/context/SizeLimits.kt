package io.runledger.exposed.context

/** The size limits of a client: bytes of UTF-8, and lines of a log. */
internal class SizeLimits(
    val payloadBytes: Int,
    val outputBytes: Int,
    val checkpointBytes: Int,
    val contextBytes: Int,
    val factsBytes: Int,
    val logLines: Int,
)
