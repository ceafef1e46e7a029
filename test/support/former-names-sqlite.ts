/** A harness of the store contract: SQLite, where every class and every field has a former name, in a phase of a backfill. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/runtime.ts';
import type { BackfillPhase } from '../../src/store/backfill-calls.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { describeContent, describeContentStore } from '../contract/store/store-suite.ts';
import { openUnderFormerNames } from './former-names.ts';
import { isLong } from './rounds.ts';

/** Runs the store contract in a phase, or before any backfill: in `npm test` what it says about content. */
export function describeFormerNames(phase?: BackfillPhase): void {
  const describeStore = isLong ? describeContentStore : describeContent;
  describeStore(
    `SQLite with former names${phase ? `, ${phase}` : ''}`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'colophon-store-'));
      return {
        open: (catalog, options) =>
          openUnderFormerNames(catalog, {
            ...(phase && { phase }),
            open: (stored) =>
              createSqliteStore({
                file: join(folder, 'content.db'),
                catalog: stored,
                logger: silentLogger,
                ...options,
              }),
          }),
        dispose: () => rm(folder, { recursive: true }),
      };
    },
    { isCopied: phase === 'copying' || phase === 'copied' },
  );
}
