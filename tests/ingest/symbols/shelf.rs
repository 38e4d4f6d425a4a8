//! Lends books.
//!
//! It is small.
#![deny(missing_docs)]

use std::collections::{BTreeMap, HashMap as Map};
use crate::books::*;
extern crate serde;

mod reader;

/// How many.
pub const LIMIT: usize = 3;
static mut OPEN: bool = false;

pub type Id = u32;

/// A shelf of books.
///
/// Not `Sync`.
#[derive(Debug, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Shelf<'a, T: Book + 'a>
where
    T: Clone,
{
    /// Its name.
    pub name: &'a str,
    books: Vec<T>,
}

pub struct Unit;
struct Pair(u8, u8);

/** How it is. */
pub enum State {
    Open,
    Lent { to: String, days: u8 },
}

union Bits {
    a: u32,
    b: f32,
}

/// Can be lent.
pub trait Lend: Named {
    type Item;
    const DAYS: u8 = 3;

    /// Lends one.
    fn lend(&mut self, id: Id) -> Option<Self::Item>;

    fn days(&self) -> u8 {
        Self::DAYS
    }
}

impl<'a, T: Book + Clone> Shelf<'a, T> {
    /// Makes an empty one.
    #[must_use]
    pub const fn new(name: &'a str) -> Self {
        Self { name, books: Vec::new() }
    }

    // Not documentation.
    pub async unsafe fn sort<F>(&mut self, by: F) -> Result<(), Error>
    where
        F: Fn(&T) -> u32,
    {
        fn key(x: u32) -> u32 {
            x
        }
        Ok(())
    }
}

impl<T: Book> Lend for Shelf<'_, T> {
    type Item = T;

    fn lend(&mut self, id: Id) -> Option<T> {
        self.books.get(id as usize).cloned()
    }
}

impl fmt::Display for crate::State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "state")
    }
}

/// Counts what it is given.
#[macro_export]
macro_rules! count {
    () => { 0 };
    ($x:expr $(, $rest:expr)*) => { 1 + count!($($rest),*) };
}

extern "C" {
    fn puts(text: *const u8) -> i32;
}

fn main() {
    println!("{}", count!(1, 2));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lends() {
        assert_eq!(LIMIT, 3);
    }
}
