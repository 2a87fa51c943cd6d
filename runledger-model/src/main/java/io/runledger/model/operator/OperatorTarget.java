package io.runledger.model.operator;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The target of an operator's action.
 *
 * @param name id or name of the row; the label of workers; null for several rows, for a selection and for all workers
 * @param stepKey step of the run; null for the run as a whole and for other targets
 */
public record OperatorTarget(
        OperatorTargetKind kind,
        @Nullable String name,
        @Nullable String stepKey) {
    public OperatorTarget {
        Objects.requireNonNull(kind, "kind");
    }

    public static OperatorTarget job(UUID id) {
        return new OperatorTarget(OperatorTargetKind.JOB, id.toString(), null);
    }

    /** Several listed jobs. */
    public static OperatorTarget jobs() {
        return new OperatorTarget(OperatorTargetKind.JOBS, null, null);
    }

    /** The jobs of a selection. */
    public static OperatorTarget selection() {
        return new OperatorTarget(OperatorTargetKind.JOB_SELECTION, null, null);
    }

    public static OperatorTarget run(UUID id) {
        return new OperatorTarget(OperatorTargetKind.RUN, id.toString(), null);
    }

    /** Several listed runs. */
    public static OperatorTarget runs() {
        return new OperatorTarget(OperatorTargetKind.RUNS, null, null);
    }

    public static OperatorTarget step(UUID runId, String stepKey) {
        return new OperatorTarget(
                OperatorTargetKind.RUN, runId.toString(), Objects.requireNonNull(stepKey, "step key"));
    }

    public static OperatorTarget schedule(String name) {
        return new OperatorTarget(OperatorTargetKind.SCHEDULE, Objects.requireNonNull(name, "name"), null);
    }

    public static OperatorTarget jobType(String name) {
        return new OperatorTarget(OperatorTargetKind.JOB_TYPE, Objects.requireNonNull(name, "name"), null);
    }

    /** @param label null for all workers */
    public static OperatorTarget workers(@Nullable String label) {
        return new OperatorTarget(OperatorTargetKind.WORKERS, label, null);
    }

    public static OperatorTarget workerOrder(UUID id) {
        return new OperatorTarget(OperatorTargetKind.WORKER_ORDER, id.toString(), null);
    }

    public static OperatorTarget limit(String name) {
        return new OperatorTarget(OperatorTargetKind.LIMIT, Objects.requireNonNull(name, "name"), null);
    }

    public static OperatorTarget queue(String name) {
        return new OperatorTarget(OperatorTargetKind.QUEUE, Objects.requireNonNull(name, "name"), null);
    }

    /** A share of a job type. Its name is that of the type, a colon and the share. */
    public static OperatorTarget share(String jobType, String share) {
        return new OperatorTarget(
                OperatorTargetKind.SHARE,
                Objects.requireNonNull(jobType, "jobType") + ":" + Objects.requireNonNull(share, "share"),
                null);
    }

    public static OperatorTarget action(UUID id) {
        return new OperatorTarget(OperatorTargetKind.ACTION, id.toString(), null);
    }
}
