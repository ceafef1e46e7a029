/** How much the browser loads before the first page is usable. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.ts';
import { describeJourneys, finish } from '../support/browser.ts';

const article = 'com.example.news.Article';
const maxFirstPageBytes = 300 * 1024;
const maxDataBytes = 60 * 1000;

/** Collects all further responses that a page receives. */
function collectResponses(page: Page): Response[] {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  return responses;
}

async function bytesOf(responses: readonly Response[]): Promise<number> {
  const lengths = await Promise.all(responses.map((response) => response.headerValue('content-length')));
  return lengths.reduce((sum, length) => sum + Number(length), 0);
}

/** The uncompressed size of what the APIs answered, which `content-length` does not tell. */
async function dataBytesOf(responses: readonly Response[]): Promise<number> {
  const data = responses.filter((response) => response.url().includes('/api/'));
  // A reload ends responses of the page before.
  const bodies = await Promise.all(data.map((response) => response.body().catch(() => Buffer.alloc(0))));
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  expect(bytes).toBeGreaterThan(500);
  return bytes;
}

describeJourneys('the download size of the admin UI', ({ instance, openSignedIn }) => {
  it('is below 300 KB for the first page, and large parts load when opened', async () => {
    const page = await openSignedIn('/admin');
    const first = collectResponses(page);
    const browser = await page.context().newCDPSession(page);
    await browser.send('Network.clearBrowserCache');
    await page.reload();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(first.length).toBeGreaterThan(2);
    expect(await bytesOf(first)).toBeLessThan(maxFirstPageBytes);
    expect(await dataBytesOf(first)).toBeLessThan(maxDataBytes);
    const further = collectResponses(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'GraphQL' }).click();
    await page.locator('.graphiql-container').waitFor();
    expect(await bytesOf(further.filter((response) => response.url().includes('/assets/')))).toBeGreaterThan(
      maxFirstPageBytes,
    );
    await finish(page);
  });

  it('has the styles of all components that it uses', () => {
    const folder = join(packageRoot, 'dist/admin/assets');
    const read = (ending: string) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n');
    const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-z]{6,}\b/g));
    const styled = classesIn(
      readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles.css'), 'utf8'),
    );
    const used = [...classesIn(read('.js'))].filter((name) => styled.has(name));
    expect(used.length).toBeGreaterThan(100);
    const built = classesIn(read('.css'));
    expect(used.filter((name) => !built.has(name))).toEqual([]);
  });

  it('of lists, reference inputs and their searches is that of the fields shown', async () => {
    const create = async (asset: object) => (await instance().services.content.create(asset, {})).asset;
    const large = `<p>${'A long story. '.repeat(10_000)}</p>`;
    const [first, second] = await Promise.all(
      ['one', 'two'].map((slug) =>
        create({ _type: article, slug, headline: `Story ${slug}`, status: 'DRAFT', body: large }),
      ),
    );
    const { _id } = await create({
      _type: article,
      slug: 'short',
      headline: 'Short',
      status: 'DRAFT',
      related: [first, second].map((asset) => ({ _ref: asset?._id, _type: article })),
    });
    const page = await openSignedIn(`/admin/content/${article}`);
    const responses = collectResponses(page);
    const sizes: number[] = [];
    page.on('response', async (response) => {
      if (!/\/api\/admin\/(query|search)$/.test(response.url())) return;
      // Another page ends a response that it interrupts.
      const body = await response.body().catch(() => undefined);
      if (body) sizes.push(body.length);
    });
    await page.reload();
    await page.getByRole('link', { name: 'Story one' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await dataBytesOf(responses)).toBeLessThan(maxDataBytes);
    await page.goto(new URL(`/admin/content/${article}/${_id}`, page.url()).href);
    await page.getByRole('link', { name: 'Story two' }).waitFor();
    const before = responses.length;
    await page.getByRole('button', { name: 'Add to related' }).click();
    await page.getByRole('option', { name: 'Story two' }).waitFor();
    await page.getByRole('combobox', { name: 'related 3' }).fill('Story one');
    await page.getByRole('option', { name: 'Story two' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Story one' }).waitFor();
    // One request for each text, however many types the field refers to.
    const paths = responses.slice(before).map((response) => new URL(response.url()).pathname);
    const asked = paths.filter((path) => path.startsWith('/api/') && !path.endsWith('/presence'));
    expect(asked).toEqual(['/api/admin/search', '/api/admin/search']);
    await expect.poll(() => sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(2_000);
    expect(responses.filter((response) => response.url().endsWith(`/contents/${first?._id}`))).toEqual([]);
    await finish(page);
  });
});
