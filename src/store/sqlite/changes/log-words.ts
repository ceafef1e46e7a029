/**
 * The numbers of names and actors in the change log. Runs in the write transaction and inserts those that have none.
 *
 * The numbers are cached. After a rollback, call `forget`: another process may assign the same numbers to other names.
 */
import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../../base/request-origin.ts';

/** Finds the numbers of names and actors. */
export interface LogWords {
  nameNumber(name: string): number;
  /** Returns the JSON list of the numbers of names; `names` is their JSON list. */
  numbersOf(names: string): string;
  actorNumber(actor: Actor): number;
  /** Clears the cache after a rollback. */
  forget(): void;
}

const maxCached = 10_000;
const maxCachedCharacters = 1_000_000;

/** Prepares the statements. */
export function createLogWords(database: DatabaseSync): LogWords {
  const cache = new LRUCache<string, number>({ max: maxCached });
  const lists = new LRUCache<string, string>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (numbers, names) => names.length + numbers.length,
  });
  const selectName = database.prepare('SELECT number FROM change_names WHERE name = ?');
  const insertName = database.prepare('INSERT INTO change_names (name) VALUES (?)');
  const selectActor = database.prepare(
    'SELECT number FROM change_actors WHERE kind = ? AND id IS ? AND name IS ?',
  );
  const insertActor = database.prepare('INSERT INTO change_actors (kind, id, name) VALUES (?, ?, ?)');

  function nameNumber(name: string): number {
    const known = cache.get(name);
    if (known !== undefined) return known;
    const number = Number(selectName.get(name)?.number ?? insertName.run(name).lastInsertRowid);
    cache.set(name, number);
    return number;
  }

  /** Most writes change the same fields as others before them. */
  function numbersOf(names: string): string {
    const known = lists.get(names);
    if (known !== undefined) return known;
    // The text was made by `JSON.stringify` from a list of names.
    const numbers = JSON.stringify((JSON.parse(names) as string[]).map(nameNumber));
    lists.set(names, numbers);
    return numbers;
  }

  function actorNumber(actor: Actor): number {
    const [kind, id, name] = [actor.kind, actor.id ?? null, actor.name ?? null];
    // A name of a field or a run never begins with a bracket.
    const key = JSON.stringify([kind, id, name]);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const found = selectActor.get(kind, id, name)?.number;
    const number = Number(found ?? insertActor.run(kind, id, name).lastInsertRowid);
    cache.set(key, number);
    return number;
  }

  return {
    nameNumber,
    numbersOf,
    actorNumber,
    forget() {
      cache.clear();
      lists.clear();
    },
  };
}
