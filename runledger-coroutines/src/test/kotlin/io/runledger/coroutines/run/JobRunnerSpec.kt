package io.runledger.coroutines.run

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.HandlersScope
import io.runledger.coroutines.JobInterceptor
import io.runledger.coroutines.attempt.AttemptCancellation
import io.runledger.coroutines.blockingAttempt
import io.runledger.coroutines.currentJob
import io.runledger.coroutines.handlers
import io.runledger.model.failure.FailureKind
import io.runledger.model.handler.Cancellation.Reason
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.slf4j.MDC
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

private val greet = JobType.of("greet", String::class.java)

@OptIn(ExperimentalCoroutinesApi::class)
class JobRunnerSpec :
    FunSpec({
        suspend fun run(
            registry: Handlers,
            cancellation: AttemptCancellation = AttemptCancellation(),
            timeout: Duration = 1.minutes,
            stopGrace: Duration = 10.seconds,
            interceptors: List<JobInterceptor> = emptyList(),
        ): EndedHandler {
            @Suppress("UNCHECKED_CAST")
            val registration = registry.of("greet") as Handlers.Registration<String>
            val scope = CoroutineScope(currentCoroutineContext() + SupervisorJob())
            val watch = scope.launch {
                delay(timeout)
                cancellation.request(Reason.TIMEOUT)
            }
            val outcome = CompletableDeferred<JobOutcome?>()
            JobRunner(scope, scope, blockingDispatcher(4), interceptors, stopGrace, "runledger")
                .start(registration.handler, FixedJob("Ada"), cancellation, timeout, onEnd = outcome::complete)
            return EndedHandler(outcome.await(), cancellation).also { watch.cancel() }
        }

        suspend fun run(timeout: Duration = 1.minutes, handler: HandlersScope.() -> Unit): JobOutcome =
            checkNotNull(run(handlers(handler), timeout = timeout).outcome)

        fun failureOf(outcome: JobOutcome) = outcome.shouldBeInstanceOf<JobOutcome.Failed>().failure()

        context("a handler that does not suspend") {
            /** Runs [handler] on a thread of its own until it has begun. */
            suspend fun begun(cancellation: AttemptCancellation, handler: suspend () -> Unit): CompletableDeferred<JobOutcome?> {
                val begun = CompletableDeferred<Unit>()
                val outcome = CompletableDeferred<JobOutcome?>()
                val registry = handlers {
                    on(greet) {
                        begun.complete(Unit)
                        handler()
                    }
                }

                @Suppress("UNCHECKED_CAST")
                val registration = registry.of("greet") as Handlers.Registration<String>
                val scope = CoroutineScope(Dispatchers.Default + SupervisorJob())
                val runner = JobRunner(scope, scope, blockingDispatcher(4), emptyList(), 10.seconds, "runledger")
                thread {
                    runner.start(registration.handler, FixedJob("Ada"), cancellation, 1.minutes, onEnd = outcome::complete)
                }
                begun.await()
                return outcome
            }

            test("is cancelled while it runs") {
                val cancellation = AttemptCancellation()
                val outcome = begun(cancellation) { while (currentCoroutineContext().isActive) Thread.onSpinWait() }

                cancellation.request(Reason.CANCELED)

                withTimeout(30.seconds) { outcome.await() } shouldBe null
                cancellation.stopped shouldBe Reason.CANCELED
                cancellation.stuck shouldBe null
            }

            test("counts as a timeout if it returns after it") {
                val cancellation = AttemptCancellation()
                val gate = CountDownLatch(1)
                val outcome = begun(cancellation) { gate.await() }

                cancellation.request(Reason.TIMEOUT)
                gate.countDown()

                failureOf(checkNotNull(outcome.await())).kind() shouldBe FailureKind.TIMEOUT
            }
        }

        test("a returned value is the output, nothing is success without output, an outcome is itself") {
            run { on(greet) { "hello ${it.payload()}" } } shouldBe JobOutcome.succeeded("hello Ada")
            run { on(greet) { } } shouldBe JobOutcome.succeeded()
            run { on(greet) { null } } shouldBe JobOutcome.succeeded(null)
            run { on(greet) { JobOutcome.canceled("not wanted") } } shouldBe JobOutcome.canceled("not wanted")
        }

        test("blocking and CompletionStage handlers run the same way") {
            run { blocking(greet) { JobOutcome.succeeded(it.payload()) } } shouldBe JobOutcome.succeeded("Ada")
            run { async(greet) { CompletableFuture.completedFuture(JobOutcome.succeeded(it.payload())) } } shouldBe
                JobOutcome.succeeded("Ada")
        }

        test("an exception is a retryable failure with class and message") {
            val thrown = listOf<HandlersScope.() -> Unit>(
                { on(greet) { error("no such person") } },
                { blocking(greet) { error("no such person") } },
                { async(greet) { CompletableFuture.failedFuture(IllegalStateException("no such person")) } },
            ).map { failureOf(run(handler = it)) }

            thrown.forEach {
                it.kind() shouldBe FailureKind.RETRYABLE
                it.exceptionClass() shouldBe "java.lang.IllegalStateException"
                it.message() shouldContain "no such person"
            }
        }

        test("an Error is a panic") {
            failureOf(run { on(greet) { throw OutOfMemoryError("pretend") } }).kind() shouldBe FailureKind.PANICKED
        }

        test("null instead of an outcome or a stage is a failure that says so") {
            failureOf(run { blocking(greet, NullHandlers.blocking()) }).message() shouldContain "returned null"
            failureOf(run { async(greet, NullHandlers.async()) }).message() shouldContain "returned null"
        }

        test("a handler past its timeout is cancelled and times out") {
            runTest {
                val outcome = run(timeout = 90.milliseconds) { on(greet) { awaitCancellation() } }

                failureOf(outcome).kind() shouldBe FailureKind.TIMEOUT
                currentTime shouldBe 90
            }
        }

        test("a timeout the handler set itself is its own, retryable failure") {
            runTest {
                val outcome = run { on(greet) { withTimeout(5) { awaitCancellation() } } }

                failureOf(outcome).kind() shouldBe FailureKind.RETRYABLE
            }
        }

        test("a handler that is asked to stop is cancelled, and nothing counts as failed") {
            runTest {
                val cancellation = AttemptCancellation()
                val stopped = CompletableDeferred<Throwable>()
                val registry = handlers {
                    on(greet) {
                        cancellation.request(Reason.CANCELED)
                        try {
                            awaitCancellation()
                        } catch (cancelled: CancellationException) {
                            stopped.complete(cancelled)
                            throw cancelled
                        }
                    }
                }

                val result = run(registry, cancellation)

                stopped.await().message shouldBe "A stop of the job was requested: CANCELED."
                result.outcome shouldBe null
                result.stopped shouldBe Reason.CANCELED
                result.stuck shouldBe null
            }
        }

        test("an attempt that was called off before it began never reaches its handler") {
            val cancellation = AttemptCancellation().apply { request(Reason.SHUTDOWN) }

            val result = run(handlers { on(greet) { error("must not run") } }, cancellation)

            result.outcome shouldBe null
            result.stopped shouldBe Reason.SHUTDOWN
        }

        test("what a handler still achieves while the worker shuts down counts") {
            runTest {
                val cancellation = AttemptCancellation()
                val registry = handlers {
                    on(greet) {
                        cancellation.request(Reason.SHUTDOWN)
                        withContext(NonCancellable) { delay(1) }
                        "done after all"
                    }
                }

                run(registry, cancellation).outcome shouldBe JobOutcome.succeeded("done after all")
            }
        }

        test("what a handler returns after its timeout does not count") {
            runTest {
                val registry = handlers { on(greet) { withContext(NonCancellable) { delay(70) } } }

                val outcome = run(registry, timeout = 50.milliseconds).outcome

                failureOf(checkNotNull(outcome)).kind() shouldBe FailureKind.TIMEOUT
            }
        }

        test("a handler that ignores being asked to stop is left behind after its grace") {
            runTest {
                val registry = handlers { on(greet) { withContext(NonCancellable) { delay(1_000) } } }

                val cancellation = AttemptCancellation()

                val result = run(registry, cancellation, timeout = 50.milliseconds, stopGrace = 100.milliseconds)

                currentTime shouldBe 150
                cancellation.afterTimeout.isCompleted shouldBe false
                result.stuck?.isActive shouldBe false
                result.stuck?.isCompleted shouldBe false
                failureOf(checkNotNull(result.outcome)).kind() shouldBe FailureKind.TIMEOUT
            }
        }

        test("a blocking handler that is asked to stop is interrupted") {
            val cancellation = AttemptCancellation()
            val interrupted = CompletableDeferred<Boolean>()
            val registry = handlers {
                blocking(greet) {
                    cancellation.request(Reason.LEASE_LOST)
                    try {
                        CountDownLatch(1).await()
                    } catch (stop: InterruptedException) {
                        interrupted.complete(true)
                        throw stop
                    }
                    JobOutcome.succeeded()
                }
            }

            val result = withContext(Dispatchers.Default) { run(registry, cancellation) }

            interrupted.await() shouldBe true
            result.stopped shouldBe Reason.LEASE_LOST
        }

        test("a stage whose attempt is asked to stop has its future cancelled") {
            runTest {
                val cancellation = AttemptCancellation()
                val future = CompletableFuture<JobOutcome>()
                val registry = handlers { async(greet) { future.also { cancellation.request(Reason.CANCELED) } } }

                run(registry, cancellation)

                future.isCancelled shouldBe true
            }
        }

        test("interceptors wrap the handler, the first one outermost, and may change the outcome") {
            val order = mutableListOf<String>()
            fun interceptor(name: String) = JobInterceptor { job, next ->
                order += "$name before ${job.jobType()}"
                next().also { order += "$name after" }
            }
            val replacing = JobInterceptor { _, next ->
                next()
                JobOutcome.canceled("replaced")
            }

            val result = run(
                handlers { on(greet) { order += "handler" } },
                interceptors = listOf(interceptor("one"), interceptor("two"), replacing),
            )

            order shouldContainExactly listOf("one before greet", "two before greet", "handler", "two after", "one after")
            result.outcome shouldBe JobOutcome.canceled("replaced")
        }

        test("what an interceptor throws counts as the handler's") {
            val result = run(handlers { on(greet) { } }, interceptors = listOf(JobInterceptor { _, _ -> error("no entry") }))

            failureOf(checkNotNull(result.outcome)).message() shouldContain "no entry"
        }

        test("a handler finds its job in the coroutine context and in the logging context") {
            var seen: String? = null
            var logged: String? = null
            run {
                on(greet) {
                    seen = currentJob()?.jobType()
                    yield()
                    logged = MDC.get("runledger.type")
                }
            }

            seen shouldBe "greet"
            logged shouldBe "greet"
            MDC.get("runledger.type") shouldBe null
        }

        test("a mark of interruption that a blocking handler leaves on its thread does not reach the next one") {
            Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { oneThread ->
                val careless = blockingAttempt<String> {
                    Thread.currentThread().interrupt()
                    JobOutcome.succeeded()
                }
                val next = blockingAttempt<String> { JobOutcome.succeeded(Thread.currentThread().isInterrupted) }

                careless.attempt(FixedJob("Ada"), oneThread)

                next.attempt(FixedJob("Ada"), oneThread) shouldBe JobOutcome.succeeded(false)
            }
        }

        test("blocking handlers run on virtual threads where the JDK has them") {
            lateinit var thread: Thread
            run {
                blocking(greet) {
                    thread = Thread.currentThread()
                    JobOutcome.succeeded()
                }
            }

            val isVirtual = runCatching { Thread::class.java.getMethod("isVirtual").invoke(thread) }.getOrDefault(false)
            isVirtual shouldBe (Runtime.version().feature() >= 21)
        }
    })
