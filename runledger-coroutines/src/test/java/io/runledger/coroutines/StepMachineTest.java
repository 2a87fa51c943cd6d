package io.runledger.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.runledger.model.policy.RetryPolicy;
import io.runledger.model.policy.StepRetries;
import io.runledger.model.spec.JobType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a machine is declared in Java. */
class StepMachineTest {
    sealed interface Parcel {
        record Packed(String address) implements Parcel {}

        record OnItsWay(String address, int tries) implements Parcel {}
    }

    static final JobType<Parcel> PARCEL = JobType.of("parcel", Parcel.class);

    @Test
    void blockingAndAsyncFunctionsMakeAMachine() {
        var machine = StepMachine.builder(PARCEL)
                .on(
                        Parcel.Packed.class,
                        job -> job.goTo(new Parcel.OnItsWay(job.step().address(), 0), Duration.ofHours(4)))
                .onAsync(
                        Parcel.OnItsWay.class,
                        StepRetries.atMost(3, RetryPolicy.fixed(Duration.ofMinutes(1))),
                        job -> CompletableFuture.completedFuture(
                                job.done("arrived at " + job.step().address())))
                .build();

        assertEquals(
                List.of(PARCEL), Handlers.builder().machine(machine).build().jobTypes());
    }

    @Test
    void everyStepNeedsAFunction() {
        var builder = StepMachine.builder(PARCEL).on(Parcel.Packed.class, job -> job.done());

        assertThrows(IllegalArgumentException.class, builder::build);
    }
}
