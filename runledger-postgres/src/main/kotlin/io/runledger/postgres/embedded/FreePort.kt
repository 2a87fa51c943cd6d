package io.runledger.postgres.embedded

import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import kotlin.random.Random

internal object FreePort {
    // Below the range of ports for outgoing connections, so that the port is still free when the server restarts.
    private val range = 15_000..32_000

    fun find(): Int = generateSequence { range.random(Random) }.take(1_000).firstOrNull(::isFree) ?: anyFree()

    private fun isFree(port: Int) = try {
        ServerSocket(port, 1, InetAddress.getByName(LOOPBACK)).close()
        true
    } catch (_: IOException) {
        false
    }

    private fun anyFree() = ServerSocket(0, 1, InetAddress.getByName(LOOPBACK)).use { it.localPort }
}
