package io.runledger.model.retry;

import java.util.UUID;

/** Derives numbers from a job id, always the same numbers for the same job. */
final class JobHash {
    private JobHash() {}

    /** The id as an unsigned 128-bit number, modulo a divisor of at most 2^32, so that no product exceeds 64 bits. */
    static long modulo(UUID id, long divisor) {
        long high = Long.remainderUnsigned(id.getMostSignificantBits(), divisor);
        long low = Long.remainderUnsigned(id.getLeastSignificantBits(), divisor);
        long wrap = (Long.remainderUnsigned(-1L, divisor) + 1) % divisor;
        return (Long.remainderUnsigned(high * wrap, divisor) + low) % divisor;
    }

    /** A number from -1 (inclusive) to 1 (exclusive), uniformly distributed over ids and attempts. */
    static double balanced(UUID id, int attempt) {
        long hash = mixed(mixed(id.getMostSignificantBits() ^ mixed(attempt)) ^ id.getLeastSignificantBits());
        return (hash >>> 11) * 0x1p-52 - 1;
    }

    /** Stafford's finaliser over a golden-ratio step, as in SplitMix64. */
    private static long mixed(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
