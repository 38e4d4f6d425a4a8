/** @fileoverview Lends books. */
'use strict';

const path = require('node:path');
import { readFile } from 'node:fs/promises';
import Clock, * as times from "./clock.js";
export { shelve } from './shelve.js';

export const LIMIT = 3;

/**
 * Opens a shelf.
 *
 * @param {string} name the name on its door
 */
export async function open(name, { fast = false } = {}) {
  const { load } = await import('./load.js');
  return load(path.join(name, fast ? 'a' : 'b'));
}

export default function () {
  return open('main');
}

// Counts what is lent,
// one by one.
const count = (books) => {
  return books.length;
};

export const double = x => x * 2;

function* titles(books) {
  for (const book of books) yield book.title;
}

/** A shelf of books. */
export class Shelf extends Map {
  static #open = 0;
  size = 3;

  /** Starts empty. */
  constructor(name) {
    super();
    this.name = name;
  }

  get first() { return this.values().next().value; }

  set first(book) {
    this.set(book.id, book);
  }

  static async of(...books) {
    return new Shelf(books);
  }

  // Kept bound to this.
  lend = (id) => {
    return this.get(id);
  };

  #secret() {
    return Shelf.#open;
  }

  *[Symbol.iterator]() {
    yield* this.values();
  }
}

const Closed = class extends Shelf {
  lend() { return null; }
};

/** Talks to the outside. */
const api = {
  base: '/v1',
  /** Fetches one. */
  get(id) {
    return fetch(`${this.base}/${id}`);
  },
  put: async function (id, book) {
    return fetch(this.base, { method: 'PUT' });
  },
  drop: (id) => fetch(id),
};

Shelf.prototype.sort = function (by) {
  return [...this].sort(by);
};

module.exports.close = function close() {
  Shelf.opened = false;
};

if (LIMIT > 2) {
  function inside() {
    return 1;
  }
}

(function () {
  function hidden() {
    return 2;
  }
  hidden();
})();

describe('shelf', () => {
  it('lends', () => {
    open('a');
  });
});
