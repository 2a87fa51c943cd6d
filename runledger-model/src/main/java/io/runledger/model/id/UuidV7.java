package io.runledger.model.id;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Time-ordered ids (RFC 9562, version 7), made in the JVM. Ids made by one process ascend strictly, also within a millisecond and
 * when its clock steps back; ids of different processes are ordered as well as their clocks agree.
 */
public final class UuidV7 {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final UuidV7 PROCESS = new UuidV7(System::currentTimeMillis);

    /** Millisecond in the upper bits, a twelve-bit counter in the lower: what the id's first half carries. */
    private final AtomicLong last = new AtomicLong();

    private final LongSupplier clock;

    UuidV7(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Makes an id that is larger than any this process made before.
     *
     * @return a new id
     */
    public static UUID next() {
        return PROCESS.make();
    }

    /**
     * When an id was made, to the millisecond.
     *
     * @param id an id of version 7
     * @return the instant in its first 48 bits
     * @throws IllegalArgumentException for an id of another version
     */
    public static Instant instantOf(UUID id) {
        if (id.version() != 7) {
            throw new IllegalArgumentException("The id is of version " + id.version() + ", not 7: it carries no time.");
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
