package io.runledger.samples.demo;

import static io.runledger.samples.OrderFulfilmentInJava.PARCEL;
import static io.runledger.samples.OrderFulfilmentInJava.RECEIPT;

import io.runledger.model.handler.JobContext;
import io.runledger.model.handler.JobHandler;
import io.runledger.model.handler.JobOutcome;
import io.runledger.samples.OrderRef;
import io.runledger.samples.Receipt;
import io.runledger.samples.Shipment;

/** A handler in Java. It may block: it runs on a virtual thread if the JDK has them. The outputs of earlier steps are typed. */
public final class ShippingDesk implements JobHandler<OrderRef> {
    private static final long MILLIS_TO_WRAP = 600;

    @Override
    public JobOutcome handle(JobContext<OrderRef> job) throws InterruptedException {
        Receipt paid = job.input(RECEIPT);
        Thread.sleep(MILLIS_TO_WRAP);
        return JobOutcome.succeeded(new Shipment(paid.getOrder(), paid.getCents(), job.inputs(PARCEL)));
    }
}
