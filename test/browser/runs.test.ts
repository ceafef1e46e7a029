/** Runs in a real browser: an import is listed, previewed and reverted. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { credentialsOf, runCommand } from '../support/command-line.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';

/** How long a run must have been quiet before it can be reverted. */
const settledMs = 61_000;

describeJourneys('a run', ({ instance, openSignedIn }) => {
  const content = () => instance().services.content;
  const get = async (id: string) => (await content().get(id, {})).asset;

  /** Runs `colophon import` against the instance; assets that exist are updated. */
  async function importInRun(run: string, assets: readonly object[]): Promise<void> {
    const { headers, url } = instance();
    const folder = mkdtempSync(join(tmpdir(), 'colophon-runs-'));
    const file = join(folder, 'input.ndjson');
    writeFileSync(file, assets.map((asset) => `${JSON.stringify(asset)}\n`).join(''));
    const environment = credentialsOf(headers);
    const words = ['import', file, '--mode', 'upsert', '--run', run, '--url', url];
    const { exitCode, stderr } = await runCommand(words, environment);
    rmSync(folder, { recursive: true });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`run ${run}`)]);
  }
  const toArticle = (slug: string, more: object = {}) => ({
    _type: article,
    slug,
    headline: `About ${slug}`,
    status: 'DRAFT',
    ...more,
  });

  it('is previewed, reverted as far as nobody else has changed its assets, and reverted back', async () => {
    const old = (await content().create(toArticle('old', { summary: 'Before.' }), {})).asset._id;
    const [ann, created, edited] = [randomUUID(), randomUUID(), randomUUID()];
    await importInRun('import-1', [
      { _id: ann, _type: author, slug: 'ann', name: 'Ann Example' },
      { _id: created, ...toArticle('created') },
      { _id: edited, ...toArticle('edited') },
      { _id: old, _type: article, summary: 'Imported.' },
    ]);
    await content().update({ id: edited, body: { headline: 'Edited since' } }, {});
    await content().create(toArticle('by-ann', { author: { _ref: ann, _type: author } }), {});

    const page = await openSignedIn('/admin/runs');
    const row = page.getByRole('table', { name: 'Runs' }).getByRole('row').filter({ hasText: 'import-1' });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/test.*4Open/);
    expect(await row.getByText('4', { exact: true }).getAttribute('title')).toBe('3 created, 1 changed');
    await expectAccessible(page);
    await row.getByRole('link', { name: 'import-1' }).click();
    await page.getByRole('heading', { level: 1, name: 'import-1' }).waitFor();

    await revert(page);
    const dialog = page.getByRole('dialog', { name: 'Revert import-1?' });
    await dialog.getByRole('alert').getByText('within the last minute').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    instance().advanceClock(settledMs);

    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview', exact: true });
    await preview.getByText('4 steps, 2 of them conflicts').waitFor();
    const step = (name: string) => preview.getByRole('region', { name, exact: true });
    await step('About old').getByText('Before').waitFor();
    await step('About created').getByText('Delete', { exact: true }).waitFor();
    await step('Edited since').getByText('Conflict', { exact: true }).waitFor();
    await step('Ann Example').getByRole('link', { name: 'About by-ann' }).waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await preview.getByRole('switch', { name: 'Only conflicts' }).check({ force: true });
    await step('About created').waitFor({ state: 'detached' });
    expect(await get(old)).toMatchObject({ summary: 'Imported.' });

    await revert(page);
    await dialog.waitFor({ state: 'hidden' });
    const result = page.getByRole('status').filter({ hasText: 'Reverted' });
    await result.getByText('2 writes were made, and 2 conflicts were left as they are.').waitFor();
    await expectAccessible(page);
    expect(await get(old)).toMatchObject({ summary: 'Before.' });
    await expect(get(created)).rejects.toMatchObject({ code: 'not_found' });
    expect(await get(edited)).toMatchObject({ headline: 'Edited since' });
    expect(await get(ann)).toMatchObject({ name: 'Ann Example' });

    instance().advanceClock(settledMs);
    await page.getByRole('link', { name: 'revert-import-1' }).click();
    await page.getByRole('heading', { level: 1, name: 'revert-import-1' }).waitFor();
    await page.getByRole('button', { name: 'Revert…' }).click();
    const again = page.getByRole('dialog', { name: 'Revert revert-import-1?' });
    await again.getByRole('button', { name: 'Revert' }).click();
    await again.waitFor({ state: 'hidden' });
    await result.getByText('2 writes were made, and 0 conflicts').waitFor();
    expect(await get(old)).toMatchObject({ summary: 'Imported.' });
    expect(await get(created)).toMatchObject({ headline: 'About created' });
    await finish(page);
  });

  it('that does not exist is reported', async () => {
    const page = await openSignedIn('/admin/runs/nowhere');
    await page.getByRole('alert', { name: 'Could not load: the run' }).waitFor();
    await expectAccessible(page);
    await finish(page);
  });
});

async function revert(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Revert…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click();
}
