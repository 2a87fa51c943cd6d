package io.runledger.model.ledger

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.util.UUID

class ScopeSpec :
    FunSpec({
        val acme = UUID(1, 2)
        val other = UUID(1, 3)

        test("a scope covers its own rows and no others") {
            mapOf(
                Scope.global() to listOf(true, false, false),
                Scope.organization(acme) to listOf(false, true, false),
                Scope.organization(other) to listOf(false, false, true),
                Scope.everything() to listOf(true, true, true),
            ).forEach { (scope, expected) ->
                withClue(scope) { listOf(null, acme, other).map(scope::covers) shouldBe expected }
            }
        }

        test("scopes are equal when they cover the same rows") {
            Scope.organization(acme) shouldBe Scope.organization(UUID(1, 2))
            Scope.organization(acme).hashCode() shouldBe Scope.organization(UUID(1, 2)).hashCode()
            setOf(Scope.global(), Scope.everything(), Scope.organization(acme), Scope.organization(other)).size shouldBe 4
            Scope.global() shouldNotBe null
            Scope.global().equals("global") shouldBe false
        }

        test("a scope tells what it is") {
            listOf(Scope.global(), Scope.organization(acme), Scope.everything()).map { it.kind() } shouldBe Scope.Kind.entries
            listOf(Scope.global(), Scope.organization(acme), Scope.everything()).map { it.organizationId() } shouldBe
                listOf(null, acme, null)
            "${Scope.organization(acme)}" shouldBe "organization 00000000-0000-0001-0000-000000000002"
            "${Scope.global()} ${Scope.everything()}" shouldBe "global everything"
        }
    })
