/**
 * The change log of the store port on SQLite: the main thread's side. Reader threads read it and the writer thread writes it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDomainError } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import type { ChangeLog, ChangeOrigin, LoggedEvent, LogPosition, PastState } from '../../changes.ts';
import type { ReadCaller } from '../../read-caller.ts';
import { createEventLoopQueue } from '../threads/event-loop-turns.ts';
import type { Threads } from '../threads/store-threads.ts';
import { nowMs } from '../writes/group-commit.ts';
import { defaultWaitMs } from '../writes/transaction.ts';
import type { WriteRequest } from '../writes/write-requests.ts';
import { omit } from './apply-patch.ts';
import type { TrimResult, UpkeepRequest } from './log-upkeep.ts';
import type { ChangesRequest, FoundEntries } from './read-changes.ts';
import type { FoundState } from './read-state.ts';
import { toEntry } from './read-state.ts';

/** What the log needs of its store. */
export interface SqliteChangesOptions {
  readonly threads: Threads;
  /** Sends a write to the writer thread. */
  readonly write: (request: WriteRequest, origin: ChangeOrigin | undefined) => Promise<unknown>;
}

/** Texts with more characters than this wait for a round of the event loop before they are parsed. */
const maxCharactersAtOnce = 65_536;
const emptyWalRetryMs = 25;

/** Creates the log. Its errors are SQLite's. */
export function createSqliteChanges({ threads, write }: SqliteChangesOptions): ChangeLog {
  const { readers, writer, mainConnection, types } = threads;
  const yieldToEventLoop = createEventLoopQueue();

  // A reader answers each kind of request with its kind of result.
  const ask = async <Found extends FoundEntries | FoundState>(request: ChangesRequest, caller?: ReadCaller) =>
    (await readers.call(request, caller)) as Found;
  const askEntries = async (request: ChangesRequest, caller: ReadCaller) => {
    const { rows, ...rest } = await ask<FoundEntries>(request, caller);
    const characters = rows.reduce((sum, row) => sum + String(row.at(-1) ?? '').length, 0);
    if (characters > maxCharactersAtOnce) await yieldToEventLoop();
    return { entries: rows.map(toEntry), ...rest };
  };

  async function stateOf(...[asset, moment, caller]: Parameters<ChangeLog['stateOf']>): Promise<PastState> {
    const found = await ask<FoundState>({ kind: 'state', asset, moment }, caller);
    if (found.kind !== 'exists') return found;
    const { kind, type, document, version, number } = found;
    const unlogged = types.get(type)?.unlogged;
    if (unlogged === 'all') return { kind: 'removed' };
    if (document.length > maxCharactersAtOnce) await yieldToEventLoop();
    // The text was made from an asset; `_id` and `_type` are no secrets.
    const state = omit(JSON.parse(document), unlogged?.secrets ?? []) as Asset;
    return { kind, asset: state, version, number };
  }

  async function trim(request: Parameters<ChangeLog['trim']>[0]): Promise<number> {
    const { beforeMs, limit } = request;
    for (let removed = 0; ; ) {
      // Other writes run between the short transactions.
      const result = await upkeep<TrimResult>({ kind: 'trim', beforeMs, limit: limit - removed });
      removed += result.removed;
      if (result.isDone) return removed;
    }
  }

  async function erase(
    ...[{ purge: when, ...erasure }, origin]: Parameters<ChangeLog['erase']>
  ): Promise<boolean> {
    const isKnown = await upkeep<boolean>({ kind: 'erase', ...erasure, origin });
    if (isKnown && when !== 'later') await purge();
    return isKnown;
  }

  async function purge(): Promise<void> {
    await upkeep({ kind: 'rebuild' });
    await emptyWal();
  }

  /** Waits until nobody reads erased values any more. Errors: store_busy. */
  async function emptyWal(): Promise<void> {
    for (const endMs = nowMs() + defaultWaitMs; ; await sleep(emptyWalRetryMs)) {
      try {
        await upkeep({ kind: 'emptyWal' });
        return;
      } catch (error) {
        if (!isDomainError(error, 'store_busy') || nowMs() > endMs) throw error;
      }
    }
  }

  // The writer answers each kind of request with its kind of result.
  const upkeep = async <Result>(request: UpkeepRequest) => (await writer.call(request)) as Result;

  async function position(): Promise<LogPosition> {
    const [[row] = []] = mainConnection.run([selectPosition]);
    const [epoch, first, last, trimmedTo] = row ?? [];
    return {
      epoch: String(epoch),
      first: Number(first),
      last: Number(last),
      trimmedTo: Number(trimmedTo),
    };
  }

  return {
    position,
    // Every entry has its `seq` when it becomes visible.
    waitUntilNumbered: async () => (await position()).last,
    read: ({ client, signal, ...request }) => askEntries({ kind: 'log', ...request }, { client, signal }),
    history: ({ client, signal, ...request }) =>
      askEntries({ kind: 'history', ...request }, { client, signal }),
    stateOf,
    async append({ id, asset, type, action }: LoggedEvent, origin) {
      await write({ kind: 'event', type, id: asset, action, change: id }, origin);
    },
    trim,
    erase,
    purge,
  };
}

const selectPosition = {
  sql: `SELECT (SELECT value FROM store_facts WHERE name = 'epoch'),
    coalesce((SELECT min(seq) FROM changes), 0), coalesce((SELECT max(seq) FROM changes), 0),
    coalesce((SELECT value FROM store_facts WHERE name = 'trimmed_to'), 0)`,
  params: [],
};
