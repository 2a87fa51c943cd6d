package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.WorkerObserver;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.coroutines.worker.RunningWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;

/** The smallest service in Java: a type, a handler that blocks its (virtual) thread, a worker. */
public final class HelloJobInJava {
    public static final JobType<Greeting> GREET = JobType.of("hello.greet", Greeting.class);

    private HelloJobInJava() {}

    public static RunningWorker start(RunledgerClient client, WorkerObserver observer) {
        var handlers = Handlers.builder()
                .blocking(
                        GREET,
                        job -> JobOutcome.succeeded("Hello, " + job.payload().getName() + "!"))
                .build();
        client.definitions().sync(handlers.jobTypes());
        return RunledgerWorker.builder(client)
                .handlers(handlers)
                .observe(observer)
                .start();
    }
}
