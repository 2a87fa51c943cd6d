package io.runledger.coroutines.claim

/** Whether jobs may be claimed. A claim in progress when the gate closes still passes; [onShut] is called after it. */
internal class ClaimGate(
    isOpen: Boolean = true,
    private val onOpen: () -> Unit = {},
    private val onClose: () -> Unit = {},
    private val onShut: () -> Unit = {},
) {
    private var isPassing = false

    @get:Synchronized
    var isOpen: Boolean = isOpen
        private set

    /** Whether the gate is closed and the last claim has passed, so that nothing is claimed any more. */
    @get:Synchronized
    val isShut: Boolean get() = !isOpen && !isPassing

    /** Whether a claim may pass. If so, the caller calls [passed] after the claim. */
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

    fun close() {
        synchronized(this) { isOpen = false }
        onClose()
    }
}
