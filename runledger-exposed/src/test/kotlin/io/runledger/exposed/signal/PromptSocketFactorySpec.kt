package io.runledger.exposed.signal

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.io.File
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.net.SocketTimeoutException
import java.nio.file.Files
import java.security.KeyStore
import java.util.concurrent.CompletableFuture
import javax.net.ssl.KeyManagerFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLSocket
import javax.net.ssl.TrustManagerFactory

class PromptSocketFactorySpec :
    FunSpec({
        val loopback = InetAddress.getLoopbackAddress()

        fun ServerSocket.accepted(): CompletableFuture<Socket> = CompletableFuture.supplyAsync(::accept)

        /** Reads with the shortest timeout until a byte arrives. Returns it. */
        fun Socket.nextByte(): Int {
            soTimeout = 1
            while (true) {
                try {
                    return getInputStream().read()
                } catch (_: SocketTimeoutException) {
                    Thread.onSpinWait()
                }
            }
        }

        fun check(client: Socket, server: Socket) {
            client.soTimeout = 1
            shouldThrow<SocketTimeoutException> { client.getInputStream().read() }
            repeat(200) { n ->
                server.getOutputStream().write(byteArrayOf(n.toByte(), (n + 1).toByte()))
                server.getOutputStream().flush()
                client.nextByte() shouldBe n
                client.soTimeout = 0
                client.getInputStream().read() shouldBe n + 1
            }
            server.close()
            client.soTimeout = 0
            client.getInputStream().read() shouldBe -1
        }

        test("a read with the shortest timeout ends if nothing has arrived; what arrives is complete") {
            ServerSocket(0, 1, loopback).use { listening ->
                val accepted = listening.accepted()
                PromptSocketFactory().createSocket(loopback, listening.localPort).use { check(it, accepted.get()) }
            }
        }

        test("the same holds under TLS") {
            val tls = selfSigned()
            tls.serverSocketFactory.createServerSocket(0, 1, loopback).use { listening ->
                val accepted = listening.accepted()
                val plain = PromptSocketFactory().createSocket(loopback, listening.localPort)
                val client = tls.socketFactory.createSocket(plain, "localhost", listening.localPort, true) as SSLSocket
                client.use {
                    val server = accepted.get() as SSLSocket
                    val handshake = CompletableFuture.runAsync { server.startHandshake() }
                    client.startHandshake()
                    handshake.get()
                    check(client, server)
                }
            }
        }
    })

/** A context of both sides, with a certificate that they trust. */
private fun selfSigned(): SSLContext {
    val file = Files.createTempDirectory("tls").resolve("store.p12").toFile()
    val tool = File(System.getProperty("java.home"), "bin/keytool").path
    val arguments = "-genkeypair -alias server -keyalg RSA -dname CN=localhost -storetype PKCS12 -storepass secret -keystore"
    ProcessBuilder(listOf(tool) + arguments.split(' ') + file.path).redirectErrorStream(true).start().let {
        val output = it.inputStream.bufferedReader().readText()
        check(it.waitFor() == 0) { output }
    }
    val password = "secret".toCharArray()
    val store = KeyStore.getInstance("PKCS12").apply { file.inputStream().use { load(it, password) } }
    file.parentFile.deleteRecursively()
    val keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm()).apply { init(store, password) }
    val trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()).apply {
        init(
            KeyStore.getInstance("PKCS12").apply {
                load(null, null)
                setCertificateEntry("server", store.getCertificate("server"))
            },
        )
    }
    return SSLContext.getInstance("TLS").apply { init(keys.keyManagers, trust.trustManagers, null) }
}
