import type { Book } from './book';
import fs = require('fs');
export * from "./types";

/** What can be lent. */
export interface Lendable<T> extends Named {
  readonly id: string;
  /** Lends it. */
  lend(to: string): Promise<T>;
  back?: (from: string) => void;
  new (id: string): Lendable<T>;
}

export type Id = string | number;

/** Either of two. */
type State =
  | { kind: 'in' }
  | { kind: 'out'; since: Date };

export enum Genre {
  Novel = 'novel',
  Essay = 'essay',
}

declare const enum Flag { A, B }

declare module 'legacy' {
  export function load(name: string): void;
}

export namespace Shelves.Inner {
  /** Finds one. */
  export function find(name: string): Shelf | undefined {
    return undefined;
  }

  export const first = (): Shelf => {
    return find('a')!;
  };
}

declare global {
  interface Window {
    shelf: Shelf;
  }
}

/** Parses a number. */
export function parse(text: string): number;
export function parse(text: string, radix: number): number;
export function parse(text: string, radix = 10): number {
  return parseInt(text, radix);
}

/**
 * A place for books.
 * @see Lendable
 */
@Component({ selector: 'shelf' })
export abstract class Shelf<T extends Book = Book> implements Lendable<T> {
  private readonly books: T[] = [];
  id!: string;

  constructor(private readonly store: Store, public name = 'main') {}

  @Input()
  set label(value: string) { this.name = value; }

  /** Only for children. */
  protected abstract sort(by: keyof T): void;

  // Lends the first.
  @Trace('lend')
  async lend(to: string): Promise<T> {
    return this.books[0];
  }

  handle = async (event: Event): Promise<void> => {
    await this.lend('me');
  };

  static of<T extends Book>(...books: T[]): Shelf<T> {
    throw new Error('abstract');
  }
}

export const isOpen = (shelf: Shelf): shelf is Shelf & { open: true } => true;

const handlers: Record<string, () => void> = {
  open() { isOpen; },
  close: () => undefined,
};

export default class extends Shelf {
  sort() {}
}
