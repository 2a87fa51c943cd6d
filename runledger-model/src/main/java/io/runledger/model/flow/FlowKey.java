package io.runledger.model.flow;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs of a type find the key of a limit, of an order or of a share. Two of them are equal if they find it in the
 * same way; functions are not compared.
 *
 * @param <P> payload type of the jobs
 */
public final class FlowKey<P> {
    private static final FlowKey<?> ALL = new FlowKey<>(KeyedBy.NONE, null);
    private static final FlowKey<?> ORGANIZATION = new FlowKey<>(KeyedBy.ORGANIZATION, null);

    private final KeyedBy by;
    private final @Nullable Function<? super P, ?> function;

    private FlowKey(KeyedBy by, @Nullable Function<? super P, ?> function) {
        this.by = by;
        this.function = function;
    }

    /** No key: all jobs share the limit. */
    @SuppressWarnings("unchecked") // has no function that takes a P
    public static <P> FlowKey<P> none() {
        return (FlowKey<P>) ALL;
    }

    /** The organization of the job is the key. */
    @SuppressWarnings("unchecked") // has no function that takes a P
    public static <P> FlowKey<P> organization() {
        return (FlowKey<P>) ORGANIZATION;
    }

    /** The text of the function's result is the key. */
    public static <P> FlowKey<P> of(Function<? super P, ?> function) {
        return new FlowKey<>(KeyedBy.KEY, Objects.requireNonNull(function, "function"));
    }

    public KeyedBy by() {
        return by;
    }

    /** The key of a payload; null if it has none, or if the function is not what gives the key. */
    @Nullable
    String of(P payload) {
        Object key = function == null ? null : function.apply(payload);
        return key == null ? null : key.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FlowKey<?> that && by == that.by;
    }

    @Override
    public int hashCode() {
        return by.hashCode();
    }

    @Override
    public String toString() {
        return by.name();
    }
}
