/**
 * The calls of a backfill on SQLite: the main thread's side. The state and the serving processes are read on its connection.
 */
import type { BackfillCalls } from '../../backfill-calls.ts';
import type { Query } from '../connection.ts';
import { readServing } from '../serving-processes.ts';
import type { Threads } from '../threads/store-threads.ts';
import { nowMs } from '../writes/group-commit.ts';
import { defaultWaitMs } from '../writes/transaction.ts';
import { parseBackfillState, selectBackfillState } from './backfill-state.ts';
import type { RewriteResult } from './rewrite-rows.ts';

/** What the calls need of their store. */
export interface SqliteBackfillOptions {
  readonly threads: Pick<Threads, 'writer' | 'mainConnection'>;
  /** The time without a report after which a process no longer counts as serving. */
  readonly expiryMs: number;
}

const selectState: Query = { sql: selectBackfillState, params: [] };

/** Creates the calls. Their errors are SQLite's, and value_in_use of `rewrite`. */
export function createSqliteBackfill({ threads, expiryMs }: SqliteBackfillOptions): BackfillCalls {
  const { writer, mainConnection } = threads;
  return {
    async readState() {
      const [[row] = []] = mainConnection.run([selectState]);
      return row && parseBackfillState(row[0]);
    },
    writeState: async (state) => (await writer.call({ kind: 'writeState', state })) === true,
    async rewrite(rewrites) {
      if (rewrites.length === 0) return [];
      const request = { kind: 'rewrite', rewrites, waitUntilMs: nowMs() + defaultWaitMs } as const;
      // The writer answers each kind of request with its kind of result.
      return ((await writer.call(request)) as RewriteResult).ids;
    },
    readServing: async () => mainConnection.inSnapshot((all) => readServing(all, expiryMs)),
  };
}
