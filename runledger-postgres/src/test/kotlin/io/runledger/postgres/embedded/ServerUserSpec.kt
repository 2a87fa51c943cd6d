package io.runledger.postgres.embedded

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.runledger.postgres.error.PostgresUnavailableException

class ServerUserSpec :
    FunSpec({
        val isRoot = CurrentUser.uid == 0

        listOf("setpriv", "runuser", "su", "unshare").forEach { tool ->
            val installed = Shell.run(listOf("sh", "-c", "command -v $tool")).succeeded
            test("root can step down with $tool").config(enabled = isRoot && installed) {
                val user = ServerUser.insteadOfRoot("nobody", listOf(tool))

                Shell.run(user.command("id", "-u")).text.trim() shouldNotBe "0"
                Shell.run(user.command("printf", "%s|", "it's", "a b", "\$HOME")).text shouldBe "it's|a b|\$HOME|"
            }
        }

        test("a tool that is missing or does not work is passed over").config(enabled = isRoot) {
            val user = ServerUser.insteadOfRoot("nobody", listOf("no-such-tool", "setpriv", "runuser", "su"))

            Shell.run(user.command("id", "-un")).text.trim() shouldBe "nobody"
        }

        test("a user that does not exist is named").config(enabled = isRoot) {
            val failure =
                shouldThrow<PostgresUnavailableException> { ServerUser.insteadOfRoot("no-such-user", listOf("setpriv", "su")) }

            failure.message shouldContain "'no-such-user', a user that does not exist"
        }

        test("an ordinary user stays itself").config(enabled = !isRoot) {
            ServerUser.of("nobody").command("id", "-u") shouldBe listOf("id", "-u")
        }
    })
