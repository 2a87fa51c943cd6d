package io.runledger.model.state;

import org.jspecify.annotations.Nullable;

/**
 * What a worker learns when it beats.
 *
 * @param isToDrain whether a standing order tells it to claim nothing
 * @param stopOrder the order that tells it to end, if there is one
 */
public record BeatAnswer(boolean isToDrain, @Nullable WorkerOrder stopOrder) {}
