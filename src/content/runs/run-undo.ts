/**
 * Undoes the writes of a run: finds its entries in the log, newest first, and plans and writes what brings their assets back.
 *
 * Everything goes page by page, so that memory does not grow with the run. A page may be undone again: what is undone already is
 * left alone.
 */
import type { Clock, IdSource } from '../../base/runtime.ts';
import { overtaking, writePlanned } from '../planned-writes.ts';
import { createReferenceFinder } from '../reading/find-references.ts';
import type { PlannedUndo } from './plan-undo.ts';
import {
  createUndoChecks,
  createUndoPlanner,
  createUndoWriter,
  type UndoCheckParts,
  type UndoPlanner,
} from './plan-undo.ts';
import type { RevertScope } from './run-segment.ts';
import { createSegmentReader } from './run-segment.ts';

/** Which entries of the run to undo: the newest `limit` with a `seq` less than `from`; absent begins with the newest. */
export interface UndoRequest {
  readonly scope: RevertScope;
  readonly from?: number;
  readonly limit: number;
}

/** What a page of entries leads to. `next` is the `from` of the next page; absent at the end of the run. */
export interface UndoPlan {
  readonly items: readonly PlannedUndo[];
  readonly next?: number;
}

/** What was done for a page of entries. */
export interface UndonePage {
  /** How many entries it had. */
  readonly examined: number;
  /** How many assets were brought back. */
  readonly written: number;
  /** How many groups of writes stay, and how many of these because of something that later pages may resolve. */
  readonly conflicts: number;
  readonly unresolved: number;
  readonly next?: number;
}

export type RunUndo = ReturnType<typeof createRunUndo>;

/** How many assets are planned at once. */
const concurrency = 8;
/** How many writes go to the store together, and about how many characters. */
const maxWrites = 100;
const maxCharacters = 4_000_000;
/** How many characters of JSON a plan has. */
const planCharacters = 1_000_000;

/** Creates it for the content of one catalog. */
export function createRunUndo(parts: UndoParts) {
  const { store } = parts;
  const [dryRun, planner] = [
    createPlanner(parts, { isDryRun: true }),
    createPlanner(parts, { isDryRun: false }),
  ];
  const readEntries = ({ scope, from, limit }: UndoRequest) =>
    store.changes.read({
      order: 'newest first',
      filter: { run: scope.run },
      limit,
      ...(from !== undefined && { from }),
    });

  /** Plans, and writes nothing. A plan may end early because of its size. */
  async function plan(request: UndoRequest): Promise<UndoPlan> {
    const { entries, next } = await readEntries(request);
    const items: PlannedUndo[] = [];
    let characters = 0;
    for (const group of groupsOf(entries, concurrency)) {
      const planned = await Promise.all(group.map((entry) => dryRun.plan(entry, request.scope)));
      items.push(...planned.flatMap((item) => item ?? []));
      characters += JSON.stringify(planned).length;
      const last = group.at(-1);
      if (characters > planCharacters && last && last !== entries.at(-1)) return { items, next: last.seq };
    }
    return { items, ...(next !== undefined && { next }) };
  }

  /** Undoes. Errors: store_busy, store_failure. */
  async function undo(request: UndoRequest): Promise<UndonePage> {
    const { entries, next } = await readEntries(request);
    const sum = { examined: entries.length, written: 0, conflicts: 0, unresolved: 0 };
    let waiting: PlannedUndo[] = [];
    let characters = 0;
    const writeWaiting = async () => {
      const writes = waiting.flatMap((item) => item.writes);
      // What refers to an asset may go with a later page, and what an asset refers to may be gone.
      const codes = [...overtaking, 'referenced', 'invalid_body'] as const;
      const { length: refused } = await writePlanned(store, writes, { codes });
      sum.written += writes.length - refused;
      sum.conflicts += refused;
      sum.unresolved += refused;
      waiting = [];
      characters = 0;
    };
    for (const group of groupsOf(entries, concurrency)) {
      const planned = await Promise.all(group.map((entry) => planner.plan(entry, request.scope)));
      for (const item of planned) {
        if (!item) continue;
        waiting.push(item);
        characters += JSON.stringify(item.writes).length;
        if (item.conflict) sum.conflicts++;
        if (item.conflict && mayResolve.includes(item.conflict.reason)) sum.unresolved++;
      }
      if (waiting.length >= maxWrites || characters > maxCharacters) await writeWaiting();
    }
    await writeWaiting();
    return { ...sum, ...(next !== undefined && { next }) };
  }

  return { plan, undo };
}

/** The parts of the content service that undoing uses. */
interface UndoParts extends Omit<UndoCheckParts, 'findReferences' | 'segments'> {
  readonly clock: Clock;
  readonly ids: IdSource;
}

function createPlanner(parts: UndoParts, { isDryRun }: { isDryRun: boolean }): UndoPlanner {
  const { catalog, store, finder, clock } = parts;
  const segments = createSegmentReader(store);
  const findReferences = createReferenceFinder({ content: { catalog, ...finder }, clock });
  const checks = createUndoChecks({ ...parts, segments, findReferences });
  const writer = createUndoWriter({ ...parts, types: catalog.types });
  return createUndoPlanner({ catalog, changes: store.changes, segments, checks, writer, isDryRun });
}

/** Conflicts that the rest of a revert may resolve: what refers to an asset may go, and what it needs may come back. */
const mayResolve: readonly string[] = ['referenced', 'refused'];

function* groupsOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
