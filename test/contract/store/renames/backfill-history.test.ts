/** What a backfill leaves as it was: past states and entries of the change log, and what `verify` says. */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { verify } from '../../../../src/app/compose-verify.ts';
import { readConfig } from '../../../../src/app/config.ts';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { followMs } from '../../../../src/store/renames/follow-backfill.ts';
import { runBackfill } from '../../../../src/store/renames/run-backfill.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';
import { serveStore } from './changed-types.ts';

const sdl = (mail: string) => `type Note @contentType(class: "x.Note") { ${mail} title: String }`;
const [former, present] = [sdl('mail: String!'), sdl('email: String! @was(name: "mail")')];
const settleMs = followMs + 200;

describeOnEachStore('a backfill', (locations) => {
  it('keeps history and past states, and verify finds nothing in any phase', async () => {
    const location = locations();
    const before = await serveStore(location, former);
    await before.store.insert({ asset: { _id: '1', _type: 'x.Note', mail: 'a' }, version: 'v-1' });
    await before.store.close();
    const { store } = await serveStore(location, present);
    const expectSame = async () => {
      const { findings } = await verify(
        { ...readConfig({}), ...location.config },
        { isRepairing: false, progress: () => {} },
      );
      // The indexes of system records are those of a server.
      expect(findings.filter(({ part }) => part !== 'indexes')).toEqual([]);
      for (const [number, email] of [
        [1, 'a'],
        [2, 'a'],
        [3, 'b'],
      ] as const) {
        const state = await store.changes.stateOf('1', { number });
        if (state.kind === 'exists') expect([number, state.asset.email]).toEqual([number, email]);
      }
    };
    const patch = { id: '1', type: 'x.Note', unset: [] };
    try {
      await expectSame();
      const fields = [{ type: 'x.Note', path: ['mail'], name: 'email' }];
      await store.backfill.writeState({ revision: 1, phase: 'copying', fields, finished: [] });
      await setTimeout(settleMs);
      // The value stays, and gets its second name.
      await store.patch({ ...patch, set: { email: 'a', title: 't' }, version: 'v-2' });
      await expectSame();
      const run = { catalog: catalogOf(present), logger: silentLogger, settleMs } as const;
      await runBackfill(location.config, { ...run, goal: 'copy' });
      await store.patch({ ...patch, set: { email: 'b' }, version: 'v-3' });
      await expectSame();
      await runBackfill(location.config, { ...run, goal: 'finish' });
      await expectSame();
      await runBackfill(location.config, { ...run, goal: 'back' });
      await expectSame();
      const { entries } = await store.changes.history({ asset: '1', limit: 9 });
      expect(entries.map(({ changed, before: values }) => [changed, values])).toEqual([
        [['email'], { email: 'a' }],
        [['title'], undefined],
        [['email'], undefined],
      ]);
    } finally {
      await store.close();
      await location.remove();
    }
  });
});
