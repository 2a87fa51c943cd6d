package io.runledger.console.http

/** What an adapter writes to the browser. */
public class ConsoleResponse(
    @get:JvmName("status") public val status: Int,
    /** Names with their values, in order. A name can occur more than once. */
    @get:JvmName("headers") public val headers: List<Map.Entry<String, String>>,
    @get:JvmName("body") public val body: Body,
) {
    public sealed interface Body

    /** A whole body. */
    public class Bytes(@get:JvmName("bytes") public val bytes: ByteArray) : Body

    /** A stream of server-sent events that stays open until the browser or the console ends it. */
    public fun interface Events : Body {
        /**
         * Begins to send to [sink]. Closing the result ends the subscription. The console also ends it, by [EventSink.end].
         */
        public fun open(sink: EventSink): AutoCloseable
    }
}

/** The open connection of one browser. Calls come from one thread at a time. */
public interface EventSink {
    /** Sends [text], a complete frame of server-sent events. Throws if the connection is closed. */
    public fun send(text: String)

    /** Closes the connection. */
    public fun end()
}
