package io.runledger.model.fleet;

import org.jspecify.annotations.Nullable;

/**
 * The response to a heartbeat of a worker.
 *
 * @param isToDrain whether a drain order applies to the worker
 * @param stopOrder stop order for the worker, if there is one
 */
public record BeatAnswer(boolean isToDrain, @Nullable WorkerOrder stopOrder) {}
