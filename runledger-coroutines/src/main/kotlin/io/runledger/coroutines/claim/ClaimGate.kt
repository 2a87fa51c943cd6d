package io.runledger.coroutines.claim

import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first

/**
 * Whether jobs may be claimed, or started as they are enqueued. What is in progress when the gate closes still passes; [onShut]
 * is called when the last one has.
 */
internal class ClaimGate(
    isOpen: Boolean = true,
    private val onOpen: () -> Unit = {},
    private val onClose: () -> Unit = {},
    private val onShut: () -> Unit = {},
) {
    private var passing = 0
    private val shut = MutableStateFlow(!isOpen)

    @get:Synchronized
    var isOpen: Boolean = isOpen
        private set

    /** Whether the gate is closed and the last job has passed, so that nothing is leased any more. */
    val isShut: Boolean get() = shut.value

    /** Whether a claim, or a job that is enqueued, may pass. If so, the caller calls [passed] after it. */
    @Synchronized
    fun pass(): Boolean {
        if (isOpen) passing++
        return isOpen
    }

    fun passed() {
        val wasLast = synchronized(this) {
            passing--
            review()
        }
        if (wasLast) onShut()
    }

    fun open() {
        val wasOpen = synchronized(this) {
            isOpen.also {
                isOpen = true
                review()
            }
        }
        if (!wasOpen) onOpen()
    }

    fun close() {
        synchronized(this) {
            isOpen = false
            review()
        }
        onClose()
    }

    suspend fun awaitShut() {
        shut.first { it }
    }

    private fun review(): Boolean {
        val isShut = !isOpen && passing == 0
        shut.value = isShut
        return isShut
    }
}
