package io.runledger.console.security

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.runledger.console.ConsoleBench
import io.runledger.console.access.ConsoleRole
import io.runledger.model.ledger.Scope

/** Each route of the console for each role, for no user, and for a user of another organization. A new route is in the table by itself. */
class RouteRolesSpec :
    FunSpec({
        val bench = autoClose(ConsoleBench())
        val hostile = HostileLedger(bench.ledger)
        val places = Addresses(hostile).all
        val stranger = Stranger(bench.address)

        fun answer(place: Addresses.Place, user: String?) = if (place.route.method == "POST") {
            stranger.post(place.path, user)
        } else {
            stranger.send(place.route.method, place.path, user)
        }

        test("the table has the pages of all sections") {
            places.map { it.route.pattern } shouldContain "/jobs"
            places.map { it.route.pattern } shouldContain "/"
        }

        places.forEach { place ->
            test("$place is refused without a user") {
                answer(place, null).statusCode() shouldBe 401
            }

            ConsoleRole.entries.forEach { role ->
                val mayPass = role >= place.route.role
                test("$place ${if (mayPass) "answers" else "refuses"} the role ${role.name.lowercase()}") {
                    val user = "$role ${places.indexOf(place)}"
                    bench.viewer(user, role, hostile.scope)

                    val status = answer(place, user).statusCode()

                    if (!mayPass) {
                        status shouldBe 403
                    } else if (place.route.method == "GET" && !place.isPerhapsMissing) {
                        status shouldBeInRange 200..399
                    } else {
                        // A form without its fields is not valid; what matters here is that the role may send it.
                        withClue(status) { listOf(401, 403, 405).filter { it == status }.shouldBeEmpty() }
                        status shouldBeInRange 200..499
                    }
                }
            }

            test("$place tells a user of another organization nothing, and changes nothing for one") {
                val user = "stranger ${places.indexOf(place)}"
                bench.viewer(user, ConsoleRole.ADMINISTRATOR, Scope.organization(hostile.stranger))
                val before = hostile.fingerprint()

                val answer = answer(place, user)

                if (place.isOwned) answer.statusCode() shouldBe 404
                answer.body() shouldNotContain MARKER
                if (!place.isOwned) answer.body() shouldNotContain NAMED
                answer.body() shouldNotContain hostile.owner.toString()
                hostile.fingerprint() shouldBe before
            }
        }
    })
