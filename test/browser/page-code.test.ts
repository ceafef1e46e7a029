/** Pages whose code cannot be loaded or that throw: the frame of the UI stays, shows the error and lets the user continue. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { environmentOf, startServing } from '../support/command-line.ts';
import { forward, type Incoming, listen } from '../support/proxy.ts';

describeJourneys('the code of a page', ({ instance, location, openSignedIn }) => {
  it('is loaded when the server is reachable again', async () => {
    const server = await startServing(environmentOf(location));
    const page = await openSignedIn(`${server.url}/admin`);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await server.stop();
    await openContent(page);
    await failure(page).waitFor();
    await page.getByText('The server does not answer').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectFrame(page);
    await expectAccessible(page);
    const again = await startServing({
      ...environmentOf(location),
      COLOPHON_PORT: new URL(server.url).port,
    });
    // The page retries without a click.
    await page.getByRole('heading', { name: 'All content', level: 1 }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Article' }).waitFor();
    await finish(page);
    await again.stop();
  });

  it('is loaded under its new file name after an upgrade of the server', async () => {
    const proxy = await startFailingProxy(instance().url);
    const page = await openSignedIn(`${proxy.url}/admin`);
    proxy.failWith(404, { untilDocument: 2 });
    await openContent(page);
    await page.getByRole('heading', { name: 'All content', level: 1 }).waitFor();
    expect(proxy.documents).toEqual(['/admin', '/admin/content']);
    await finish(page);
    await proxy.stop();
  });

  it.each([404, 500])('is not requested in an endless loop while the server answers %i', async (status) => {
    const proxy = await startFailingProxy(instance().url);
    const page = await openSignedIn(`${proxy.url}/admin`);
    proxy.failWith(status, { untilDocument: 4 });
    await openContent(page);
    await page.getByRole('alert', { name: 'Reloading did not help' }).waitFor();
    await expectFrame(page);
    await expectAccessible(page);
    expect(proxy.documents).toEqual(['/admin', '/admin/content']);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => proxy.documents.length).toBe(3);
    await page.getByRole('alert', { name: 'Reloading did not help' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Article' }).waitFor();
    await finish(page);
    await proxy.stop();
  });

  it('may throw: the frame stays and the page can be retried', async () => {
    const page = await openSignedIn('/admin');
    const errors: string[] = [];
    page.on('pageerror', ({ name }) => errors.push(name));
    await page.route('**/api/admin/types', (route) => route.fulfill({ json: { items: [null] } }));
    await openContent(page);
    await page.getByRole('heading', { name: 'This page failed', level: 1 }).waitFor();
    await expectFrame(page);
    await expectAccessible(page);
    expect(errors).toEqual(['TypeError']);
    await page.unroute('**/api/admin/types');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Article' }).waitFor();
    await page.context().close();
  });
});

const failure = (page: Page) =>
  page.getByRole('heading', { name: 'This page could not be loaded', level: 1 });

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Opens the page of content types, which loads its code. */
const openContent = (page: Page) => navigation(page).getByRole('link', { name: 'All content' }).click();

async function expectFrame(page: Page): Promise<void> {
  await navigation(page).getByRole('link', { name: 'GraphQL' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Starts a proxy that answers requests for the code of the page of content types as `failWith` says, until it has sent so many documents. */
async function startFailingProxy(url: string) {
  let failure = { status: 200, untilDocument: 0 };
  const documents: string[] = [];
  const { stop, url: ownUrl } = await listen(async ({ request, body, response }: Incoming) => {
    const path = request.url ?? '';
    if (request.headers['sec-fetch-dest'] === 'document') documents.push(path);
    const isFailing = documents.length < failure.untilDocument && /\/assets\/types-.*\.js$/.test(path);
    if (isFailing) return void response.writeHead(failure.status).end();
    const { answer, body: answered } = await forward(url + path, {
      method: request.method,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      body,
    });
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(answered);
  });
  const failWith = (status: number, { untilDocument }: { untilDocument: number }) => {
    failure = { status, untilDocument };
  };
  return { url: ownUrl, failWith, documents, stop };
}
