package io.runledger.exposed.fuzz

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.Audit
import io.runledger.exposed.Ledger
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.Schedules
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.json.PayloadCodec
import org.jetbrains.exposed.v1.jdbc.JdbcTransaction
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.sql.Connection
import java.util.concurrent.CompletableFuture
import javax.sql.DataSource
import kotlin.random.Random

/**
 * Calls every public method of a client with random arguments of the right types. A call works, or it is refused in the
 * documented way and has written nothing; the ledger stays consistent. Reflection finds the methods, so none is left out.
 * `-Drunledger.seed=…` repeats a run, `-Drunledger.fuzz=…` says how often each method is called.
 */
class FacadesSpec :
    FunSpec({
        val seed = System.getProperty("runledger.seed")?.toLong() ?: 20_261
        val rounds = System.getProperty("runledger.fuzz")?.toInt() ?: 4

        test("whatever is given to the client, it answers or refuses, and the ledger stays sound (seed $seed)") {
            val trial = Trial(world(), Random(seed))

            repeat(rounds) {
                trial.round()
                trial.world.client.verify().contradictions().shouldBeEmpty()
            }

            trial.complaints.shouldBeEmpty()
            // A method that has refused every call so far is called in its own ledger with valid arguments, until a call succeeds.
            // Only an operator may undo, and this client names none.
            val others = trial.unanswered.filterNot { it.declaringClass == Audit::class.java && it.name == "undo" }
            others.filterNot { entry -> world().use { Trial(it, Random(seed)).answers(entry) } } shouldBe emptyList()
        }
    })

private class Trial(val world: World, random: Random) {
    private val remembered = Remembered(random).also { world.populate().forEach(it::add) }
    private val arguments = Arguments(
        random,
        remembered,
        mapOf(
            PayloadCodec::class.java to { world.client.codec },
            RunledgerClient::class.java to { world.client },
            DataSource::class.java to { world.pool },
            Connection::class.java to { world.pool.connection.also { opened += it } },
        ),
    )
    private val opened = mutableListOf<AutoCloseable>()
    private val contents = world.pool.connection.use { Contents(it) }
    private val choice = random

    private val entries: List<Method> =
        listOf(Ledger::class.java, WorkerLedger::class.java, RunledgerClient::class.java).flatMap(::facadesOf) +
            listOf(RunledgerClient::class.java, RunledgerClient.Builder::class.java, Schedules::class.java)
                .flatMap(::callable).distinct()
    private val answered = mutableSetOf<Method>()
    val complaints = mutableListOf<String>()

    /** The methods that refused every call, so that only their checks were tested. */
    val unanswered: List<Method> get() = entries - answered

    fun round() = entries.shuffled(choice).forEach(::tryOut)

    /** Whether one of many calls of [entry] with valid arguments succeeds. */
    fun answers(entry: Method): Boolean {
        arguments.tameness = 10
        return (1..MOST_CALLS).any {
            runCatching {
                answer(entry, entry.invoke(target(entry, world.client), *arguments.forCall(entry).toTypedArray()))
            }.isSuccess
        }
    }

    private fun tryOut(entry: Method) {
        arguments.tameness = listOf(4, 7, 9, 10).random(choice)
        val given = try {
            arguments.forCall(entry)
        } catch (refusal: Throwable) {
            note(entry, refusal, emptyList())
            return
        }
        val isOfLedger = !Ledger::class.java.isAssignableFrom(entry.declaringClass)
        if (isOfLedger && choice.nextInt(4) == 0) joined(entry, given) else own(entry, given)
        opened.forEach { it.close() }
        opened.clear()
    }

    private fun own(entry: Method, given: List<Any?>) {
        val before = world.pool.connection.use(contents::read)
        try {
            answer(entry, unwrapped { entry.invoke(target(entry, world.client), *given.toTypedArray()) })
        } catch (refusal: Throwable) {
            note(entry, refusal, given)
            compare(entry, given, before)
        }
    }

    /** As [own], in a transaction of the caller's, which a refusal leaves usable and empty. */
    private fun joined(entry: Method, given: List<Any?>) = world.pool.connection.use { connection ->
        connection.autoCommit = false
        val before = contents.read(connection)
        try {
            answer(entry, unwrapped { entry.invoke(target(entry, world.client.within(connection)), *given.toTypedArray()) })
            connection.commit()
        } catch (refusal: Throwable) {
            note(entry, refusal, given)
            connection.commit()
            compare(entry, given, before)
        }
    }

    private fun answer(entry: Method, answer: Any?) {
        answered += entry
        when (answer) {
            is CompletableFuture<*> -> answer.cancel(true)
            is Ledger -> Unit
            is AutoCloseable -> answer.close()
            else -> remembered.add(answer)
        }
    }

    private fun note(entry: Method, refusal: Throwable, given: List<Any?>) {
        val complaint = complaintAbout(refusal, arguments.hasWrongNull) ?: return
        complaints += "$complaint: ${show(entry, given)}\n${refusal.stackTraceToString().take(3000)}"
    }

    private fun compare(entry: Method, given: List<Any?>, before: Map<String, String>) {
        val after = world.pool.connection.use(contents::read)
        val changed = after.filter { (table, content) -> before[table] != content }.keys
        if (changed.isNotEmpty()) complaints += "Refused, yet it wrote to $changed: ${show(entry, given)}"
    }

    private fun show(entry: Method, given: List<Any?>) =
        "${entry.declaringClass.simpleName}.${entry.name}" + given.map { text(it).take(300) }

    /** A proxy's text may be null. */
    private fun text(value: Any?): String = runCatching { value.toString() as String? }.getOrNull() ?: "?"

    /** The facade an entry belongs to, of [ledger]; none for a static method. */
    private fun target(entry: Method, ledger: Ledger): Any? = when {
        Modifier.isStatic(entry.modifiers) -> null
        entry.declaringClass == RunledgerClient.Builder::class.java -> RunledgerClient.builder(world.pool)
        entry.declaringClass.isInstance(ledger) -> ledger
        entry.declaringClass.isInstance(world.client) -> world.client
        entry.declaringClass.isInstance(world.client.signals) -> world.client.signals
        else -> facades(ledger).first { entry.declaringClass.isInstance(it) }
    }

    private fun facades(ledger: Ledger): List<Any> = getters(Ledger::class.java).map { it.invoke(ledger) } +
        getters(WorkerLedger::class.java).map { it.invoke(WorkerLedger.of(ledger)) }

    private fun facadesOf(door: Class<*>) = getters(door).map { it.returnType }.distinct().flatMap(::callable)

    private fun getters(door: Class<*>) = door.declaredMethods
        .filter {
            Modifier.isPublic(it.modifiers) && !Modifier.isStatic(it.modifiers) && !it.isSynthetic && it.parameterCount == 0
        }
        .filter { it.returnType.packageName.startsWith("io.runledger.exposed") && it.returnType.simpleName !in notFacades }
        .sortedBy { it.name }

    private fun callable(facade: Class<*>): List<Method> = facade.methods
        .filter { it.declaringClass.packageName.startsWith("io.runledger") && !it.isSynthetic && '$' !in it.name }
        // An Exposed transaction exists only inside its own block.
        .filterNot { JdbcTransaction::class.java in it.parameterTypes }
        .inOrder()

    private companion object {
        const val MOST_CALLS = 1_000

        /** Result types, not facades. */
        val notFacades = setOf("LedgerTables", "MigrationReport", "RunledgerClient")
    }
}
