@file:JvmName("Shelves")

package org.example.shelf

import java.util.UUID
import org.example.books.*
import kotlin.math.max as largest

const val LIMIT = 3

typealias Id = String

/**
 * Lends books to [Reader]s.
 *
 * @property name on its door
 */
@Serializable
open class Shelf<T : Book>(
    val name: String,
    private val books: MutableList<T> = mutableListOf(),
) : Base(name), Iterable<T> by books {
    var open = true
        private set

    /** How many there are. */
    val size: Int
        get() = books.size

    val first by lazy {
        books.first()
    }

    init {
        require(name.isNotEmpty())
    }

    /** From a file. */
    constructor(file: File) : this(file.name)

    // Not documentation.
    @Throws(IOException::class)
    override suspend fun <R> lend(id: Id, by: (T) -> R): R? {
        fun local(x: Int) = x + 1
        return books.firstOrNull()?.let(by)
    }

    protected open fun sort() = books.sortBy { it.title }

    /** Makes them. */
    companion object : Factory {
        const val DAYS = 3

        @JvmStatic
        fun of(name: String): Shelf<Book> {
            return Shelf(name)
        }
    }

    inner class Entry {
        fun reset() {}
    }
}

/** Can be lent. */
interface Lend {
    val days: Int

    /** Lends. */
    fun lend(id: Id)

    fun done(): Boolean {
        return true
    }
}

fun interface Rule {
    fun holds(id: Id): Boolean
}

/** How it is. */
enum class State(val code: Char) {
    OPEN('o') {
        override fun label() = "open"
    },
    CLOSED('c');

    abstract fun label(): String
}

data class Place(val row: Int, val column: Int)

sealed interface Result

object Registry {
    private val all = HashMap<Id, Shelf<*>>()

    fun register(shelf: Shelf<*>) {
        all[shelf.name] = shelf
    }
}

annotation class Traced(val value: String = "")

/** Says it loudly. */
fun String.shout(times: Int = 1): String {
    return uppercase().repeat(times)
}

val Shelf<*>.isEmpty: Boolean
    get() = size == 0

fun <T> List<T>.second(): T = this[1]

fun main() {
    println("x".shout())
}
