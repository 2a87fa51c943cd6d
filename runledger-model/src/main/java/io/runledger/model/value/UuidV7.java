package io.runledger.model.value;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Generates time-ordered ids (RFC 9562, version 7). Ids of one process are strictly ascending, even within a
 * millisecond and when the clock goes back. Ids of different processes are ordered as precisely as their clocks agree.
 */
public final class UuidV7 {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final UuidV7 PROCESS = new UuidV7(System::currentTimeMillis);

    /** The first half of the last id: the millisecond in the upper bits, a 12-bit counter in the lower bits. */
    private final AtomicLong last = new AtomicLong();

    private final LongSupplier clock;

    UuidV7(LongSupplier clock) {
        this.clock = clock;
    }

    /** Generates an id that is larger than all ids this process generated before. */
    public static UUID next() {
        return PROCESS.make();
    }

    /**
     * Returns the creation time of an id of version 7, with millisecond precision.
     *
     * @throws IllegalArgumentException if the id has another version
     */
    public static Instant instantOf(UUID id) {
        if (id.version() != 7) {
            throw new IllegalArgumentException(
                    "The id has version " + id.version() + " and contains no time: pass an id of version 7.");
        }
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
    }

    UUID make() {
        long now = clock.getAsLong() << 12;
        long tick = last.updateAndGet(before -> Math.max(before + 1, now));
        return of(tick >>> 12, (int) (tick & 0xFFF), RANDOM.nextLong());
    }

    private static UUID of(long millis, int counter, long random) {
        long most = (millis << 16) | 0x7000L | counter;
        long least = (random & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(most, least);
    }
}
