package io.runledger.coroutines

import io.runledger.model.handler.Deferral
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.LogLevel
import io.runledger.model.job.JobStage
import io.runledger.model.workflow.Input
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible
import java.lang.reflect.Type
import kotlin.reflect.javaType
import kotlin.reflect.typeOf

/**
 * The context of one attempt, passed to a suspending handler. The functions of [JobContext] that access the ledger block their
 * thread. Those that are declared here suspend instead, and do the same otherwise.
 *
 * @param job the context of the attempt, in a test for example a context of its own
 */
public open class SuspendingJobContext<P>(private val job: JobContext<P>) : JobContext<P> by job {
    /** [JobContext.progress] for suspending handlers. */
    public suspend fun reportProgress(done: Long, total: Long): Unit = suspending { progress(done, total) }

    /** [JobContext.stage] for suspending handlers. */
    public suspend fun enterStage(stage: JobStage): Unit = suspending { stage(stage) }

    /** [JobContext.saveCheckpoint] for suspending handlers. */
    public suspend fun keepCheckpoint(checkpoint: Any?): Unit = suspending { saveCheckpoint(checkpoint) }

    /** [JobContext.log] for suspending handlers. */
    public suspend fun writeLog(level: LogLevel, message: String): Unit = suspending { log(level, message) }

    /** [JobContext.input] for suspending handlers. */
    public suspend fun <T : Any> readInput(input: Input<T>): T = suspending { input(input) }

    /** [JobContext.inputs] for suspending handlers. */
    public suspend fun <T : Any> readInputs(input: Input<T>): List<T> = suspending { inputs(input) }

    /** [JobContext.output] for suspending handlers: null where that is empty. */
    @OptIn(ExperimentalStdlibApi::class)
    public suspend inline fun <reified T : Any> readOutput(stepKey: String): T? = readOutput(stepKey, typeOf<T>().javaType)

    /** [JobContext.output] for suspending handlers: null where that is empty. */
    public suspend fun <T : Any> readOutput(stepKey: String, type: Class<T>): T? = readOutput(stepKey, type as Type)

    /** [JobContext.output] as a generic [type] for suspending handlers: null where that is empty. */
    public suspend fun <T : Any> readOutput(stepKey: String, type: Type): T? =
        suspending { output<T>(stepKey, type).orElse(null) }

    /** [JobContext.deferUntil] for suspending handlers: the outcome to return if [condition] is not met, or null to continue. */
    public suspend fun deferUntilMet(deferral: Deferral, condition: suspend () -> Boolean): JobOutcome? =
        if (condition()) null else deferral.unmet(this)

    /** [JobContext.runContext] for suspending handlers: null where that is empty. */
    @OptIn(ExperimentalStdlibApi::class)
    public suspend inline fun <reified T : Any> readRunContext(name: String): T? = readRunContext(name, typeOf<T>().javaType)

    /** [JobContext.runContext] for suspending handlers: null where that is empty. */
    public suspend fun <T : Any> readRunContext(name: String, type: Class<T>): T? = readRunContext(name, type as Type)

    /** [JobContext.runContext] as a generic [type] for suspending handlers: null where that is empty. */
    public suspend fun <T : Any> readRunContext(name: String, type: Type): T? =
        suspending { runContext<T>(name, type).orElse(null) }

    /** [JobContext.checkpoint], null where that is empty. */
    @OptIn(ExperimentalStdlibApi::class)
    public inline fun <reified T : Any> checkpoint(): T? = checkpoint<T>(typeOf<T>().javaType).orElse(null)

    /** The text of the wrapped context. */
    override fun toString(): String = job.toString()

    private suspend fun <T> suspending(call: JobContext<P>.() -> T): T = runInterruptible(Dispatchers.IO) { job.call() }
}
