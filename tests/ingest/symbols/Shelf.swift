import Foundation
import struct SwiftUI.Text
@testable import Books

let limit = 3

typealias Id = String

/// Lends books.
///
/// Not safe for threads.
@MainActor
public final class Shelf<T: Book>: Base, Lendable where T: Hashable {
    private var books: [T] = []
    static let shared = Shelf(name: "main")

    /// How many there are.
    var count: Int {
        books.count
    }

    var open = true {
        didSet { print(open) }
    }

    /// Makes an empty one.
    public required init?(name: String) {
        super.init()
    }

    deinit {
        print("gone")
    }

    subscript(index: Int) -> T {
        get { books[index] }
        set { books[index] = newValue }
    }

    // Not documentation.
    @discardableResult
    func lend<R>(_ id: Id, to reader: String = "me", by: (T) throws -> R) async rethrows -> R? {
        func local(_ x: Int) -> Int { x + 1 }
        return nil
    }

    static func == (a: Shelf, b: Shelf) -> Bool {
        return true
    }

    /** An entry. */
    struct Entry {
        var a = 0
        mutating func reset() {
            a = 0
        }
    }
}

/// How it is.
enum State: String, CaseIterable {
    case open, closed
    case lent(to: String)

    var label: String { rawValue }

    init(code: Character) {
        self = .open
    }
}

/// Can be lent.
public protocol Lendable: AnyObject {
    associatedtype Item
    var days: Int { get }

    /// Lends.
    func lend(_ id: Id) -> Item
    init(days: Int)
}

extension Shelf: CustomStringConvertible where T: Named {
    var description: String {
        "shelf"
    }

    func sort() {
        books.sort { $0.title < $1.title }
    }
}

extension Array.Index {
    func next() -> Int { self + 1 }
}

actor Registry {
    func register(_ shelf: Shelf<Book>) {}
}

struct Place: Equatable {
    let row, column: Int
}

#if DEBUG
func debug() {
    print("debug")
}
#endif

infix operator +++

func +++ (a: Int, b: Int) -> Int {
    a + b
}

struct CardView: View {
    @State private var open = false

    var body: some View {
        VStack {
            Text("a")
        }
    }
}
