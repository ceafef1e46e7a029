/**
 * Schemathesis (from PyPI, in separate processes) sends generated requests, valid and invalid ones, to a running server: for the CMA,
 * the admin API, the routes of a REST endpoint and a GraphQL endpoint. Every response must be one that the document describes.
 *
 * `.ci/install-schemathesis` installs it. Without it the suite is skipped; with CI=true it fails.
 */
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { isLong } from '../../support/rounds.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { cmaPath } from '../../support/two-servers.ts';
import { createFullClient, credentials, send, type WorkerRequest } from '../../support/workers.ts';

const cache = process.env.COLOPHON_TEST_CACHE ?? join(homedir(), '.cache', 'colophon-test');
const program = join(cache, 'schemathesis', 'bin', 'schemathesis');
const { dirname } = import.meta;
/** How much is sent: a few requests for each operation, however long they take, or what fits into three minutes in all. */
const limits = isLong
  ? ['--max-time', '45', '--phases', 'examples,coverage,fuzzing']
  : ['--max-examples', '4', '--phases', 'examples,fuzzing'];

it.runIf(process.env.CI === 'true')('Schemathesis is installed', () => {
  expect(existsSync(program), 'run .ci/install-schemathesis').toBe(true);
});

describe.skipIf(!existsSync(program))('generated requests', () => {
  let location: StoreLocation;
  let serving: ServingProcess;
  const folder = temporaryFolder();
  let routes: string;

  beforeAll(async () => {
    location = sqliteLocation();
    await createFullClient(location);
    const environment = { ...environmentOf(location), COLOPHON_LOG_LEVEL: 'error' };
    serving = await startServing(environment, { timeoutMs: 600_000 });
    routes = await publishRoutes();
  });
  afterAll(async () => {
    const { stderr } = await serving.stop();
    // The log has only errors, and Colophon logs a failed request as one.
    expect(stderr).toBe('');
  });

  async function request<Body>(wanted: WorkerRequest): Promise<Body> {
    const { status, body } = await send(serving, wanted);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body;
  }

  /** Publishes a REST endpoint over a few assets, and returns the path of its document. */
  async function publishRoutes(): Promise<string> {
    for (const name of ['Ada', 'Grace']) {
      const body = { _type: 'com.example.news.Author', slug: name.toLowerCase(), name };
      await request({ method: 'POST', path: cmaPath, body });
    }
    const list = `query Named($name: JSON!, $limit: Int = 10) {
      authorList(where: "name = ?", values: [$name], limit: $limit) { count items { _id name } }
    }`;
    const one = 'query One($id: ID!) { author(_id: $id) { _id name slug } }';
    const create = 'mutation Add($name: String!) { createText(input: { name: $name }) { _id name } }';
    const body = {
      name: 'Generated',
      source: 'management',
      mappings: [
        { name: 'Named', path: '/named', query: list },
        { name: 'One', path: '/one', query: one },
        { name: 'Add', path: '/add', methods: ['POST'], query: create },
      ],
    };
    const path = '/api/admin/rest-endpoints';
    const { id } = await request<{ id: string }>({ method: 'POST', path, body });
    await request({ method: 'POST', path: `${path}/${id}/publish`, body: {} });
    return `${path}/${id}/openapi.json`;
  }

  async function saveDocument(path: string): Promise<string> {
    const file = join(folder, 'document.json');
    writeFileSync(file, JSON.stringify(await request({ path })));
    return file;
  }

  /** Runs Schemathesis, and expects that it finds nothing. */
  async function expectNoFailure(source: string, options: readonly string[]): Promise<void> {
    const { 'X-Client-Id': id, 'X-Client-Secret': secret } = credentials;
    const headers = ['-H', `X-Client-Id: ${id}`, '-H', `X-Client-Secret: ${secret}`];
    const words = ['--no-color', '--config-file', join(dirname, 'schemathesis.toml'), 'run', source];
    const { exitCode, output } = await run([...words, ...headers, ...limits, ...options]);
    // At the end there are the failures with the requests that cause them, and the summary.
    expect(exitCode, output.slice(-20_000)).toBe(0);
    expect(Number(/(\d+) generated/.exec(output)?.[1])).toBeGreaterThan(10);
  }

  function run(words: readonly string[]): Promise<{ exitCode: number | undefined; output: string }> {
    const env = {
      ...process.env,
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONPATH: dirname,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    return new Promise((resolve) => {
      const child = execFile(
        program,
        words,
        { cwd: folder, env, maxBuffer: 2 ** 28 },
        (_error, stdout, stderr) =>
          resolve({ exitCode: child.exitCode ?? undefined, output: stdout + stderr }),
      );
    });
  }

  it('are answered by the CMA as its document says', async () => {
    await expectNoFailure(await saveDocument('/api/admin/cma/openapi.json'), ['-u', serving.url]);
  });

  it('are answered by the routes of a REST endpoint as its document says', async () => {
    await expectNoFailure(await saveDocument(routes), ['-u', serving.url]);
  });

  it('are answered by a GraphQL endpoint without failures', async () => {
    await expectNoFailure(`${serving.url}/graphql/management`, ['--exclude-checks', 'not_a_server_error']);
  });

  // The last one, as its requests may change and delete endpoints.
  it('are answered by the admin API as its document says', async () => {
    await expectNoFailure(await saveDocument('/api/admin/openapi.json'), ['-u', serving.url]);
  });
});
