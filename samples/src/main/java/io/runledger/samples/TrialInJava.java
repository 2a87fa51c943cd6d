package io.runledger.samples;

import io.runledger.coroutines.Handlers;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import io.runledger.model.retry.RetryPolicy;
import java.time.Duration;
import java.util.UUID;

/** The trial of {@code Trial.kt} in Java: a sealed interface, a record for each step, a function for each record. */
public final class TrialInJava {
    /** The state of a customer's trial. */
    public sealed interface Stage {
        record Welcome(String customer) implements Stage {}

        record Remind(String customer, int letters) implements Stage {}

        record Close(String customer) implements Stage {}
    }

    public static final JobType<Stage> TRIAL = JobType.of("customers.trial", Stage.class);

    private static final Duration WEEK = Duration.ofDays(7);

    private final TrialDesk desk;

    public TrialInJava(TrialDesk desk) {
        this.desk = desk;
    }

    public Handlers handlers() {
        var patient = RetryPolicy.fixed(Duration.ofMinutes(5)).atMost(3);
        return Handlers.builder()
                .machine(
                        TRIAL,
                        machine -> machine.on(Stage.Welcome.class, job -> {
                                    desk.write(job.step().customer(), "welcome");
                                    return job.goTo(new Stage.Remind(job.step().customer(), 0), WEEK);
                                })
                                .on(Stage.Remind.class, patient, job -> {
                                    var customer = job.step().customer();
                                    if (desk.hasPaid(customer)) return job.done("stayed");
                                    if (job.step().letters() == 2) return job.goTo(new Stage.Close(customer));
                                    desk.write(customer, "reminder");
                                    return job.goTo(
                                            new Stage.Remind(
                                                    customer, job.step().letters() + 1),
                                            WEEK);
                                })
                                .on(Stage.Close.class, job -> {
                                    desk.close(job.step().customer());
                                    return job.done("left");
                                }))
                .build();
    }

    /** An operator continues a parked trial at another stage, with new attempts. */
    public static void decide(RunledgerClient client, UUID parked, Stage stage, String why) {
        client.jobs().editPayload(Scope.global(), parked, TRIAL, stage, why);
        client.jobs().restart(Scope.global(), parked, why);
    }
}
