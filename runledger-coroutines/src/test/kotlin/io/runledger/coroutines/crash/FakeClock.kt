package io.runledger.coroutines.crash

import java.nio.file.Files
import java.nio.file.Path
import kotlin.streams.asSequence

/** The time of day as another process sees it: right, or so many hours off by Debian's libfaketime. */
class FakeClock private constructor(hours: Int) {
    /**
     * The environment that changes the clock of a process. Timers stay right, as with a real wrong clock. Without the last entry the
     * library treats the waits of a JVM as waits until a time of day, and they end at once, repeatedly.
     */
    val environment: Map<String, String> = if (hours == 0) {
        emptyMap()
    } else {
        mapOf(
            "LD_PRELOAD" to "$library",
            "FAKETIME" to "%+dh".format(hours),
            "DONT_FAKE_MONOTONIC" to "1",
            "FAKETIME_FORCE_MONOTONIC_FIX" to "0",
        )
    }

    companion object {
        private val library: Path? = Path.of("/usr/lib").takeIf { Files.isDirectory(it) }?.let { root ->
            Files.find(root, 3, { path, _ -> path.endsWith("faketime/libfaketimeMT.so.1") }).use { it.asSequence().firstOrNull() }
        }

        val RIGHT = FakeClock(0)

        /** Whether clocks can be wrong here. */
        val isPresent: Boolean = library != null

        /** Two hours and more than a day, in both directions. */
        val WRONG: List<FakeClock> = if (isPresent) listOf(-26, -2, 2, 26).map(::FakeClock) else emptyList()
    }
}
