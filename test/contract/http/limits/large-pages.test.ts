/**
 * Pages much larger than the buffer of a server, and larger than the memory of its process: the server streams them whole, and
 * serves other requests meanwhile.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { controlMs } from '../../../support/control-work.ts';
import { type ClientHeaders, startInstance } from '../../../support/instance.ts';
import { mainThreadMs } from '../../../support/processor-time.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { shippedCatalog } from '../../../support/types.ts';

const text = 'com.colophon.cms.db.Text';
const site = 'com.colophon.cms.db.Site';
const contract = createContractAssertions(
  bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() }),
);

interface FoundPage {
  readonly result: {
    readonly count?: number;
    readonly items: readonly { readonly _id: string; readonly text: string }[];
  };
}

/** Fills a store with texts and one site. */
async function fill(location: StoreLocation, { texts, characters }: { texts: number; characters: number }) {
  const { services, headers, stop } = await startInstance(location, { maxBodyBytes: 12_582_912 });
  const create = async (fields: object) => (await services.content.create(fields, {})).asset._id;
  const ids: string[] = [];
  for (let n = 0; n < texts; n++) {
    ids.push(await create({ _type: text, name: `Text ${n}`, text: `${n}é`.padEnd(characters, 'x') }));
  }
  const small = await create({ _type: site, name: 'Small' });
  await stop();
  return { ids: ids.sort(), small, headers };
}

const pageOf = (query: object) =>
  `/api/rest/cma/contents?${new URLSearchParams({ from: text, ...query } as Record<string, string>)}`;
const idsOf = (items: readonly { _id: string }[]) => items.map(({ _id }) => _id);

describeOnEachStore('a page larger than the buffer', (locations) => {
  let location: StoreLocation;
  let serving: ServingProcess;
  let ids: string[];
  let headers: ClientHeaders;

  beforeAll(async () => {
    location = locations();
    ({ ids, headers } = await fill(location, { texts: 9, characters: 400_000 }));
    serving = await startServing(environmentOf(location));
  });

  // Compressed pages are tested in `cma/compression.test.ts`.
  const send = (path: string, method = 'GET') =>
    fetch(serving.url + path, { method, headers: { ...headers, 'Accept-Encoding': 'identity' } });

  it.each([{}, { count: 'false' }, { offset: '2', limit: '6' }])(
    'has the documented form, with %o',
    async (query) => {
      const response = await send(pageOf({ limit: '1000', ...query }));
      const body = (await response.json()) as FoundPage;
      const received = Object.fromEntries(response.headers);
      contract.assertDocumented('GET', '/api/rest/cma/contents', {
        status: response.status,
        headers: received,
        body,
      });
      const { offset = '0', limit = '1000', count } = { ...query } as Record<string, string>;
      expect(Object.keys(body)).toEqual(['status', 'result']);
      expect(body.result.count).toBe(count === 'false' ? undefined : 9);
      expect(idsOf(body.result.items)).toEqual(ids.slice(Number(offset), Number(offset) + Number(limit)));
      expect(body.result.items[0]?.text).toHaveLength(400_000);
      expect(received).not.toHaveProperty('content-length');
    },
  );

  it('has a Content-Length when it is small', async () => {
    const response = await send(pageOf({ limit: '2' }));
    const length = Number(response.headers.get('Content-Length'));
    expect((await response.bytes()).length).toBe(length);
  });

  it('answers HEAD without a body', async () => {
    const [large, small] = await Promise.all([
      send(pageOf({ limit: '9' }), 'HEAD'),
      send(pageOf({ limit: '1' }), 'HEAD'),
    ]);
    expect([large.status, await large.text(), small.status, await small.text()]).toEqual([200, '', 200, '']);
    expect(small.headers.get('Content-Length')).toMatch(/^\d{6}$/);
    expect(large.headers.get('Content-Type')).toBe(small.headers.get('Content-Type'));
  });
});

describe('the debug query', () => {
  it('streams a large page too', async () => {
    const location = sqliteLocation();
    const { ids } = await fill(location, { texts: 5, characters: 400_000 });
    const instance = await startInstance(location);
    const client = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
    const response = await fetch(`${instance.url}/api/admin/query`, {
      method: 'POST',
      headers: { ...client, 'Content-Type': 'application/json' },
      body: JSON.stringify({ from: text, sort: [{ field: '_id', descending: true }], limit: 1000 }),
    });
    const { count, items, ms } = (await response.json()) as FoundPage['result'] & { ms: number };
    expect([count, idsOf(items), ms]).toEqual([5, ids.toReversed(), expect.any(Number)]);
    expect(response.headers.get('Content-Length')).toBeNull();
    await instance.stop();
    await location.remove();
  });
});

