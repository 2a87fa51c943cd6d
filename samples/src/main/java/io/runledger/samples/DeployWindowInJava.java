package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.RunledgerWorker;
import io.runledger.coroutines.RunningWorker;
import io.runledger.coroutines.WorkerConfig;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.spec.WorkerSelection;
import io.runledger.model.state.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What a deploy does with the workers of a region, wherever they run: nothing but the database is needed to reach them. */
public final class DeployWindowInJava {
    private final RunledgerClient client;

    public DeployWindowInJava(RunledgerClient client) {
        this.client = client;
    }

    /** A worker that operators can call by its region. */
    public RunningWorker regionalWorker(Handlers handlers, String region, String version) {
        var config = WorkerConfig.builder()
                .env()
                .labels(region)
                .applicationVersion(version)
                .build();
        return RunledgerWorker.builder(client).handlers(handlers).config(config).start();
    }

    /**
     * Changes something while no worker of the region is at work. Workers that start meanwhile wait too. Where windows overlap,
     * the workers go on after the last. Should this process die meanwhile, they go on after an hour.
     */
    public void during(String region, String what, Runnable change) {
        var workers = WorkerSelection.labelled(region);
        var order = client.workers()
                .drain(workers, what + " begins", Duration.ofHours(1))
                .order();
        try {
            client.workers().awaitDrained(workers, Duration.ofMinutes(10)).join();
            change.run();
        } finally {
            client.workers().resume(order.id(), what + " is over");
        }
    }

    /** Whoever was drained, for whatever reason, goes on. */
    public int allGoOn(String why) {
        return client.workers().resumeAll(why).orders().size();
    }

    /** One line per worker. */
    public List<String> overview() {
        return client.workers().list().stream()
                .map(worker -> "%s %s %s: %s, %d of %d"
                        .formatted(
                                worker.workerId(),
                                worker.labels(),
                                worker.applicationVersion(),
                                worker.isLost() ? "lost" : worker.state().name().toLowerCase(Locale.ROOT),
                                worker.busySlots(),
                                worker.slots()))
                .toList();
    }

    /** Ends the workers that run now, each with its own grace; new ones may start at once. Answers whom it told. */
    public List<String> retire(String region, String why) {
        var told = client.workers().stop(WorkerSelection.labelled(region), why);
        return told.workers().stream().map(Worker::workerId).toList();
    }
}
