/** A page of another origin in a real browser: what it may call, and what it can read of the responses. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeJourneys, finish } from '../support/browser.ts';

const text = 'com.colophon.cms.db.Text';

interface PageRequest {
  readonly url: string;
  readonly init: {
    readonly method?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

describeJourneys(
  'a page of another origin',
  ({ instance, open, openSignedIn }) => {
    const other = createServer((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Another site</title>'),
    );
    beforeAll(() => new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve)));
    afterAll(() => new Promise((resolve) => other.close(resolve)));
    const origin = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

    /** Sends requests from the page, and returns what its script can read. */
    async function fetchFromPage(requests: readonly PageRequest[]) {
      const page = await open(origin());
      const outcomes = await page.evaluate(
        (all) =>
          Promise.all(
            all.map(({ url, init }) =>
              fetch(url, init).then(
                async (response) => ({
                  status: response.status,
                  tag: response.headers.get('ETag') !== null,
                  id: response.headers.get('X-Request-Id') !== null,
                  location: response.headers.get('Location') !== null,
                }),
                () => 'refused',
              ),
            ),
          ),
        requests,
      );
      await page.context().close();
      return outcomes;
    }

    it('writes and reads content where its origin is allowed, and reads headers and errors', async () => {
      const { headers, cmaUrl } = instance();
      const json = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'a-page' };
      const body = JSON.stringify({ _type: text, name: 'From a page' });
      const [created, found, refused] = await fetchFromPage([
        { url: cmaUrl, init: { method: 'POST', headers: json, body } },
        { url: `${cmaUrl}?from=${text}`, init: { headers } },
        { url: `${cmaUrl}?from=${text}`, init: { headers: { 'X-Client-Id': 'nobody' } } },
      ]);
      expect(created).toEqual({ status: 200, tag: true, id: true, location: true });
      expect([found, refused]).toMatchObject([{ status: 200 }, { status: 401, id: true }]);
    });

    it('calls the endpoints that allow its origin, and no others', async () => {
      const { graphqlEndpoints } = instance().services;
      const fields = { readTypes: [text], access: 'ANYONE' };
      const { id } = await graphqlEndpoints.create({ name: 'Allowed', ...fields });
      await graphqlEndpoints.create({
        name: 'Others',
        cors: { origins: ['https://example.com'] },
        ...fields,
      });
      await graphqlEndpoints.create({ name: 'Nobody', ...fields });
      const page = await openSignedIn(`/admin/graphql-endpoints/${id}`);
      await page.getByLabel('Allowed origins').fill(`${origin()}/`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(`It must be written as browsers send it: ${origin()}.`, { exact: true }).waitFor();
      await page.getByLabel('Allowed origins').fill(`${origin()}\n`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Saved Allowed').waitFor();
      expect((await graphqlEndpoints.get(id)).cors).toEqual({ origins: [origin()] });
      await finish(page);
      await instance().refresh();
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"query":"{ textList { items { name } } }"}',
      };
      const outcomes = await fetchFromPage(
        ['allowed', 'others', 'nobody'].map((path) => ({ url: `${instance().url}/graphql/${path}`, init })),
      );
      expect(outcomes).toEqual([expect.objectContaining({ status: 200 }), 'refused', 'refused']);
    });
  },
  { settings: { cmaCors: { origins: ['*'] } } },
);