describe('a page much larger than the memory of the process', () => {
  let location: StoreLocation;
  let serving: ServingProcess;
  let ids: string[];
  let headers: ClientHeaders;
  let small: string;

  beforeAll(async () => {
    location = sqliteLocation();
    ({ ids, small, headers } = await fill(location, { texts: 16, characters: 4_100_000 }));
    // The process would run out of memory if it held the page of 66 MB as JavaScript values or as text.
    serving = await startServing({
      ...environmentOf(location),
      NODE_OPTIONS: '--max-old-space-size=224',
    });
  });

  /** Sends a request and reads only the head of the response; the caller reads the body. */
  async function open(path: string): Promise<IncomingMessage> {
    const request = get(serving.url + path, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  async function readBytes(response: IncomingMessage): Promise<number> {
    let bytes = 0;
    for await (const part of response) bytes += part.length;
    return bytes;
  }

  const addressOf = (id: string) => `${serving.url}/api/rest/cma/contents/${id}`;
  const isAlive = async () => (await fetch(`${serving.url}/healthz`)).status === 200;
  const getSmall = async () => (await fetch(addressOf(small), { headers })).status;
  const findSmall = async () => {
    const where = new URLSearchParams({ from: site, where: 'name contains[c] "small"' });
    return (await fetch(`${serving.url}/api/rest/cma/contents?${where}`, { headers })).status;
  };

  it('is streamed to several readers at once, while other requests are served', async () => {
    const reading = Promise.all([1, 2, 3].map(async () => readBytes(await open(pageOf({ limit: '1000' })))));
    let isRead = false;
    void reading.finally(() => {
      isRead = true;
    });
    let worstMs = 0;
    let served = 0;
    while (!isRead) {
      const startedMs = mainThreadMs(serving.pid ?? 0);
      expect(await getSmall()).toBe(200);
      worstMs = Math.max(worstMs, mainThreadMs(serving.pid ?? 0) - startedMs);
      served++;
      await setTimeout(5);
    }
    expect(new Set(await reading).size).toBe(1);
    expect((await reading)[0]).toBeGreaterThan(16 * 4_100_000);
    expect(served).toBeGreaterThan(10);
    // Without streaming, the other request would wait until all pages are written as text.
    expect(worstMs).toBeLessThan(30 * controlMs());
    expect(await isAlive()).toBe(true);
  });

  it('does not delay other requests when nobody reads it, and ends when its reader disconnects', async () => {
    const readers = await Promise.all(Array.from({ length: 8 }, () => open(pageOf({ limit: '1000' }))));
    await setTimeout(300);
    expect([await findSmall(), await findSmall(), await getSmall()]).toEqual([200, 200, 200]);
    const put = await fetch(addressOf(small), {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Small still' }),
    });
    expect(put.status).toBe(200);
    for (const reader of readers) reader.destroy();
    const aborted = () => serving.stderr().split('"status":"aborted"').length - 1;
    await expect.poll(aborted).toBe(8);
    expect(serving.stderr()).not.toContain('request failed');
  });

  it('omits an asset that is deleted before the stream reaches it', async () => {
    const response = await open(pageOf({ limit: '1000' }));
    const last = ids.at(-1) ?? '';
    const deleted = await fetch(addressOf(last), {
      method: 'DELETE',
      headers,
    });
    expect(deleted.status).toBe(200);
    const names: string[] = [];
    let count = '';
    let tail = '';
    for await (const part of response.setEncoding('utf8')) {
      const seen = tail + part;
      count ||= /"count":(\d+)/.exec(seen)?.[1] ?? '';
      for (const [, name = ''] of part.matchAll(/"name":"(Text \d+)"/g)) names.push(name);
      tail = seen.slice(-100);
    }
    expect([count, names.length, tail.endsWith('}]}}')]).toEqual(['16', 15, true]);
    ids.pop();
  });

  it('is cut off when the store fails; the log reports it and the process continues', async () => {
    const response = await open(pageOf({ limit: '1000' }));
    const other = new DatabaseSync(join(location.config.dataDir, 'colophon.db'));
    other.exec('PRAGMA busy_timeout = 5000; ALTER TABLE assets RENAME TO elsewhere');
    await expect(readBytes(response)).rejects.toThrow('aborted');
    await expect.poll(() => serving.stderr()).toContain('request failed');
    other.exec('ALTER TABLE elsewhere RENAME TO assets');
    other.close();
    expect([await getSmall(), await isAlive()]).toEqual([200, true]);
  });
});
