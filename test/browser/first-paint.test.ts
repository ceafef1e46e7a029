/** What is seen before the code of the UI has arrived, and what is loaded before it is asked for. */
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const article = 'com.example.news.Article';
const code = /\/assets\/.*\.js$/;
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const link = (page: Page, name: string) => navigation(page).getByRole('link', { name, exact: true });
const firstPaint = (page: Page) => page.locator('#first-paint');

/** The colour behind what is drawn first. As a text, since the tests have no types for browser globals. */
const ground = (page: Page) =>
  page.evaluate('getComputedStyle(document.getElementById("first-paint")).backgroundColor');
const [light, dark] = ['rgb(255, 255, 255)', 'rgb(23, 23, 22)'];

describeJourneys('the admin UI on a slow line', ({ instance, open, openSignedIn }) => {
  it('draws its frame in the colours of the user before its code arrives, and then the page', async () => {
    const page = await openSignedIn('/admin/users');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    expect(await firstPaint(page).isVisible()).toBe(false);
    let release = () => {};
    const arrival = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(code, (route) => arrival.then(() => route.continue()));
    await page.reload({ waitUntil: 'commit' });
    await firstPaint(page).getByText('Colophon is loading…').waitFor();
    expect(await firstPaint(page).locator('.header').isVisible()).toBe(true);
    expect(await ground(page)).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground(page)).toBe(dark);
    release();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    expect(await firstPaint(page).isVisible()).toBe(false);
    // The colours that the user has chosen count more than those of the system.
    await page.getByRole('button', { name: 'Use light colours' }).click();
    await page.unroute(code);

    // The first file of the code is gone or the server fails.
    await page.route(/\/assets\/index-.*\.js$/, (route) => route.fulfill({ status: 404 }));
    await page.reload({ waitUntil: 'commit' });
    await firstPaint(page).getByRole('alert').getByText('Colophon could not be loaded').waitFor();
    expect(await ground(page)).toBe(light);
    await page.unrouteAll();
    await firstPaint(page).getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await finish(page);

    const plain = await open('/admin', { javaScriptEnabled: false, colorScheme: 'dark' });
    await plain.getByText('Colophon needs JavaScript').waitFor();
    expect(await plain.getByText('Colophon is loading…').isVisible()).toBe(false);
    expect(await plain.locator('#first-paint .header').isVisible()).toBe(false);
    await finish(plain);
  });

  it('loads the code and the data of a page when the mouse rests on a link to it', async () => {
    const page = await openSignedIn('/admin/users');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      requests.push(pathname + search);
    });
    const lists = () => requests.filter((path) => path === '/api/admin/types').length;
    await link(page, 'All content').hover();
    await expect.poll(() => requests.filter((path) => /\/assets\/types-.*\.js$/.test(path)).length).toBe(1);
    await expect.poll(lists).toBe(1);
    await page.waitForLoadState('networkidle');
    await link(page, 'All content').click();
    await page.getByRole('main').getByRole('link', { name: 'Article' }).waitFor();
    expect(lists()).toBe(1);

    // What fails while the mouse passes disturbs nobody: neither the end of the session nor code that is gone.
    await page.goto(`/admin/content/${article}/new`);
    await page.getByLabel('Headline').fill('Half a thought');
    const gone = (route: Route) => route.fulfill({ status: 404 });
    await page.route(/\/assets\/page-.*\.js$/, gone);
    const failed = page.waitForResponse((response) => response.status() === 404);
    await link(page, 'Audit log').hover();
    await failed;
    await page.unrouteAll();
    await page.context().clearCookies();
    const refused = page.waitForResponse('**/api/admin/webhooks');
    await link(page, 'Webhooks').hover();
    expect((await refused).status()).toBe(401);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByLabel('Headline').inputValue()).toBe('Half a thought');
    await page.context().close();
  });

  it('is used by keyboard: a link leads past the navigation, and an opened page gets the focus', async () => {
    await instance().services.content.create(
      { _type: article, slug: 'one', headline: 'A story', status: 'DRAFT' },
      {},
    );
    const page = await openSignedIn('/admin/users');
    await page.reload();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    expect(await focused.textContent()).toBe('Skip to content');
    expect((await focused.boundingBox())?.width).toBeGreaterThan(50);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    expect(await focused.getAttribute('id')).toBe('content');
    expect(new URL(page.url()).hash).toBe('');

    await link(page, 'All content').click();
    await page.getByRole('heading', { name: 'All content', level: 1 }).waitFor();
    await expect.poll(() => focused.textContent()).toBe('All content');
    expect(await page.title()).toBe('All content · Colophon');
    await page.getByRole('main').getByRole('link', { name: 'Article' }).click();
    await page.getByRole('link', { name: 'A story' }).waitFor();
    await expect.poll(() => focused.textContent()).toBe('Article');
    expect(await page.title()).toBe('Article · Colophon');
    await page.goBack();
    await expect.poll(() => focused.textContent()).toBe('All content');
    await finish(page);
  });
});
