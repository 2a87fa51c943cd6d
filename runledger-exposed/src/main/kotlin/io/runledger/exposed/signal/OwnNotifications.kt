package io.runledger.exposed.signal

/**
 * The notifications of due jobs that this process sends and its own subscribers receive directly. The listener does not deliver
 * them to these subscribers a second time. A notification is known by the process id of its backend and its job type. A joined
 * call may send the same notification from the same backend. One of the two is then delivered, so no notification is lost.
 */
internal class OwnNotifications {
    private val expected = HashMap<Sent, Int>()

    private data class Sent(val backendPid: Int, val jobType: String)

    @Synchronized
    fun expect(backendPid: Int, jobType: String) {
        expected.merge(Sent(backendPid, jobType), 1, Int::plus)
    }

    /** Whether the notification is expected. If so, the call counts it as received. */
    @Synchronized
    fun take(backendPid: Int, jobType: String): Boolean {
        val sent = Sent(backendPid, jobType)
        val count = expected[sent] ?: return false
        if (count == 1) expected -= sent else expected[sent] = count - 1
        return true
    }

    /** A new listener connection receives none of the earlier notifications. */
    @Synchronized
    fun clear() = expected.clear()
}
