package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.coroutines.worker.RunningWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.fleet.WorkerSelection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Controls the workers of a region during a deployment, wherever they run. Orders reach them through the database. */
public final class DeployWindowInJava {
    private final RunledgerClient client;

    public DeployWindowInJava(RunledgerClient client) {
        this.client = client;
    }

    /** A worker that operators can select by its region. */
    public RunningWorker regionalWorker(Handlers handlers, String region, String version) {
        return RunledgerWorker.builder(client)
                .handlers(handlers)
                .config(config -> config.env().labels(region).applicationVersion(version))
                .start();
    }

    /**
     * Makes a change while no worker of the region runs a job. Workers that start during the window wait as well. If windows
     * overlap, the workers continue after the last one. If this process dies, they continue after an hour.
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

    /** All drained workers continue. */
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

    /** Stops the running workers, each with its own grace period. New workers may start. Returns the addressed workers. */
    public List<String> retire(String region, String why) {
        var order = client.workers().stop(WorkerSelection.labelled(region), why);
        return order.workers().stream().map(worker -> worker.workerId()).toList();
    }
}
