package io.runledger.exposed.context

import io.runledger.exposed.sql.exception
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.text.Text
import io.runledger.model.value.HeaderSource
import io.runledger.model.value.Headers

/** The headers that a client stores: those of a request, and those that the client's [source] adds. */
internal class HeaderRules(private val source: HeaderSource?, private val maxBytes: Int) {
    /** The headers of a request, and those of the source for names that the request does not have. */
    fun enqueued(own: Map<String, String>, kind: HeaderSource.Kind, name: String): Map<String, String> {
        if (source == null) return fitting(own) { nounOf(kind, name) }
        val added = added(source, HeaderSource.Target(kind, name))
        if (added.isEmpty()) return fitting(own) { nounOf(kind, name) }
        val all = Headers.merged(own, added)
        val problems = Headers.problems(all)
        if (problems.isNotEmpty()) {
            throw ErrorCode.INVALID_HEADERS.exception(
                "With the headers that the client's header source adds, those of ${nounOf(kind, name)} are not valid: " +
                    "correct the source. ${problems.joinToString(" ")}",
            )
        }
        return fitting(all) { nounOf(kind, name) }
    }

    /** The headers of the job of a step: its own and those of its run. */
    fun ofStep(own: Map<String, String>, ofRun: Map<String, String>, key: String): Map<String, String> {
        if (own.isEmpty()) return ofRun
        val all = Headers.merged(own, ofRun)
        val problems = Headers.problems(all)
        if (problems.isNotEmpty()) {
            throw ErrorCode.INVALID_HEADERS.exception(
                "With the headers of the run, those of step ${Text.quoted(key)} are not valid: " +
                    "remove some of them. ${problems.joinToString(" ")}",
            )
        }
        return fitting(all) { "step ${Text.quoted(key)}" }
    }

    private inline fun fitting(headers: Map<String, String>, noun: () -> String): Map<String, String> {
        if (headers.isEmpty()) return headers
        val size = Headers.size(headers)
        if (size <= maxBytes) return headers
        throw ErrorCode.HEADERS_TOO_LARGE.exception(
            "The headers of ${noun()} have $size bytes: the limit is $maxBytes bytes. Put large values into the payload, or " +
                "raise the client's maxHeadersBytes.",
        )
    }

    /** Read once: the source may return a map that it changes later. */
    private fun added(source: HeaderSource, target: HeaderSource.Target): Map<String, String> = try {
        val given: Map<String, String>? = source.headers(target)
        Headers.copyOf(checkNotNull(given) { "The source returned null instead of a map." })
    } catch (refused: RunledgerException) {
        throw refused
    } catch (failure: RuntimeException) {
        throw ErrorCode.HEADER_SOURCE_FAILED.exception(
            "The header source of the client failed for ${nounOf(target.kind(), target.name())}, and nothing was written: " +
                "correct the source, or let it catch its exceptions.",
            failure.javaClass.name,
            failure,
        )
    }

    private fun nounOf(kind: HeaderSource.Kind, name: String) = when (kind) {
        HeaderSource.Kind.JOB -> "a ${Text.quoted(name)} job"
        HeaderSource.Kind.RUN -> "workflow ${Text.quoted(name)}"
        HeaderSource.Kind.SCHEDULE -> "schedule ${Text.quoted(name)}"
        HeaderSource.Kind.FIRE -> "a fire of schedule ${Text.quoted(name)}"
        HeaderSource.Kind.GATE -> "the completion of gate ${Text.quoted(name)}"
    }

    companion object {
        const val DEFAULT_MAX_BYTES = 16 * 1024
    }
}
