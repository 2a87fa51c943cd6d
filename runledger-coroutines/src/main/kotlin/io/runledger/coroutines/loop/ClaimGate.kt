package io.runledger.coroutines.loop

/** Whether jobs may be claimed. A claim that is under way when it closes still passes; [onShut] is told when it has. */
internal class ClaimGate(isOpen: Boolean = true, private val onOpen: () -> Unit = {}, private val onShut: () -> Unit = {}) {
    private var isPassing = false

    @get:Synchronized
    var isOpen: Boolean = isOpen
        private set

    /** Closed, and the last claim has passed: from here on nothing is claimed. */
    @get:Synchronized
    val isShut: Boolean get() = !isOpen && !isPassing

    /** Whether a claim may pass; one that may says when it [passed]. */
    @Synchronized
    fun pass(): Boolean {
        isPassing = isOpen
        return isPassing
    }

    fun passed() {
        val wasLast = synchronized(this) {
            isPassing = false
            !isOpen
        }
        if (wasLast) onShut()
    }

    fun open() {
        val wasOpen = synchronized(this) { isOpen.also { isOpen = true } }
        if (!wasOpen) onOpen()
    }

    @Synchronized
    fun close() {
        isOpen = false
    }
}
