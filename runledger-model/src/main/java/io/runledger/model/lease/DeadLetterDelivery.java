package io.runledger.model.lease;

import io.runledger.model.job.DeadLetter;

/**
 * A dead letter to be delivered to a hook.
 *
 * @param tries number of deliveries to this hook, including this one
 */
public record DeadLetterDelivery(String hook, int tries, DeadLetter letter) {}
