package io.runledger.coroutines.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.HandlersScope
import io.runledger.coroutines.handlers
import io.runledger.model.run.FailureKind
import io.runledger.model.run.JobOutcome
import io.runledger.model.spec.JobType
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

private val greet = JobType.of("greet", String::class.java)

@OptIn(ExperimentalCoroutinesApi::class)
class JobRunnerSpec :
    FunSpec({
        suspend fun run(registry: Handlers, timeout: Duration = 1.minutes): JobOutcome {
            @Suppress("UNCHECKED_CAST")
            val registration = registry.of("greet") as Handlers.Registration<String>
            return JobRunner(blockingDispatcher(4)).run(registration.handler, FixedJob("Ada"), timeout)
        }

        suspend fun run(timeout: Duration = 1.minutes, handler: HandlersScope.() -> Unit) = run(handlers(handler), timeout)

        fun failureOf(outcome: JobOutcome) = outcome.shouldBeInstanceOf<JobOutcome.Failed>().failure()

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

        test("cancelling the attempt cancels a suspending handler and is not recorded as a failure") {
            runTest {
                val started = CompletableDeferred<Unit>()
                val stopped = CompletableDeferred<Throwable>()
                val attempt = async {
                    run {
                        on(greet) {
                            started.complete(Unit)
                            try {
                                awaitCancellation()
                            } catch (cancelled: CancellationException) {
                                stopped.complete(cancelled)
                                throw cancelled
                            }
                        }
                    }
                }
                started.await()

                attempt.cancelAndJoin()

                stopped.isCompleted shouldBe true
                shouldThrow<CancellationException> { attempt.await() }
            }
        }

        test("cancelling the attempt interrupts a blocking handler") {
            withContext(Dispatchers.Default) {
                val started = CompletableDeferred<Unit>()
                val interrupted = CompletableDeferred<Boolean>()
                val attempt = launch {
                    run {
                        blocking(greet) {
                            started.complete(Unit)
                            try {
                                CountDownLatch(1).await()
                            } catch (stop: InterruptedException) {
                                interrupted.complete(true)
                                throw stop
                            }
                            JobOutcome.succeeded()
                        }
                    }
                }
                started.await()

                attempt.cancelAndJoin()

                interrupted.await() shouldBe true
            }
        }

        test("cancelling the attempt cancels a stage's future") {
            runTest {
                val future = CompletableFuture<JobOutcome>()
                val attempt = launch { run { async(greet) { future } } }
                testScheduler.runCurrent()

                attempt.cancelAndJoin()

                future.isCancelled shouldBe true
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
