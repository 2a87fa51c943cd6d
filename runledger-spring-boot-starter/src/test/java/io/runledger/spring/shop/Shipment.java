package io.runledger.spring.shop;

import io.runledger.model.job.JobType;

/** The payload of a job. */
record Shipment(String order) {
    static final JobType<Shipment> SHIP = JobType.of("ship", Shipment.class);
}
