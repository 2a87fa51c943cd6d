package io.runledger.coroutines

import ch.qos.logback.classic.Level
import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.classic.spi.ThrowableProxyUtil
import ch.qos.logback.core.AppenderBase
import org.slf4j.LoggerFactory
import java.util.concurrent.CopyOnWriteArrayList

/** Everything the library logs at any level, as an appender could print it: message, stack trace and context. */
class Overheard private constructor() : AppenderBase<ILoggingEvent>() {
    private val events = CopyOnWriteArrayList<String>()

    val lines: List<String> get() = events

    override fun append(event: ILoggingEvent) {
        val thrown = event.throwableProxy?.let(ThrowableProxyUtil::asString).orEmpty()
        events += "${event.level} ${event.formattedMessage} ${event.mdcPropertyMap} $thrown"
    }

    companion object {
        suspend fun during(work: suspend () -> Unit): Overheard {
            val logger = LoggerFactory.getLogger("io.runledger") as Logger
            val overheard = Overheard().apply { start() }
            logger.level = Level.TRACE
            logger.addAppender(overheard)
            try {
                work()
            } finally {
                logger.detachAppender(overheard)
                logger.level = null
            }
            return overheard
        }
    }
}
