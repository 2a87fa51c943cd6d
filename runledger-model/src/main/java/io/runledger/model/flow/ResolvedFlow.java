package io.runledger.model.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue, limits, order and share of a stored job, with all keys: what its type declared and what its request said when
 * it was enqueued.
 *
 * @param queue null for the default queue
 * @param limits in order of name; unmodifiable
 * @param order name and key of its order, joined by a colon; null if it is in none
 * @param afterDeadLetter what happens to the jobs behind it in its order if it becomes a dead letter; null if it is in none
 * @param share null if it is in none
 */
public record ResolvedFlow(
        @Nullable String queue,
        List<LimitKey> limits,
        @Nullable String order,
        @Nullable AfterDeadLetter afterDeadLetter,
        @Nullable String share) {
    /** No queue, limits, order or share. */
    public static final ResolvedFlow NONE = new ResolvedFlow(null, List.of(), null, null, null);

    public ResolvedFlow {
        limits = List.copyOf(limits);
    }

    /** Whether the job has none of them. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /**
     * A limit of a job.
     *
     * @param name name of the limit
     * @param key the key, the id of the organization, or {@code global}; null for a limit without keys
     */
    public record LimitKey(String name, @Nullable String key) {}
}
