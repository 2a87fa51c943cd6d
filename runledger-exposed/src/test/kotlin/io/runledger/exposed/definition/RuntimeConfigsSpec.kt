package io.runledger.exposed.definition

import io.kotest.core.spec.Spec
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.freshLedger
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.ledger.RuntimeConfig
import io.runledger.model.ledger.RuntimeConfigRequest
import java.util.UUID
import java.util.concurrent.CompletableFuture

class RuntimeConfigsSpec :
    FunSpec({
        data class Limits(val perMinute: Int)

        fun Spec.ledgerWithMail(): TestLedger =
            freshLedger().also { it.client.definitions.sync(listOf(JobType.json("mail"), JobType.json("other"))) }

        test("a document is written, read and replaced by whoever names its revision") {
            val ledger = ledgerWithMail()
            val configs = ledger.client.configs
            val user = UUID(3, 4)
            val first = configs.put(RuntimeConfigRequest.of("mail", Limits(5)))
            first.revision() shouldBe 1
            first.schemaVersion() shouldBe 1
            first.updatedByUserId().shouldBeNull()
            ledger.client.codec.decode(first.config(), Limits::class.java) shouldBe Limits(5)

            val second = configs.put(RuntimeConfigRequest.of("mail", Limits(9)).replacing(1).withSchemaVersion(2).by(user))
            second.revision() shouldBe 2
            second.schemaVersion() shouldBe 2
            second.updatedByUserId() shouldBe user
            second.createdAt() shouldBe first.createdAt()
            configs.find("mail") shouldBe second
            configs.get("mail") shouldBe second
            configs.list() shouldContainExactly listOf(second)
        }

        test("a revision that is not the stored one is a conflict, and nothing is written") {
            val configs = ledgerWithMail().client.configs
            shouldRefuse(ErrorCode.RUNTIME_CONFIG_CONFLICT) {
                configs.put(RuntimeConfigRequest.of("mail", Limits(1)).replacing(1))
            }
            configs.find("mail").shouldBeNull()
            val first = configs.put(RuntimeConfigRequest.of("mail", Limits(1)))

            shouldRefuse(ErrorCode.RUNTIME_CONFIG_CONFLICT) { configs.put(RuntimeConfigRequest.of("mail", Limits(2))) }
                .message shouldContain "revision 1 is stored"
            shouldRefuse(ErrorCode.RUNTIME_CONFIG_CONFLICT) {
                configs.put(RuntimeConfigRequest.of("mail", Limits(2)).replacing(2))
            }
            configs.get("mail") shouldBe first
        }

        test("of two writers who read the same revision one is refused, also when they meet") {
            val ledger = ledgerWithMail()
            ledger.client.configs.put(RuntimeConfigRequest.of("mail", Limits(1)))
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).configs.put(RuntimeConfigRequest.of("mail", Limits(2)).replacing(1))
                val other = CompletableFuture.supplyAsync {
                    shouldRefuse(ErrorCode.RUNTIME_CONFIG_CONFLICT) {
                        ledger.client.configs.put(RuntimeConfigRequest.of("mail", Limits(3)).replacing(1))
                    }
                }
                ledger.awaitLockWait()
                connection.commit()
                other.get().message shouldContain "revision 2 is stored"
            }
            ledger.client.configs.get("mail").config() shouldBe Json("""{"perMinute": 2}""")
        }

        test("the first document is written once; whoever comes second gets what is there") {
            val ledger = ledgerWithMail()
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                val first = ledger.client.within(connection).configs.putIfMissing(RuntimeConfigRequest.of("mail", Limits(1)))
                val second = CompletableFuture.supplyAsync {
                    ledger.client.configs.putIfMissing(RuntimeConfigRequest.of("mail", Limits(2)))
                }
                ledger.awaitLockWait()
                connection.commit()
                second.get() shouldBe first
            }
        }

        test("a type that is not defined has no document and gets none") {
            val configs = ledgerWithMail().client.configs
            val request = RuntimeConfigRequest.of("nobody", Limits(1))
            listOf<() -> RuntimeConfig>({
                configs.put(request)
            }, { configs.put(request.replacing(1)) }, { configs.putIfMissing(request) })
                .forEach { put -> shouldRefuse(ErrorCode.DEFINITION_NOT_FOUND) { put() }.message shouldContain "'nobody'" }
            shouldRefuse(ErrorCode.RUNTIME_CONFIG_NOT_FOUND) { configs.get("nobody") }
            shouldRefuse(ErrorCode.RUNTIME_CONFIG_NOT_FOUND) { configs.get("mail") }
            configs.list().shouldBeEmpty()
        }

        test("a document that is no object is refused, as are versions and revisions below 1") {
            val ledger = ledgerWithMail()
            listOf("[]", "\"{}\"", "null", "1").forEach { text ->
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) {
                    ledger.client.configs.put(RuntimeConfigRequest.of("mail", Json(text)))
                }
            }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { RuntimeConfigRequest.of("mail", Limits(1)).withSchemaVersion(0) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { RuntimeConfigRequest.of("mail", Limits(1)).replacing(0) }
            ledger.client.configs.put(RuntimeConfigRequest.of("mail", Json(" {} "))).config() shouldBe Json.EMPTY_OBJECT
        }

        test("a refusal leaves a joined transaction usable") {
            val ledger = ledgerWithMail()
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                val configs = ledger.client.within(connection).configs
                shouldRefuse(ErrorCode.DEFINITION_NOT_FOUND) { configs.put(RuntimeConfigRequest.of("nobody", Limits(1))) }
                configs.put(RuntimeConfigRequest.of("other", Limits(1)))
                connection.commit()
            }
            ledger.client.configs.list().map { it.jobType() } shouldContainExactly listOf("other")
        }
    })
