package io.runledger.samples;

import io.runledger.exposed.RunledgerClient;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.schedule.ScheduleRequest;
import io.runledger.model.workflow.WorkflowRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A workflow that a schedule starts; {@code MonthlyClosing.kt} in Java. */
public final class MonthlyClosingInJava {
    public record Books(String country, String currency) {}

    public static final JobType<Books> COLLECT = JobType.of("closing.collect", Books.class);
    public static final JobType<Books> PUBLISH = JobType.of("closing.publish", Books.class);

    private final RunledgerClient client;

    public MonthlyClosingInJava(RunledgerClient client) {
        this.client = client;
    }

    /** The workflow is data. The schedule stores it with these parameters in its steps. */
    public static WorkflowRequest closing(Books books) {
        var workflow = WorkflowRequest.builder("closing");
        var collected = workflow.job("collect", job -> job.runs(COLLECT, books));
        var signed = workflow.externalGate("sign", gate -> gate.after(collected));
        workflow.job("publish", job -> job.runs(PUBLISH, books).after(signed));
        return workflow.build();
    }

    public void plan(Books books) {
        client.definitions().sync(List.of(COLLECT, PUBLISH));
        client.schedules()
                .upsert(ScheduleRequest.builder("closing-" + books.country(), closing(books))
                        .cron("0 4 1 * *")
                        .zone("Europe/Berlin")
                        .skipOverlaps()
                        .build());
    }

    public UUID closeNow(String country, String why) {
        return client.schedules()
                .fireNow(Scope.global(), "closing-" + country, why)
                .runId();
    }

    public void hold(String country, String why) {
        client.schedules().pause(Scope.global(), "closing-" + country, why);
    }

    /** Closes the months that were missed between two instants. Returns how many. */
    public int makeUpFor(Instant from, Instant until, String country, String by, String why) {
        var schedules = client.actingAs(by).schedules();
        return schedules
                .backfill(Scope.global(), "closing-" + country, from, until, why)
                .fired();
    }

    /** Closes later in the day from now on. Refused if another operator changes the schedule between the read and the edit. */
    public void closeAtNoon(String country, String by, String why) {
        var read = client.schedules().get(Scope.global(), "closing-" + country);
        client.actingAs(by).schedules().edit(Scope.global(), read, why, edit -> edit.cron("0 12 1 * *"));
    }

    public List<String> audit(String country) {
        return client.schedules().fires(Scope.global(), "closing-" + country).items().stream()
                .map(line -> line.outcome() + ": " + line.reason())
                .toList();
    }
}
