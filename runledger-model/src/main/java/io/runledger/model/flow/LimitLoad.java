package io.runledger.model.flow;

/**
 * How much a limit is used, by the jobs of all keys together.
 *
 * @param name name of the limit
 * @param inUse permits in use: running jobs
 * @param waiting jobs that are due and wait, for a permit or for something else
 * @param moreWaiting whether more jobs may wait: of each job type, a limited number is looked at
 */
public record LimitLoad(String name, int inUse, int waiting, boolean moreWaiting) {}
