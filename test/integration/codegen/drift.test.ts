/** What codegen.ts writes and says: the committed files under generated/ must equal it. */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { createProject } from '../../contract/client/project.ts';
import { copyCheckout } from '../../support/clean-checkout.ts';
import { temporaryFolder } from '../../support/opened.ts';

const root = join(import.meta.dirname, '../../..');

interface Outcome {
  readonly exitCode: number;
  readonly stderr: string;
}

/** Runs codegen.ts of a checkout. */
function generate(options: readonly string[], cwd = root): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['codegen.ts', ...options], { cwd }, (error, _stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, stderr });
    });
  });
}

describe('codegen --check', () => {
  const copy = temporaryFolder();
  beforeAll(() => {
    cpSync(join(root, 'generated'), copy, { recursive: true });
  });

  it('fails over files that were changed, lost or added, and names them and no other', async () => {
    writeFileSync(join(copy, 'openapi/cma.json'), '{}\n');
    rmSync(join(copy, 'client/lib/index.js'));
    writeFileSync(join(copy, 'server/stray.ts'), '');
    writeFileSync(join(copy, 'server/validators.sha256'), '');
    rmSync(join(copy, 'validators'), { recursive: true });
    const { exitCode, stderr } = await generate(['--check', '--out', copy]);
    expect(exitCode).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      `${join(copy, 'client/lib/index.js')} is missing`,
      `${join(copy, 'openapi/cma.json')} is changed`,
      `${join(copy, 'server/stray.ts')} is not generated`,
      `${join(copy, 'server/validators.sha256')} is changed`,
      'Run npm run codegen and commit what it writes.',
    ]);
  });
});

describe('codegen', () => {
  const checkout = temporaryFolder();
  let written: string;
  beforeAll(() => {
    copyCheckout(checkout);
    written = readFileSync(join(checkout, 'openapi/cma.yaml'), 'utf8');
  });

  /** Adds a path to the document of the checkout. */
  const add = (path: string) =>
    writeFileSync(
      join(checkout, 'openapi/cma.yaml'),
      written.replace(/^paths:\n/m, (line) => line + path),
    );

  it('writes the server types and the client of a new operation, from the document alone', async () => {
    add(ping);
    expect(await generate([], checkout)).toEqual({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(checkout, 'generated/server/cma.ts'), 'utf8')).toContain('getPing: Operation<');
    const project = createProject(join(checkout, 'generated/client'));
    try {
      project.write('ping.ts', pingUsage);
      expect(await project.compile('nodenext')).toBe('');
    } finally {
      project.remove();
    }
  });

  it('names the operations whose ID cannot be a name in code', async () => {
    const operation = (id: string) => `{ ${id}responses: { '204': { description: Done. } } }`;
    const pathOf = (name: string, id: string) =>
      `  /api/rest/cma/contents/${name}: { get: ${operation(id)} }\n`;
    const ids = ['operationId: Ping, ', 'operationId: then, ', 'operationId: getAsset, ', ''];
    add(ids.map((id, n) => pathOf(`n${n}`, id)).join(''));
    const { exitCode, stderr } = await generate([], checkout);
    const rule = /^(?:codegen: )?openapi\/cma\.yaml:\d+: paths \S+\/(\S+) get: (?:operationId )?(\S+) /gm;
    expect([...stderr.matchAll(rule)].map(([, path, id]) => [path, id])).toEqual([
      ['n0', '"Ping"'],
      ['n1', '"then"'],
      ['n3', 'has'],
      ['{id}', 'getAsset'],
    ]);
    expect([exitCode, stderr.trim().split('\n').length]).toEqual([1, 4]);
  });
});

const ping = `  /api/rest/cma/contents/ping:
    get:
      operationId: getPing
      parameters:
        - { name: echo, in: query, schema: { type: string } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: integer } } }
      responses:
        '200':
          description: The server is there.
          content:
            application/json:
              schema: { type: object, required: [pong], properties: { pong: { type: boolean } } }
  /api/rest/cma/contents/pong:
    get: { operationId: pong, responses: { '204': { description: The server is there. } } }
`;

const pingUsage = `import { createOperations } from 'colophon-client/operations';
const operations = createOperations({ baseUrl: 'http://localhost:4000', clientId: 'a', clientSecret: 'b' });
const { data } = await operations.getPing({ query: { echo: 'a', tags: [1] } });
export const pong: boolean = data.pong;
export const { response } = await operations.pong();
// @ts-expect-error
operations.getPing({ query: { tags: ['a'] } });
// @ts-expect-error
data.ping;
// @ts-expect-error
operations.pong({ throwOnError: false });
`;
