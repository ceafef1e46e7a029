/** `colophon documents …` in separate processes, on the store and over HTTP, and what the checks say of stored documents. */
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { credentialsOf, type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { makeTypesFolder } from '../../support/types-folder.ts';

const note = (field: string) => `type Note @contentType(class: "x.Note") { ${field}: String }`;
const titles = 'query Titles { noteList { items { title } } }';
const count = 'query Count { noteList { count } }';
const both = 'query Both { noteList { count items { title } } }';
const idOf = (text: string) => `sha256:${hash('sha256', text)}`;

const folder = temporaryFolder();
let location: StoreLocation;
const types = makeTypesFolder(note('title'));
const changedTypes = makeTypesFolder(note('heading'));
let instance: TestInstance;
let environment: Environment;

/** Writes files below a new folder, and returns its path. */
function write(files: Readonly<Record<string, unknown>>): string {
  const path = mkdtempSync(join(folder, 'documents-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return path;
}

beforeAll(async () => {
  location = sqliteLocation();
  instance = await startInstance(location, { typesDir: types });
  const admin = await instance.createClient({ scopes: ['admin'] });
  await instance.refresh();
  environment = {
    ...environmentOf(location),
    COLOPHON_TYPES: types,
    ...credentialsOf(admin),
  };
});

const run = (...words: string[]) => runCommand(words, environment);

it('push stores the files and manifests of a folder, over HTTP and on the store', async () => {
  const operations = [{ id: hash('sha256', both), name: 'Both', type: 'query', body: both }];
  const documents = write({
    'a/titles.graphql': titles,
    'relay.json': { [hash('sha256', count)]: count, [idOf(titles)]: titles },
    'apollo.json': { format: 'apollo-persisted-query-manifest', version: 1, operations },
  });
  const url = ['--endpoint', 'delivery', '--url', instance.url];
  const pushed = await run('documents', 'push', documents, ...url);
  expect(pushed).toMatchObject({ exitCode: 0, stdout: 'added 3 of 3 documents; the endpoint has 3\n' });
  const again = await run('documents', 'push', documents, '--endpoint', 'delivery', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, stored: 3 });
  const listed = JSON.parse((await run('documents', 'list', ...url, '--json')).stdout);
  expect(listed.map(({ documentId }: { documentId: string }) => documentId).toSorted()).toEqual(
    [titles, count, both].map(idOf).toSorted(),
  );
  const removed = await run('documents', 'delete', write({ 'both.gql': both }), '--endpoint', 'delivery');
  expect(removed.stdout).toBe('deleted 1 of 1 documents; the endpoint has 2\n');
  expect((await run('documents', 'list', '--endpoint', 'delivery')).stdout).toMatch(
    /^NAME +STORED +DOCUMENT ID\nTitles +20\S+Z +sha256:[0-9a-f]{64}\nCount /,
  );
});

it.each([
  [{ 'a.graphql': '{ nothing }' }, /a\.graphql: .*nothing/],
  [{ 'b.json': { md5: count } }, /b\.json: "md5" is not the SHA-256 of its document/],
  [{ 'c.json': [count] }, /c\.json is no manifest/],
  [{ 'd.json': '{' }, /d\.json is not JSON/],
  [{ 'e.txt': count }, /has no documents/],
])('push refuses %j and names the file', async (files, message) => {
  const { exitCode, stdout, stderr } = await run('documents', 'push', write(files), '--endpoint', 'delivery');
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
});

it('an unknown endpoint, a missing folder and no endpoint are errors', async () => {
  expect((await run('documents', 'list', '--endpoint', 'x')).stderr).toMatch(/GraphQL endpoint "x"/);
  expect((await run('documents', 'list')).stderr).toMatch(/--endpoint must name/);
  const missing = await run('documents', 'push', join(folder, 'missing'), '--endpoint', 'delivery');
  expect(missing.stderr).toMatch(/missing does not exist/);
});

it('mappings check and types check fail for documents that no longer fit', async () => {
  const checked = await run('mappings', 'check', '--types', changedTypes);
  expect(checked.exitCode).toBe(1);
  expect(checked.stdout).toMatch(/^delivery \/ Titles \(trusted document\) 1:35 Cannot query field "title"/m);
  expect(checked.stdout).toMatch(/^trusted documents: checked 2, broken 1$/m);
  const report = JSON.parse((await run('types', 'check', '--types', changedTypes, '--json')).stdout);
  expect(report.trustedDocuments).toMatchObject({
    checked: 2,
    brokenBefore: 0,
    broken: [{ graphqlEndpoint: 'delivery', documentId: idOf(titles), name: 'Titles' }],
  });
});
