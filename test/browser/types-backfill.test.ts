/** The page of content types during a backfill: what is renamed, what blocks it, its progress, and the next command. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFolder, toCatalog } from '../../src/app/chosen-types.ts';
import { runBackfill } from '../../src/app/compose-backfill.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit, showIn } from '../support/displayed-page.ts';
import { startInstance, type TestInstance } from '../support/instance.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const former = makeTypesFolder('type Book @contentType(class: "x.Book") { title: String! }');
const present = makeTypesFolder(
  'type Book @contentType(class: "x.Book") { headline: String! @was(name: "title") }',
);

describeJourneys(
  'a backfill on the page of content types',
  ({ instance, location, openSignedIn }) => {
    let server: TestInstance;
    let page: Page;

    beforeAll(async () => {
      for (const title of ['one', 'two'])
        await instance().services.content.create({ _type: 'x.Book', title }, {});
      server = await startInstance(location, { typesDir: present.path });
    });
    afterAll(async () => {
      await server?.stop();
      former.remove();
      present.remove();
    });

    const section = () => page.getByRole('region', { name: 'Renamed fields' });
    const commandOf = (label: string) => section().getByRole('group', { name: label, exact: true });

    /** Copies until the page shows a text. */
    async function copyUntil(shown: string, settleMs: number): Promise<void> {
      const controller = new AbortController();
      const catalog = toCatalog(readFolder(present.path));
      const run = {
        catalog,
        logger: silentLogger,
        goal: 'copy' as const,
        settleMs,
        signal: controller.signal,
      };
      const running = runBackfill(location.config, run);
      const seen = section().getByText(shown, { exact: true }).waitFor({ timeout: 60_000 });
      await Promise.race([seen, running.then(() => seen)]);
      controller.abort();
      await running;
    }

    it('shows the renamed field, the server in the way, and the command', async () => {
      page = await openSignedIn(`${server.url}/admin/types`);
      const row = section().getByRole('table', { name: 'Renamed fields' }).getByRole('row').nth(1);
      await row.waitFor();
      expect(await row.getByRole('cell').allTextContents()).toEqual(['x.Book', 'title', 'headline', '2']);
      await section().getByText('Former names', { exact: true }).waitFor();
      const blocking = section().getByRole('alert', { name: '1 server has former types' });
      expect(await blocking.textContent()).toContain(former.path);
      expect(await commandOf('Command to start the backfill').textContent()).toBe('colophon types backfill');
      for (const colorScheme of ['light', 'dark'] as const) {
        await showIn(page, colorScheme);
        await expectAccessible(page);
      }
      await expectToFit(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await instance().stop();
      await blocking.waitFor({ state: 'detached', timeout: 60_000 });
    });

    it('follows a backfill that begins, is interrupted, goes on and ends', async () => {
      await copyUntil('Copying', 60_000);
      // What was begun goes on, and waits again until all servers follow.
      await copyUntil('A process is at work', 60_000);
      await section().getByRole('alert', { name: 'Interrupted' }).waitFor({ timeout: 60_000 });
      expect(await section().getByText('0 of 2 assets read').count()).toBe(1);
      expect(await commandOf('Command to continue the backfill').textContent()).toBe(
        'colophon types backfill',
      );
      await expectAccessible(page);
      await copyUntil('Both names', 100);
      expect(await commandOf('Command to remove the former names').textContent()).toBe(
        'colophon types backfill --finish',
      );
      expect(await commandOf('Command to undo the backfill').textContent()).toBe(
        'colophon types backfill --back',
      );
      await expectAccessible(page);
      await finish(page);
    });
  },
  { settings: { typesDir: former.path } },
);
