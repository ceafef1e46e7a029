/**
 * The OpenAPI documents with third-party tools: Redocly's linter finds no error, and openapi-generator generates clients from all
 * three documents, in Go, Python and Java. The Go and Python clients are compiled and used against a running server.
 *
 * `.ci/install-openapi-generator` installs openapi-generator. Without it, Go or Java the suite is skipped; with CI=true it fails.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toOpenApi30 } from '../../../src/documents/openapi-30.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';

const run = promisify(execFile);

const cache = process.env.COLOPHON_TEST_CACHE ?? join(homedir(), '.cache', 'colophon-test');
const generator = join(cache, 'openapi-generator-7.14.0');
const jar = join(generator, 'openapi-generator-cli.jar');

const documents = ['cma', 'admin', 'routes'] as const;
const languages = ['go', 'python', 'java'] as const;

it.runIf(process.env.CI === 'true')('openapi-generator is installed', () => {
  expect(existsSync(jar), 'run .ci/install-openapi-generator').toBe(true);
});

describe.skipIf(!existsSync(jar))('generated clients', () => {
  let location: StoreLocation;
  let instance: TestInstance;
  let folder: string;
  let client: { id: string; secret: string };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'colophon-generated-'));
    location = sqliteLocation();
    instance = await startInstance(location);
    const headers = await instance.createClient({
      name: 'generated',
      scopes: ['cma:read', 'cma:write', 'admin'],
    });
    client = { id: headers['X-Client-Id'], secret: headers['X-Client-Secret'] };
    await instance.refresh();
    await publishRoutes();
    await Promise.all(documents.map(writeDocument));
  });

  afterAll(async () => {
    await instance.stop();
    await location.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function publishRoutes(): Promise<void> {
    const { content, restEndpoints } = instance.services;
    await content.create({ _type: 'com.colophon.cms.db.Text', name: 'Hello' }, {});
    const query = `query ByName($name: JSON!, $limit: Int = 10) {
      textList(where: "name = ?", values: [$name], limit: $limit) { count items { _id name text } }
    }`;
    const body = {
      name: 'Routes',
      source: 'delivery',
      access: 'ANYONE',
      mappings: [{ name: 'By name', query }],
    };
    const { id } = await restEndpoints.create({ body, by: 'test' });
    await restEndpoints.publish({ id, by: 'test' });
    await instance.refresh();
    paths.routes = `/api/admin/rest-endpoints/${id}/openapi.json`;
  }

  const paths: Record<string, string> = {
    cma: '/api/admin/cma/openapi.json',
    admin: '/api/admin/openapi.json',
  };

  async function writeDocument(name: string): Promise<void> {
    const text = await (await fetch(`${instance.url}${paths[name]}`, { headers: headersOf() })).text();
    writeFileSync(join(folder, `${name}.json`), text);
    writeFileSync(join(folder, `${name}-30.json`), JSON.stringify(toOpenApi30(JSON.parse(text))));
  }

  const headersOf = () => ({ Authorization: `Bearer ${client.id}.${client.secret}` });

  it.each(documents)('have a source document without errors for the linter of Redocly: %s', async (name) => {
    const linter = join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await run(
      process.execPath,
      [linter, 'lint', join(folder, `${name}.json`), '--format=json'],
      {
        env,
        cwd: folder,
      },
    );
    const { totals } = JSON.parse(stdout);
    expect(totals.errors).toBe(0);
  });

  it('are generated from each document in each language', async () => {
    // Two at a time, since each generator process uses one thread.
    const wanted = languages.flatMap((language) => documents.map((document) => ({ language, document })));
    const makeNext = async (): Promise<void> => {
      for (let next = wanted.shift(); next; next = wanted.shift())
        await generate(next.language, next.document);
    };
    await Promise.all([makeNext(), makeNext()]);
    for (const document of documents) {
      expect(existsSync(join(folder, `go-${document}`, 'client.go'))).toBe(true);
      expect(existsSync(join(folder, `python-${document}`, document, '__init__.py'))).toBe(true);
      expect(existsSync(join(folder, `java-${document}`, 'pom.xml'))).toBe(true);
    }
  });

  async function generate(language: string, document: string): Promise<void> {
    // The Python generator treats nullable members of 3.1 as required; it reads 3.0 correctly.
    const input = join(folder, `${document}${language === 'python' ? '-30' : ''}.json`);
    const words = ['generate', '-g', language, '-i', input];
    const names = ['--git-host', 'example.com', '--git-user-id', 'colophon', '--git-repo-id', document];
    // Go needs the second property to choose an asset's type by `_type`, and the third because values of enums are constants of the
    // package, and both scopes and roles have `admin`.
    const properties = `packageName=${document},useOneOfDiscriminatorLookup=true,enumClassPrefix=true`;
    const output = join(folder, `${language}-${document}`);
    const options = ['-o', output, `--additional-properties=${properties}`];
    await run('java', ['-XX:TieredStopAtLevel=1', '-jar', jar, ...words, ...names, ...options], {
      maxBuffer: 64 * 1024 * 1024,
    });
  }

  it('compile in Go and work against the server', async () => {
    const main = join(folder, 'go-main');
    mkdirSync(main);
    const use = documents.map((name) => `example.com/colophon/${name}`);
    const lines = [
      'module example.com/main',
      'go 1.21',
      ...use.map((path, n) => `replace ${path} => ../go-${documents[n]}`),
      ...use.map((path) => `require ${path} v0.0.0`),
      'require gopkg.in/validator.v2 v2.0.1',
    ];
    writeFileSync(join(main, 'go.mod'), `${lines.join('\n')}\n`);
    writeFileSync(join(main, 'main.go'), readFileSync(join(import.meta.dirname, 'use.go')));
    const words = ['run', '-mod=mod', '.', instance.url, client.id, client.secret];
    const { stdout } = await run('go', words, { cwd: main });
    expect(stdout).toBe('cma Changed from Go 1\nadmin generated\nroutes Hello\n');
  });

  it('can be imported in Python and work against the server', async () => {
    const PYTHONPATH = documents.map((name) => join(folder, `python-${name}`)).join(':');
    const program = join(import.meta.dirname, 'use.py');
    const words = [program, instance.url, client.id, client.secret];
    const { stdout } = await run(join(generator, 'python/bin/python'), words, {
      env: { ...process.env, PYTHONPATH },
    });
    expect(stdout).toBe('cma Changed from Python 1\nadmin generated\nroutes Hello\n');
  });
});
