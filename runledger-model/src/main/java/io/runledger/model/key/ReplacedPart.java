package io.runledger.model.key;

/** A part of a waiting job that an enqueue with the same key replaces. */
public enum ReplacedPart {
    /** The payload and the headers. */
    PAYLOAD,
    /** The time from which the job is due. A request without a time makes the job due now. */
    TIME,
    /** The priority. A request without a priority gives the job the default of its type. */
    PRIORITY
}
