/** Finding assets on the page of predicates, in a real browser. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { colorSchemes, showIn } from '../support/displayed-page.ts';

const article = 'com.example.news.Article';
const run = promisify(execFile);

describeJourneys('the page of predicates', ({ instance, user, openSignedIn }) => {
  beforeAll(async () => {
    const { content } = instance().services;
    for (const [slug, headline] of headlines) {
      await content.create({ _type: article, slug, headline, status: 'DRAFT' }, {});
    }
  });

  it('shows the position of a predicate error, and the results after its correction', async () => {
    const page = await openSignedIn('/admin/predicates');
    await chooseType(page, article);
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/query') && asked.push(request.url()));
    await where(page).fill("slug = 'a'\nand headline = = 'x'");
    await page.getByText(/Line 2, character 16: expected /).waitFor();
    expect(asked).toEqual([]);
    await where(page).fill("headline = = 'x'");
    await runQuery(page);
    await page.getByText(/Character 12: expected /).waitFor();
    expect(await where(page).getAttribute('aria-invalid')).toBe('true');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: article }).click();
    await page.getByRole('button', { name: `${article} (copied)` }).waitFor();
    await expectAccessible(page);

    await where(page).fill('headline contains[c] ?');
    await page.getByLabel('Values').fill("harbour's");
    await runQuery(page);
    await page.getByText(/^2 assets in [\d.]+ ms$/).waitFor();
    expect(await page.getByText(/Character/).count()).toBe(0);
    expect(await where(page).getAttribute('aria-invalid')).not.toBe('true');
    expect(await linkTexts(page)).toEqual(expect.arrayContaining(["The harbour's end", "A Harbour's light"]));
    await finish(page);
  });

  it('completes fields, operators and values at the caret, in several lines', async () => {
    // The short address, which bookmarks may have.
    const page = await openSignedIn(`/_debug/query?from=${article}&where=slug+!%3D+end`);
    await page.getByRole('heading', { name: 'Predicates', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/predicates');
    await expect.poll(() => where(page).inputValue()).toBe('slug != end');
    await where(page).press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('and sta');
    await page.getByRole('option', { name: 'status' }).waitFor();
    for (const colorScheme of colorSchemes) {
      await showIn(page, colorScheme);
      await expectAccessible(page);
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('!');
    await page.getByRole('option', { name: '!=' }).click();
    await page.keyboard.type('PUB');
    await page.getByRole('option', { name: 'PUBLISHED' }).click();
    expect(await where(page).inputValue()).toBe('slug != end\nand status != PUBLISHED ');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await page.keyboard.type('slu');
    await page.getByRole('option', { name: 'slug' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await where(page).inputValue()).toBe('slug != end\nand status != PUBLISHED ');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText(/^2 assets in [\d.]+ ms$/).waitFor();
    await page.reload();
    await expect.poll(() => where(page).inputValue()).toBe('slug != end\nand status != PUBLISHED ');
    await finish(page);
  });

  it('waits for the server: it may answer 500, be away or be slow, and the session may end', async () => {
    const page = await openSignedIn('/admin/predicates');
    const types = '**/api/admin/types';
    await page.route(types, (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(new URL('/admin/predicates', page.url()).href);
    const alert = page.getByRole('alert', { name: 'The content types could not be loaded' });
    await alert.getByText('The server answered 500').waitFor();
    await expectAccessible(page);
    await page.unroute(types);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await chooseType(page, article);
    await page.route('**/api/admin/query**', (route) => route.abort());
    await where(page).fill("slug = 'end'");
    await runQuery(page);
    await page.getByRole('alert', { name: 'The query did not run' }).getByText('cannot be reached').waitFor();
    await page.unroute('**/api/admin/query**');
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/api/admin/query', async (route) => {
      await held;
      await route.continue();
    });
    await runQuery(page);
    await page.locator('button[data-loading]', { hasText: 'Run' }).waitFor();
    goOn();
    await page.getByText(/^1 asset in [\d.]+ ms$/).waitFor();
    await page.unroute('**/api/admin/query');
    await page.context().clearCookies();
    // What the page asks by itself may open the dialog first; then the click waits until it is closed.
    const running = runQuery(page);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(user.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await running;
    await page.getByText(/^1 asset in [\d.]+ ms$/).waitFor();
    expect(await where(page).inputValue()).toBe("slug = 'end'");
    await finish(page);
  });

  it('opens an asset as JSON', async () => {
    const page = await openSignedIn(`/admin/predicates?from=${article}&where=slug+%3D+'end'`);
    const opener = page.getByRole('button', { name: "JSON of The harbour's end" });
    await opener.click();
    expect(await opener.getAttribute('aria-expanded')).toBe('true');
    const text = await page.getByRole('group', { name: 'JSON', exact: true }).textContent();
    expect(JSON.parse(text ?? '')).toMatchObject({ _type: article, slug: 'end', status: 'DRAFT' });
    await expectAccessible(page);
    await opener.click();
    await page.getByRole('group', { name: 'JSON', exact: true }).waitFor({ state: 'detached' });
    await finish(page);
  });

  it('gives a curl command that finds the same assets', async () => {
    const page = await openSignedIn(
      `/admin/predicates?from=${article}&where=headline+contains%5Bc%5D+%3F&value=harbour's`,
    );
    const found = await linkTexts(page);
    const line = await page.getByRole('group', { name: 'CMA request' }).textContent();
    const { 'X-Client-Id': id, 'X-Client-Secret': secret } = instance().headers;
    const completed = (line ?? '').replace('YOUR_CLIENT_ID', id).replace('YOUR_CLIENT_SECRET', secret);
    const { stdout } = await run('sh', ['-c', completed]);
    const { items } = JSON.parse(stdout).result;
    expect(items.map((asset: { headline: string }) => asset.headline).sort()).toEqual(found.toSorted());
    expect(found).toHaveLength(2);
    await finish(page);
  });

  it('keeps the query in the address, so that reloading and going back show the same results', async () => {
    const page = await openSignedIn('/admin/predicates');
    await chooseType(page, article);
    await page.getByRole('button', { name: 'Sort by a field' }).click();
    await page.getByRole('combobox', { name: 'Sort field 1' }).fill('headline');
    await page.getByRole('option', { name: 'headline', exact: true }).click();
    await page.getByLabel('Direction 1').selectOption('descending');
    await page.getByLabel('Limit').fill('2');
    await runQuery(page);
    const first = ["The harbour's end", 'The fair'];
    await expect.poll(() => linkTexts(page)).toEqual(first);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next' }).click();
    await page.getByText('3 to 3 of 3').waitFor();
    const address = page.url();
    await page.reload();
    await page.getByText('3 to 3 of 3').waitFor();
    expect(page.url()).toBe(address);
    expect(await linkTexts(page)).toEqual(["A Harbour's light"]);
    expect(await page.getByLabel('Offset').inputValue()).toBe('2');
    await page.goBack();
    await expect.poll(() => linkTexts(page)).toEqual(first);
    expect(await page.getByLabel('Offset').inputValue()).toBe('0');
    await finish(page);
  });
});

const headlines = [
  ['end', "The harbour's end"],
  ['light', "A Harbour's light"],
  ['fair', 'The fair'],
] as const;

const where = (page: Page) => page.getByLabel('Where');

const runQuery = (page: Page) => page.getByRole('button', { name: 'Run' }).click();

async function chooseType(page: Page, className: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Type' }).fill(className);
  await page.getByRole('option', { name: className }).click();
  await page.getByRole('button', { name: className, exact: true }).waitFor();
}

/** Waits for search results and returns their link texts. */
async function linkTexts(page: Page): Promise<string[]> {
  const links = page.getByRole('table', { name: 'Assets found' }).getByRole('link');
  await links.first().waitFor();
  return links.allTextContents();
}
