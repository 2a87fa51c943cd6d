package io.runledger.exposed.sql

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import java.sql.SQLException

/** What is done with many items after one of them was refused. */
class IsolateRefusalsSpec :
    FunSpec({
        val refusal = ErrorCode.DB_RULE.exception("refused", null, SQLException("refused", "23514"))
        val held = ErrorCode.DB_LOCK_TIMEOUT.exception("held", null, SQLException("held", "55P03"))
        val unreachable = ErrorCode.DB_UNREACHABLE.exception("unreachable", null, SQLException("unreachable", "08006"))

        /** Does all items but those of [refused], and remembers the parts it was given. */
        class Work(private val refused: Map<Int, RunledgerException>) {
            val parts = mutableListOf<List<Int>>()
            val done = mutableListOf<Int>()
            val answers = mutableListOf<Pair<Int, RunledgerException>>()

            fun doAll(items: List<Int>) {
                parts += items
                items.firstNotNullOfOrNull(refused::get)?.let { throw it }
                done += items
            }

            fun answer(item: Int, refusal: RunledgerException): Int? {
                answers += item to refusal
                return null
            }
        }

        test("without a refusal all items are done at once") {
            val work = Work(emptyMap())

            IsolateRefusals().inHalves((1..9).toList(), { item, refused -> work.answer(item, refused) }, work::doAll)

            work.parts shouldContainExactly listOf((1..9).toList())
        }

        test("halves leave refused and held items alone, and keep the order") {
            val work = Work(mapOf(2 to refusal, 7 to held))

            IsolateRefusals().inHalves((1..9).toList(), { item, refused -> work.answer(item, refused) }, work::doAll)

            work.done shouldContainExactly listOf(1, 3, 4, 5, 6, 8, 9)
            work.answers shouldContainExactly listOf(2 to refusal, 7 to held)
        }

        test("one by one, each refused item has an answer, and the others their results in order") {
            val work = Work(mapOf(2 to held, 3 to refusal))

            val results = IsolateRefusals().oneByOne((1..4).toList(), work::answer) { item ->
                item.also { work.doAll(listOf(it)) }
            }

            results shouldContainExactly listOf(1, 4)
            work.answers shouldContainExactly listOf(2 to held, 3 to refusal)
        }

        test("an error that does not concern one item is thrown, and nothing is tried after it") {
            val work = Work(mapOf(2 to refusal, 3 to unreachable))

            val thrown = shouldThrow<RunledgerException> {
                IsolateRefusals().inHalves(listOf(1, 2, 3, 4), { item, refused -> work.answer(item, refused) }, work::doAll)
            }

            thrown shouldBeSameInstanceAs unreachable
            work.done shouldContainExactly listOf(1)
            work.answers shouldContainExactly listOf(2 to refusal)
        }

        test("the caller may say which refusals concern one item") {
            shouldThrow<RunledgerException> {
                IsolateRefusals(RunledgerException::isAboutARow).attempt({ throw held }) { }
            } shouldBeSameInstanceAs held
        }

        test("an item that cannot be deferred is remembered with both refusals") {
            val isolation = IsolateRefusals()
            isolation.throwIfStuck()

            isolation.defer(refusal) { "deferred" } shouldBe "deferred"
            isolation.throwIfStuck()
            isolation.defer(refusal) { throw held }.shouldBeNull()

            shouldThrow<RunledgerException> { isolation.throwIfStuck() } shouldBeSameInstanceAs refusal
            refusal.suppressed.toList() shouldContainExactly listOf(held)
        }
    })
