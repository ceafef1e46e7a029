/** The packed client in its users' environments: compiled with the strictest settings, on Node 20 and later, and in a browser. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/browser.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { type InstalledClient, installClient } from './installed-client.ts';
import { asUser, findHostNode } from './project.ts';

let installed: InstalledClient;
let instance: TestInstance;
beforeAll(async () => {
  installed = await installClient();
  instance = await startInstance(sqliteLocation());
});
afterAll(() => installed?.remove());

const expected = [
  'created: ["Ada",true]',
  'read: [true,null]',
  'unchanged: [null]',
  'found: [6,2]',
  'each: [[1,2,3,4,5]]',
  'refused: ["PreconditionFailedError",412,"precondition_failed",{"status":"error","result":null,' +
    String.raw`"error":{"code":"precondition_failed","message":"\"<id>\" has changed in the meantime"}}]`,
  'batch: [1,"updated","value_in_use"]',
  'deleted: [["NotFoundError","not_found",true]]',
  'ended: [true]',
  'uploaded: [{"name":"Ä letters.txt","mediaType":"text/plain","bytes":3000000},3000000]',
  'uploaded again: [true,"again.txt"]',
  'served: [200,3000000]',
  'address: [true]',
  'refused upload: [[400,"invalid_parameter","name"]]',
  'ended upload: [true]',
  'ended upload: [true]',
];

/** The arguments of the program, as source text, for a server at the given address. */
const callOf = (baseUrl: string) => {
  const { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret } = instance.headers;
  const server = { baseUrl, clientId, clientSecret };
  return `${JSON.stringify(server)}, ${JSON.stringify(`t${randomUUID()}`)}`;
};

describe('the installed client', () => {
  it.each(['nodenext', 'bundler'] as const)(
    'compiles under the strictest settings: %s',
    async (resolution) => {
      const { project } = installed;
      project.write('usage.ts', asUser('usage.ts'));
      project.write('program.ts', asUser('program.ts'));
      project.write('predicate-usage.ts', asUser('predicate-usage.ts'));
      project.write('admin.ts', "export { createAdminClient } from 'colophon-client/admin';\n");
      project.write('operations.ts', "export { createOperations } from 'colophon-client/operations';\n");
      expect(await project.compile(resolution)).toBe('');
    },
  );

  const nodes = {
    'the Node that runs the tests': process.execPath,
    'the Node installed on the machine': findHostNode() ?? '',
  };
  it.each(Object.entries(nodes).filter(([, node]) => node !== ''))('runs on %s', async (_name, node) => {
    const { project } = installed;
    project.write(
      'main.js',
      `import { useClient } from './built/program.js';
      console.log(JSON.stringify([process.version, await useClient(${callOf(instance.url)})]));`,
    );
    const [version, lines] = JSON.parse(await project.run(node, ['main.js']));
    expect(lines).toEqual(expected);
    expect(Number(/^v(\d+)/.exec(version)?.[1])).toBeGreaterThanOrEqual(20);
  });

  it.each(Object.entries(nodes).filter(([, node]) => node !== ''))(
    'can be required on %s',
    async (_name, node) => {
      const { project } = installed;
      project.write(
        'required.cts',
        `import client = require('colophon-client');
      const { createClient, refTo } = client;
      const { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret } = ${JSON.stringify(instance.headers)};
      const cma = createClient({ baseUrl: '${instance.url}', clientId, clientSecret });
      const author = { _type: 'com.example.news.Author', name: 'Bo', slug: 'bo-${randomUUID()}' } as const;
      void cma.createAsset(author).then(({ asset }) => console.log(refTo(asset)._ref === asset._id));`,
      );
      expect(await project.compile('nodenext')).toBe('');
      expect(await project.run(node, ['--no-warnings', 'built/required.cjs'])).toBe('true\n');
    },
  );

  it.skipIf(!chromiumPath && !process.env.CI)('runs in Chromium', async () => {
    const pages = await servePages(installed.project.folder);
    const browser = await chromium.launch({
      executablePath: chromiumPath ?? '',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(`${pages.url}/index.html`);
      const source = `import('/built/program.js').then(({ useClient }) => useClient(${callOf(pages.url)}))`;
      expect(await page.evaluate(source)).toEqual(expected);
    } finally {
      await browser.close();
      pages.close();
    }
  });
});

const index = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "colophon-client": "/node_modules/colophon-client/lib/index.js" } }</script>`;

/** Serves the files of a folder, and forwards API calls under the same origin, since the server allows no other origin. */
async function servePages(folder: string) {
  const site = createServer((request, response) => {
    if (/^\/(api|files)\//.test(request.url ?? '')) passOn(request, response);
    else sendFile(request, response);
  });
  function passOn(request: IncomingMessage, response: ServerResponse) {
    const { method, url = '', headers } = request;
    const onward = forward(new URL(url, instance.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }
  function sendFile({ url = '' }: IncomingMessage, response: ServerResponse) {
    const isPage = url === '/index.html';
    response.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript');
    response.end(isPage ? index : readFileSync(join(folder, url)));
  }
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = site.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => site.close() };
}
