using System;
using System.Collections.Generic;
using static System.Math;
using Json = Newtonsoft.Json;

[assembly: InternalsVisibleTo("Tests")]

namespace Example.Shelves
{
    /// <summary>
    /// Lends <see cref="Book"/>s to readers.
    /// </summary>
    /// <remarks>Not safe for threads.</remarks>
    [Serializable]
    public abstract partial class Shelf<T> : Base, IEnumerable<T> where T : Book
    {
        private readonly List<T> _books = new();
        public const int Limit = 3;

        /// <summary>Its name.</summary>
        public string Name { get; set; } = "main";

        public int Count => _books.Count;

        public bool Open
        {
            get { return true; }
            private set
            {
                _open = value;
            }
        }

        /** <summary>Raised when lent.</summary> */
        public event EventHandler<LentArgs> Lent;

        static Shelf() { }

        /// <summary>Makes an empty one.</summary>
        public Shelf(string name) : base(name)
        {
            Name = name;
        }

        ~Shelf() => Dispose();

        public T this[int index]
        {
            get => _books[index];
        }

        // Not documentation.
        [Obsolete("later")]
        public async Task<T?> LendAsync<TKey>(TKey id, params string[] to)
            where TKey : notnull
        {
            int Local(int x) => x + 1;
            return await Task.FromResult(_books[0]);
        }

        protected abstract void Sort();

        public static Shelf<T> operator +(Shelf<T> a, T b) => a;

        public static implicit operator bool(Shelf<T> a)
        {
            return true;
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return _books.GetEnumerator();
        }

        /// <summary>How it is.</summary>
        public enum State : byte
        {
            Open,
            Closed,
        }
    }

    public interface ILend
    {
        void Lend(int id);
        int Days { get; }

        bool Done()
        {
            return true;
        }
    }

    /// <summary>A place.</summary>
    public record Place(int Row, int Column);

    public readonly struct Point
    {
        public override string ToString() => "point";
    }

    public delegate void Handler(object sender, int id);

    internal static class Extensions
    {
        public static bool IsOpen(this Shelf<Book> shelf) => shelf.Open;
    }
}
