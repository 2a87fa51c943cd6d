package io.runledger.console.servlet

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.console.http.ConsoleResponse
import io.runledger.console.http.EventSink
import jakarta.servlet.AsyncContext
import jakarta.servlet.AsyncEvent
import jakarta.servlet.AsyncListener
import jakarta.servlet.ServletOutputStream
import jakarta.servlet.ServletResponse
import jakarta.servlet.WriteListener
import java.io.IOException
import java.lang.reflect.Proxy

/** A container whose browser reads only while [isReading]. */
private class Container {
    val written = ArrayList<String>()
    var isReading = true
    var isCompleted = false
    var listener: AsyncListener? = null
    var writing: WriteListener? = null

    private val output = object : ServletOutputStream() {
        override fun isReady() = isReading

        override fun setWriteListener(listener: WriteListener) {
            writing = listener
        }

        override fun write(byte: Int) = throw UnsupportedOperationException()

        override fun write(bytes: ByteArray) {
            check(isReading) { "A write would wait for the browser." }
            written += bytes.decodeToString()
        }

        override fun flush() = check(isReading) { "A flush would wait for the browser." }
    }

    private val response = proxy(ServletResponse::class.java) { name, _ -> if (name == "getOutputStream") output else null }

    val context: AsyncContext = proxy(AsyncContext::class.java) { name, arguments ->
        when (name) {
            "getResponse" -> response
            "addListener" -> null.also { listener = arguments[0] as AsyncListener }
            "complete" -> null.also { isCompleted = true }
            else -> null
        }
    }

    private fun <T> proxy(type: Class<T>, answer: (String, Array<out Any>) -> Any?): T = type.cast(
        Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, method, arguments ->
            answer(method.name, arguments.orEmpty())
        },
    )
}

class EventStreamSpec :
    FunSpec({
        fun stream(container: Container, closed: () -> Unit = {}): EventSink {
            lateinit var sink: EventSink
            EventStream(container.context).begin(
                ConsoleResponse.Events {
                    sink = it
                    it.send("open")
                    AutoCloseable(closed)
                },
            )
            return sink
        }

        test("frames wait until the container asks for them, and then go out at once") {
            val container = Container()
            val sink = stream(container)
            sink.send("first")
            container.written shouldContainExactly emptyList()

            container.writing!!.onWritePossible()
            sink.send("second")

            container.written shouldContainExactly listOf("open", "first", "second")
        }

        test("a browser that does not read holds up no sender, and is disconnected when it falls behind") {
            val container = Container()
            var isClosed = false
            val sink = stream(container) { isClosed = true }
            container.writing!!.onWritePossible()
            container.isReading = false

            repeat(16) { sink.send("frame $it") }
            shouldThrow<IOException> { sink.send("one too many") }
            sink.end()

            container.isCompleted shouldBe true
            isClosed shouldBe true
        }

        test("a browser that reads again gets what has waited") {
            val container = Container()
            val sink = stream(container)
            container.writing!!.onWritePossible()
            container.isReading = false
            sink.send("first")
            sink.send("second")

            container.isReading = true
            container.writing!!.onWritePossible()

            container.written shouldContainExactly listOf("open", "first", "second")
        }

        test("the subscription ends with the request, however that ends") {
            listOf<(Container) -> Unit>(
                { it.listener!!.onComplete(AsyncEvent(it.context)) },
                { it.listener!!.onError(AsyncEvent(it.context, IOException("reset"))) },
                { it.listener!!.onTimeout(AsyncEvent(it.context)) },
                { it.writing!!.onError(IOException("reset")) },
            ).forEach { ending ->
                val container = Container()
                var closed = 0
                val sink = stream(container) { closed++ }

                ending(container)
                sink.end()

                closed shouldBe 1
                shouldThrow<IOException> { sink.send("late") }
            }
        }

        test("a stream that the console ends while it begins is closed") {
            val container = Container()
            var isClosed = false

            EventStream(container.context).begin(
                ConsoleResponse.Events {
                    it.end()
                    AutoCloseable { isClosed = true }
                },
            )

            isClosed shouldBe true
            container.isCompleted shouldBe true
            container.writing shouldBe null
        }
    })
