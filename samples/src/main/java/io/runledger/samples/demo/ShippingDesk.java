package io.runledger.samples.demo;

import io.runledger.model.run.JobContext;
import io.runledger.model.run.JobHandler;
import io.runledger.model.run.JobOutcome;
import io.runledger.samples.OrderRef;

/** A handler in Java. It may block: where the JDK has virtual threads, it is given one. */
public final class ShippingDesk implements JobHandler<OrderRef> {
    private static final long MILLIS_TO_WRAP = 600;

    @Override
    public JobOutcome handle(JobContext<OrderRef> job) throws InterruptedException {
        Thread.sleep(MILLIS_TO_WRAP);
        String order = job.payload().getOrder();
        return JobOutcome.succeeded(new Parcel(order, "RL-" + order));
    }
}
