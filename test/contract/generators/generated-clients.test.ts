/**
 * The OpenAPI documents with third-party tools: Redocly's linter finds no error, and openapi-generator (Go, Python, Java) and
 * oapi-codegen (Go) generate clients from all three documents, which are compiled and used against a running server. Its content types
 * have names that documents, languages and generators use too; docs/client.md lists the options that generators need for them.
 *
 * `.ci/install-openapi-generator` installs the tools. Without them, Go or Java the suite is skipped; with CI=true it fails.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { toOpenApi30 } from '../../../src/documents/openapi-30.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { sqliteLocation } from '../../support/stores.ts';

const run = promisify(execFile);

const cache = process.env.COLOPHON_TEST_CACHE ?? join(homedir(), '.cache', 'colophon-test');
const generator = join(cache, 'openapi-generator-7.14.0');
const jar = join(generator, 'openapi-generator-cli.jar');

const documents = ['cma', 'admin', 'routes'] as const;
const languages = ['go', 'python', 'java'] as const;
const typesDir = join(import.meta.dirname, 'types');

const isInstalled = existsSync(join(generator, 'installed'));

it.runIf(process.env.CI === 'true')('openapi-generator is installed', () => {
  expect(isInstalled, 'run .ci/install-openapi-generator').toBe(true);
});

describe.skipIf(!isInstalled)('generated clients', () => {
  let instance: TestInstance;
  const folder = temporaryFolder();
  let token: string;

  beforeAll(async () => {
    instance = await startInstance(sqliteLocation(), { typesDir });
    const headers = await instance.createClient({
      name: 'generated',
      scopes: ['cma:read', 'cma:write', 'admin'],
    });
    token = `${headers['X-Client-Id']}.${headers['X-Client-Secret']}`;
    await instance.refresh();
    await publishRoutes();
    await Promise.all(documents.map(writeDocument));
  });

  async function publishRoutes(): Promise<void> {
    const { content, restEndpoints } = instance.services;
    await content.create({ _type: 'com.example.awkward.Level', name: 'Hello', type: 'class' }, {});
    const query = `query ByName($name: JSON!, $limit: Int = 10) {
      levelList(where: "name = ?", values: [$name], limit: $limit) {
        count
        items {
          _id name type class default func next { name } object { type } package { return Type }
          client { secret { ... on Option { type } } }
        }
      }
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
    const headers = { Authorization: `Bearer ${token}` };
    const text = await (await fetch(`${instance.url}${paths[name]}`, { headers })).text();
    writeFileSync(join(folder, `${name}.json`), text);
    writeFileSync(join(folder, `${name}-30.json`), JSON.stringify(toOpenApi30(JSON.parse(text))));
  }

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

  /** In Java, a model may not have the name of a class that generated code imports, such as `java.util.logging.Level`. */
  const javaWords = (document: string) =>
    `--model-name-suffix Dto --invoker-package ${document} --api-package ${document}.api --model-package ${document}.model`;

  async function generate(language: string, document: string): Promise<void> {
    // The generators misread types with null in 3.1.
    const input = join(folder, `${document}-30.json`);
    const words = ['generate', '-g', language, '-i', input, '-o', join(folder, `${language}-${document}`)];
    const names = ['--git-host', 'example.com', '--git-user-id', 'colophon', '--git-repo-id', document];
    // Without it, `_type` gets the name of a field `type`.
    const mappings = [
      '--name-mappings',
      language === 'go' ? '_type=AssetType,_id=AssetId' : '_type=assetType,_id=assetId',
    ];
    // Go needs the second property to choose an asset's type by `_type`, and the third because values of enums are constants of the
    // package, and both scopes and roles have `admin`.
    const properties = `packageName=${document},useOneOfDiscriminatorLookup=true,enumClassPrefix=true`;
    const options = [...names, ...mappings, `--additional-properties=${properties}`];
    if (language === 'java') options.push(...javaWords(document).split(' '));
    const parts = 'models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false';
    options.push(`--global-property=${parts}`);
    await run('java', ['-XX:TieredStopAtLevel=1', '-jar', jar, ...words, ...options], {
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
    copyFileSync(join(import.meta.dirname, 'use.go'), join(main, 'main.go'));
    const { stdout } = await run('go', ['run', '-mod=mod', '.', instance.url, token], { cwd: main });
    expect(stdout).toBe('cma From Go Client 1\nadmin generated\nroutes Hello class\n');
  });

  it('can be imported in Python and work against the server', async () => {
    const PYTHONPATH = documents.map((name) => join(folder, `python-${name}`)).join(':');
    const words = [join(import.meta.dirname, 'use.py'), instance.url, token];
    const { stdout } = await run(join(generator, 'python/bin/python'), words, {
      env: { ...process.env, PYTHONPATH },
    });
    expect(stdout).toBe('cma From Python Client 1\nadmin generated\nroutes Hello class\n');
  });

  it('compile in Java and work against the server', async () => {
    const classes = join(folder, 'java-classes');
    const path = [classes, join(generator, 'java/*')].join(':');
    const sources = documents.flatMap((document) => {
      const source = join(folder, `java-${document}`, 'src/main/java');
      return readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.java'))
        .map((file) => join(source, file));
    });
    const words = ['-nowarn', '-proc:none', '-cp', path, '-d', classes];
    await run('javac', [...words, join(import.meta.dirname, 'Use.java'), ...sources]);
    const { stdout } = await run('java', ['-cp', path, 'Use', instance.url, token]);
    expect(stdout).toBe('cma From Java Client 1\nadmin generated\nroutes Hello class\n');
  });

  it('of oapi-codegen compile in Go and work against the server', async () => {
    const main = join(folder, 'oapi-codegen');
    for (const document of documents) {
      mkdirSync(join(main, document), { recursive: true });
      const config = join(main, `${document}.json`);
      const settings = {
        package: document,
        generate: { models: true, client: true },
        // A content type has the default name, `Client`.
        'output-options': { 'client-type-name': 'ColophonClient' },
      };
      writeFileSync(config, JSON.stringify(settings));
      const output = join(main, document, 'client.go');
      // It reads only some of the types with null in 3.1.
      const words = ['-config', config, '-o', output, join(folder, `${document}-30.json`)];
      await run(join(generator, 'oapi-codegen'), words);
    }
    const lines = [
      'module example.com/colophon',
      'go 1.24',
      'require github.com/oapi-codegen/runtime v1.9.0',
    ];
    writeFileSync(join(main, 'go.mod'), `${lines.join('\n')}\n`);
    copyFileSync(join(import.meta.dirname, 'use-oapi-codegen.go'), join(main, 'main.go'));
    const { stdout } = await run('go', ['run', '-mod=mod', '.', instance.url, token], { cwd: main });
    expect(stdout).toBe('cma From Go Client 1\nadmin generated\nroutes Hello class\n');
  });
});
