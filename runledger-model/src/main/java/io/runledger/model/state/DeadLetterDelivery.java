package io.runledger.model.state;

/**
 * A dead letter that a hook is to be handed.
 *
 * @param hook the hook's name
 * @param tries how often it was handed out to that hook, this time included
 * @param letter what it is to be told
 */
public record DeadLetterDelivery(String hook, int tries, DeadLetter letter) {}
