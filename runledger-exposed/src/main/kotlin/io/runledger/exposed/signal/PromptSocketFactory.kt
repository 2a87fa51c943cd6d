package io.runledger.exposed.signal

import java.io.FilterInputStream
import java.io.InputStream
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import java.net.SocketTimeoutException
import javax.net.SocketFactory

/**
 * Creates the socket of the listener connection. After a notification, the driver looks for a further message with a read timeout
 * of one millisecond, the shortest that a socket has, and returns the notification only after that time. This socket answers such
 * a read at once if nothing has arrived. Every other read is unchanged. The driver creates the factory by its name.
 */
internal class PromptSocketFactory : SocketFactory() {
    override fun createSocket(): Socket = PromptSocket()

    override fun createSocket(host: String, port: Int): Socket = connected(InetSocketAddress(host, port))

    override fun createSocket(host: InetAddress, port: Int): Socket = connected(InetSocketAddress(host, port))

    override fun createSocket(host: String, port: Int, localHost: InetAddress, localPort: Int): Socket =
        connected(InetSocketAddress(host, port), InetSocketAddress(localHost, localPort))

    override fun createSocket(address: InetAddress, port: Int, localAddress: InetAddress, localPort: Int): Socket =
        connected(InetSocketAddress(address, port), InetSocketAddress(localAddress, localPort))

    private fun connected(remote: InetSocketAddress, local: InetSocketAddress? = null): Socket = PromptSocket().apply {
        if (local != null) bind(local)
        connect(remote)
    }
}

private const val SHORTEST_MILLIS = 1

private class PromptSocket : Socket() {
    override fun getInputStream(): InputStream = PromptInput(super.getInputStream())

    private inner class PromptInput(input: InputStream) : FilterInputStream(input) {
        override fun read(): Int {
            requireArrived()
            return super.read()
        }

        override fun read(bytes: ByteArray, offset: Int, length: Int): Int {
            requireArrived()
            return super.read(bytes, offset, length)
        }

        private fun requireArrived() {
            if (soTimeout == SHORTEST_MILLIS && available() == 0) throw SocketTimeoutException("Nothing has arrived.")
        }
    }
}
