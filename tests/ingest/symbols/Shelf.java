/* Licence: none. */
package org.example.shelf;

import java.util.*;
import static java.util.Objects.requireNonNull;
import org.example.books.Book;

/**
 * Lends books to {@link Reader readers}, <b>one</b> each.
 * <p>
 * Not safe for threads.
 *
 * @author us
 */
@Deprecated
@SuppressWarnings({"unchecked", "rawtypes"})
public abstract class Shelf<T extends Book> extends Base implements Iterable<T>, Closeable {
    private static final int LIMIT = 3;
    private final List<T> books = new ArrayList<>();

    static {
        System.out.println("loaded");
    }

    /** Makes an empty one. */
    protected Shelf(String name) throws IOException {
        super(name);
    }

    /**
     * Lends a book.
     * @param id which
     * @return the book
     */
    @Override
    @Nullable public T lend(final int id, String... to) throws LentException {
        return books.get(id);
    }

    abstract void sort();

    /** Closes it. */
    public abstract void close();

    public <R> R map(Function<? super T, R> by) {
        Runnable r = new Runnable() {
            public void run() { }
        };
        return null;
    }

    /** How it is. */
    public enum State implements Named {
        /** Open to all. */
        OPEN("o") {
            @Override public String label() { return "open"; }
        },
        CLOSED("c");

        private final String code;

        State(String code) {
            this.code = code;
        }

        public String label() {
            return code;
        }
    }

    // Not a doc comment.
    static class Entry {
        int a, b;
    }

    public interface Visitor {
        void visit(Shelf<?> shelf);

        /** Has a body. */
        default boolean done() {
            return true;
        }
    }

    @interface Traced {
        String value() default "";
    }
}

/** A point on a shelf. */
record Place(int row, int column) {
    Place {
        requireNonNull(row);
    }

    static Place of(int row) {
        return new Place(row, 0);
    }
}

sealed interface Shape permits Circle, Square {}
