package io.runledger.model.flow;

/**
 * The weight of a share: how many turns it has in a round of the claims of its job type.
 *
 * @param share the key, the id of the organization, or {@code global}
 * @param weight 1 to {@value #MOST}; a share that was never weighed has 1
 */
public record ShareWeight(String jobType, String share, int weight) {
    /** The largest weight. */
    public static final int MOST = 100;
}
