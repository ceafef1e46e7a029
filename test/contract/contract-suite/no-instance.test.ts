/** Addresses at which the suite cannot run: other servers, other content types, wrong credentials, a dying instance. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { makeOwnTypesFolder } from '../../support/types-folder.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import { recipeTypes } from './hostile-types.ts';
import { documentFor, readAssets, runSuite } from './run.ts';

const types = makeOwnTypesFolder(recipeTypes);
let instance: TestInstance;
let document: JsonObject;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), { typesDir: types });
  document = documentFor(types);
});

async function post(asset: JsonObject) {
  const headers = { ...instance.headers, 'Content-Type': 'application/json' };
  const answer = await fetch(instance.cmaUrl, { method: 'POST', headers, body: JSON.stringify(asset) });
  return Object(await answer.json()).result;
}

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // A server that listens on a port has an address of this kind.
  return {
    origin: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a run', () => {
  it.each<[what: string, listener: RequestListener, reason: RegExp]>([
    ['never answers', () => {}, /no response: it did not finish within 0.3 s/],
    [
      'never ends its response',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"status":');
      },
      /no response: it did not finish within 0.3 s/,
    ],
    ['closes connections', ({ socket }) => socket.destroy(), /no response: fetch failed: /],
    [
      'answers HTML',
      (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
      /answers with text\/html, not with JSON/,
    ],
    [
      'redirects',
      (_, response) => response.writeHead(301, { Location: 'https://example.org/' }).end(),
      /redirects to https:\/\/example.org\/; give that address/,
    ],
    ['has no such path', (_, response) => response.writeHead(404).end(), /answers 404: .* another path/],
    ['fails', (_, response) => response.writeHead(502).end(), /answers 502/],
  ])('ends with the reason when the server %s', async (_what, listener, reason) => {
    const server = await serve(listener);
    const run = await runSuite({ instance, origin: server.origin, document, timeoutMs: 300 });
    expect(run.reason).toMatch(reason);
    expect([run.results, run.tally.failed]).toEqual([[], 1]);
    await server.stop();
  });

  it('ends with the reason when the response never stops streaming', async () => {
    const block = 'x'.repeat(1024 ** 2);
    const server = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', more);
      more();
    });
    const run = await runSuite({ instance, origin: server.origin, document });
    expect(run.reason).toBe(`no response: it is larger than ${32 * 1024 ** 2} bytes`);
    await server.stop();
  });

  it('ends with the reason when the instance has other content types', async () => {
    const others = makeOwnTypesFolder('type Song @contentType(class: "org.example.Song") { title: String! }');
    const run = await runSuite({ instance, document: documentFor(others) });
    expect(run.reason).toMatch(/has no content type org.example.Song; .* COLOPHON_TYPES or --document/);
  });

  it('ends with the reason when the credentials are refused', async () => {
    const stranger = { ...instance, headers: { ...instance.headers, 'X-Client-Secret': 'wrong' } };
    expect((await runSuite({ instance: stranger, document })).reason).toMatch(/refuses the credentials/);
  });

  it('ends early when the client may not create assets, because it is read-only or restricted to sites', async () => {
    const site = await post({ _type: 'com.colophon.cms.db.Site', name: 'One of several' });
    const [reader, local] = [
      await instance.createClient({ scopes: ['cma:read'] }),
      await instance.createClient({ sites: [site._id] }),
    ];
    await instance.refresh();
    const runAs = (headers: typeof reader) => runSuite({ instance: { ...instance, headers }, document });
    const ofReader = await runAs(reader);
    expect(ofReader.reason).toMatch(/ the suite needs one with the scopes cma:read and cma:write$/);
    expect(ofReader.results).toEqual([]);
    const ofLocal = await runAs(local);
    expect(ofLocal.reason).toBe('no asset could be created');
    expect(ofLocal.results.length).toBeLessThan(12);
    expect(JSON.stringify(ofLocal.results.at(-1)?.failure?.received)).toContain('forbidden');
  });

  it('stops when the instance dies, and lists the assets it could not delete', async () => {
    let isDead = false;
    const proxy = await startFaultyProxy(instance.url, {
      request: () => {
        if (isDead) throw new Error('dead');
      },
    });
    const { reason, results } = await runSuite({
      instance,
      origin: proxy.url,
      document,
      onResult: ({ title }) => {
        isDead ||= title.startsWith('200 a org.example.Recipe with every field');
      },
    });
    const unanswered = results.filter(({ failure }) => failure?.message.startsWith('no response'));
    expect(unanswered).toHaveLength(3);
    expect(reason).toMatch(
      /^stopped after 3 cases without a response: no response: .*; could not delete (\/api\/rest\/cma\/contents\/\S+ ?)+$/,
    );
    await proxy.stop();
    // A complete run of the same kind deletes only its own assets.
    const left = await readAssets(instance);
    await runSuite({ instance, document, only: { operation: 'getAsset' } });
    expect(await readAssets(instance)).toEqual(left);
  });

  it('waits as long as Retry-After says when the server answers 429', async () => {
    let count = 0;
    const refused = new WeakSet();
    const proxy = await startFaultyProxy(instance.url, {
      request: (passing) => {
        if (++count % 3 > 0) return;
        // A request answered with 429 is not executed.
        refused.add(passing);
        passing.method = 'GET';
      },
      answer: (passing) => {
        if (!refused.has(passing)) return;
        passing.status = 429;
        passing.headers.set('retry-after', '0');
      },
    });
    const only = { operation: 'updateAsset', name: /publishDate|412|200/ };
    const { failed, reason } = await runSuite({ instance, origin: proxy.url, document, only });
    expect([failed, reason]).toEqual([[], undefined]);
    expect(count).toBeGreaterThan(100);
    await proxy.stop();
  });
});

describe('existing content', () => {
  it('is not changed by a run that receives it in wrong responses', async () => {
    const result = await post({ _type: 'org.example.Cook', name: 'Of somebody else' });
    const read = async () =>
      (await fetch(`${instance.cmaUrl}/${result._id}`, { headers: instance.headers })).json();
    const before = await read();
    let count = 0;
    const proxy = await startFaultyProxy(instance.url, {
      answer: ({ method, status, body }) => {
        // The first answers are correct, since the cases need these assets.
        if (method !== 'POST' || status !== 200 || ++count < 20) return;
        if (body.result.results) {
          for (const one of body.result.results) Object.assign(one, one._id && { _id: result._id });
        } else body.result = result;
      },
    });
    for (const operation of ['createAsset', 'batchAssets', 'updateAsset', 'deleteAsset']) {
      count = 0;
      const { results } = await runSuite({ instance, origin: proxy.url, document, only: { operation } });
      expect(results.length).toBeGreaterThan(20);
      expect(await read()).toEqual(before);
    }
    await proxy.stop();
  });
});
