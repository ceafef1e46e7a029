/** The commands besides `serve`, each in a separate process, next to a server on the same store. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, environmentOf, type Outcome, runCommand } from '../../support/command-line.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';

const text = 'com.colophon.cms.db.Text';
const site = 'com.colophon.cms.db.Site';
const noAsset = '0190a0c0-0000-7000-8000-000000000000';

describe('types', () => {
  const folder = temporaryFolder();
  const run = (...words: string[]) => runCommand(words, { COLOPHON_TYPES: folder });

  beforeAll(() => {
    const sdl = `
      "What can be lent."
      interface Item @contentType(class: "lib.Item") { mark: String! }
      "A book."
      type Book implements Item @contentType(class: "lib.Book", id: "0f5b7f0e-3c35-4b6f-9a59-9e2a4ce0c2ab") {
        mark: String! @indexed(unique: true) @constraint(minLength: 1, maxLength: 9)
        "On paper."
        pages: Int @indexed
        kind: Kind
        sequels: [Book!]
        cover: Cover
      }
      enum Kind { NOVEL POEM }
      type Cover { colour: String }`;
    writeFileSync(join(folder, 'library.graphql'), sdl);
  });

  it('list-types lists types and interfaces, built-in ones included', async () => {
    const { exitCode, stdout, stderr } = await run('list-types');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'CLASS                     KIND       FIELDS  TYPE ID',
        'com.colophon.cms.db.Site  object     5       7d096876-5492-5276-93c7-42f7e2e6dfef',
        'lib.Book                  object     8       0f5b7f0e-3c35-4b6f-9a59-9e2a4ce0c2ab',
        'lib.Item                  interface  4       f46eda3d-52f1-5895-a340-1154067b2eab',
        '',
      ].join('\n'),
    );
  });

  it('list-types --json prints the same as JSON', async () => {
    const { stdout } = await run('list-types', '--json');
    expect(JSON.parse(stdout)).toContainEqual({
      class: 'lib.Book',
      id: '0f5b7f0e-3c35-4b6f-9a59-9e2a4ce0c2ab',
      name: 'Book',
      kind: 'object',
      fields: 8,
    });
  });

  it('show-type shows the fields of a type, given by class name or type ID', async () => {
    const byClass = await run('show-type', 'lib.Book');
    expect(byClass.exitCode).toBe(0);
    expect(byClass.stdout).toBe(
      [
        'lib.Book  (object Book, type ID 0f5b7f0e-3c35-4b6f-9a59-9e2a4ce0c2ab)',
        'A book.',
        'implements lib.Item',
        '',
        'FIELD                    TYPE         REQUIRED  INDEXED  CONSTRAINT',
        'mark                     String       required  unique   minLength 1, maxLength 9',
        'pages                    Int                    indexed',
        'kind                     Kind',
        'sequels                  [Book]',
        'cover                    Cover',
        'cms.site.owner           Site                   indexed',
        'cms.content.publishDate  EpochMillis            indexed',
        'cms.content.updateDate   EpochMillis            indexed',
        '',
      ].join('\n'),
    );
    expect(await run('show-type', '0f5b7f0e-3c35-4b6f-9a59-9e2a4ce0c2ab')).toEqual(byClass);
  });

  it('show-type --json prints the same as JSON', async () => {
    const { stdout } = await run('show-type', 'lib.Book', '--json');
    const shown = JSON.parse(stdout);
    expect(shown).toMatchObject({ class: 'lib.Book', kind: 'object', description: 'A book.' });
    const plain = { required: false, indexed: false, constraint: {} };
    expect(shown.fields).toEqual(
      expect.arrayContaining([
        {
          ...plain,
          name: 'mark',
          type: 'String',
          required: true,
          indexed: 'unique',
          constraint: { minLength: 1, maxLength: 9 },
        },
        { ...plain, name: 'pages', type: 'Int', indexed: true, description: 'On paper.' },
        { ...plain, name: 'kind', type: 'Kind', values: ['NOVEL', 'POEM'] },
        { ...plain, name: 'sequels', type: '[Book]', targets: ['lib.Book'] },
        { ...plain, name: 'cover', type: 'Cover' },
      ]),
    );
  });

  it('show-type of an interface lists the types that implement it', async () => {
    expect((await run('show-type', 'lib.Item')).stdout).toContain('\nimplemented by lib.Book\n');
    expect(JSON.parse((await run('show-type', 'lib.Item', '--json')).stdout).implementedBy).toEqual([
      'lib.Book',
    ]);
  });

  it('show-type of an unknown class fails', async () => {
    expect(await run('show-type', 'lib.Nope')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'colophon: There is no content type "lib.Nope"\n',
    });
    const { stderr } = await run('show-type', 'book');
    expect(stderr).toBe('colophon: There is no content type "book". Did you mean "lib.Book"?\n');
  });
});

describe('wrong usage prints the usage and exits with 2', () => {
  const wrong: [words: string[], reason: string][] = [
    [['show-type'], 'show-type takes <class>, not nothing'],
    [['show-type', 'a', 'b'], 'show-type takes <class>, not a b'],
    [['list-types', '--yaml'], 'list-types has no option --yaml'],
    [['list-types', '--jsno'], 'list-types has no option --jsno. Did you mean "--json"?'],
    [['list-types', '--json=yes'], '--json'],
    [['lst-types'], 'there is no command "lst-types". Did you mean "list-types"?'],
    [['client'], 'there is no command "client"'],
    [['client', 'make'], 'there is no command "client make"'],
    [['client', 'create'], 'client create needs --name'],
    [['client', 'create', '--name'], '--name'],
    [['client', 'create', '--name', 'x', '--scope', 'cma:raed'], 'there is no scope "cma:raed"'],
    [['client', 'rotate'], 'client rotate takes <client ID>, not nothing'],
    [['client', 'revoke', 'a', '--json'], 'client revoke has no option --json'],
    [['client', 'key', 'a'], 'client key needs --name'],
    [['client', 'key', '--name', 'a'], 'client key takes <client ID>, not nothing'],
    [['client', 'remove-key', 'a'], 'client remove-key takes <client ID> <key ID>, not a'],
    [['user', 'create'], 'user create takes <email>, not nothing'],
    [['user', 'create', 'a@b', '--password', 'x'], 'Did you mean "--password-stdin"?'],
    [['user', 'list', 'a'], 'user list takes no arguments, not a'],
  ];
  it.each(wrong)('%j', async (words, reason) => {
    const { exitCode, stdout, stderr } = await runCommand(words);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    // Only the usage of this command, or of the commands that begin with the same word.
    const shown = stderr.split('\n').filter((line) => /^(Usage: {1,2}| {2})colophon /.test(line));
    if (['lst-types'].includes(words[0] ?? ''))
      expect(stderr).toContain('\ncolophon help lists the commands.\n');
    else
      expect(new Set(shown.map((line) => line.match(/colophon ([\w-]+)/)?.[1]))).toEqual(new Set([words[0]]));
  });

  it('also without any argument, then on standard output', async () => {
    const { exitCode, stdout } = await runCommand([]);
    expect([exitCode, stdout.split('\n')[0]]).toEqual([2, 'Usage:']);
  });

  it.each([[['--help']], [['-h']], [['help']], [['client', '--help']], [['help', 'client']]])(
    'but not a request for help: %j',
    async (words) => {
      const { exitCode, stdout, stderr } = await runCommand(words);
      expect([exitCode, stderr]).toEqual([0, '']);
      const shown = stdout.trimEnd().split('\n').slice(1);
      expect(shown.filter((line) => line.includes('colophon client'))).toHaveLength(6);
      expect(shown.some((line) => line.includes('colophon serve'))).toBe(!words.includes('client'));
    },
  );

  it.each([[['client', 'create', '--help']], [['help', 'client', 'create']]])(
    'and help for one command explains it: %j',
    async (words) => {
      const { exitCode, stdout, stderr } = await runCommand(words);
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: colophon client create --name <name> /);
      expect(stdout).toMatch(/\n {2}--scope <scope> +what it may do: cma:read, .*\(may be repeated\)\n/);
    },
  );

  it('and --version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(await runCommand(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describeOnEachStore('client', (locations) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let environment: Environment;

  beforeAll(async () => {
    location = locations();
    environment = environmentOf(location);
    instance = await startInstance(location);
  });

  const client = (...words: string[]) => runCommand(['client', ...words], environment);

  const statusOf = async (headers: ClientHeaders) =>
    (await fetch(`${instance.cmaUrl}?from=${text}`, { headers })).status;

  const eventually = (headers: ClientHeaders) => expect.poll(() => statusOf(headers));

  it('create, rotate and revoke take effect on a running server', async () => {
    const created = readJson(await client('create', '--name', 'Importer', '--json'));
    await eventually(created).toBe(200);

    const rotated = readJson(await client('rotate', created['X-Client-Id'], '--json'));
    expect(rotated['X-Client-Id']).toBe(created['X-Client-Id']);
    await eventually(rotated).toBe(200);
    expect(await statusOf(created)).toBe(401);

    expect(await client('revoke', created['X-Client-Id'])).toEqual({
      exitCode: 0,
      stdout: `revoked ${created['X-Client-Id']}\n`,
      stderr: '',
    });
    await eventually(rotated).toBe(401);
  });

  it('create and rotate without --json print the ID and the secret as text', async () => {
    const created = readText(await client('create', '--name', 'By hand'));
    await eventually(created).toBe(200);
    const rotated = readText(await client('rotate', created['X-Client-Id']));
    await eventually(rotated).toBe(200);
  });

  it('list shows everything but secrets, revoked clients included', async () => {
    const { _id } = await createAsset({ _type: site, name: 'Here' });
    const made = readJson(
      await client(
        'create',
        '--name',
        'Listed',
        '--scope',
        'graphql',
        '--scope',
        'cma:read',
        '--site',
        _id,
        '--json',
      ),
    );
    const clientId = made['X-Client-Id'];
    const listed = async () => JSON.parse((await client('list', '--json')).stdout);
    const entry = {
      clientId,
      name: 'Listed',
      scopes: ['graphql', 'cma:read'],
      sites: [_id],
      keys: [],
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      revokedAt: null,
    };
    expect(await listed()).toContainEqual(entry);
    await client('revoke', clientId);
    expect(await listed()).toContainEqual({ ...entry, revokedAt: expect.stringMatching(/^\d{4}-.*Z$/) });

    const { exitCode, stdout } = await client('list');
    expect(exitCode).toBe(0);
    const [heading = '', ...rows] = stdout.trimEnd().split('\n');
    expect(heading.split(/ {2,}/)).toEqual(['CLIENT ID', 'NAME', 'SCOPES', 'SITES', 'REVOKED']);
    const cells = rows.map((row) => row.split(/ {2,}/));
    expect(cells).toContainEqual([clientId, 'Listed', 'graphql cma:read', _id, expect.stringMatching(/Z$/)]);
    expect(cells).toContainEqual([instance.headers['X-Client-Id'], 'test', 'cma:read cma:write', 'all']);
    expect(stdout).not.toContain(made['X-Client-Secret']);
  });

  it('key and remove-key add and remove keys, and list shows keys without hashes', async () => {
    const made = readJson(await client('create', '--name', 'Keyed', '--scope', 'graphql', '--json'));
    const clientId = made['X-Client-Id'];
    const keysOf = async () => {
      const { stdout } = await client('list', '--json');
      const all: { clientId: string; keys: unknown }[] = JSON.parse(stdout);
      return { keys: all.find((one) => one.clientId === clientId)?.keys, stdout };
    };
    const first = JSON.parse((await client('key', clientId, '--name', 'Site', '--json')).stdout);
    expect(first).toEqual({ id: expect.any(String), key: expect.stringMatching(/^[\w-]{43}$/) });
    const [, id = '', secret = ''] =
      /^ID {3}(\S+)\nKey {2}(\S+)\n$/.exec((await client('key', clientId, '--name', 'App')).stdout) ?? [];
    const createdAt = expect.stringMatching(/^\d{4}-.*Z$/);
    const listed = await keysOf();
    expect(listed.keys).toEqual([
      { id: first.id, name: 'Site', createdAt },
      { id, name: 'App', createdAt },
    ]);
    const expiring = await client(
      'key',
      clientId,
      '--name',
      'Fair',
      '--expires',
      '2099-12-31T18:00Z',
      '--json',
    );
    const { id: fair, key: _, expiresAt } = JSON.parse(expiring.stdout);
    expect([expiresAt, expiring.stderr]).toEqual(['2099-12-31T18:00:00.000Z', '']);
    expect((await keysOf()).keys).toContainEqual({ id: fair, name: 'Fair', createdAt, expiresAt });
    await client('remove-key', clientId, fair);
    const past = await client('key', clientId, '--name', 'Past', '--expires', '2020-01-01T00:00Z');
    expect([past.exitCode, past.stderr]).toEqual([1, expect.stringContaining('must be in the future')]);
    const idle = readJson(await client('create', '--name', 'Idle', '--scope', 'cma:read', '--json'));
    const refused = await client('key', idle['X-Client-Id'], '--name', 'Early');
    expect([refused.exitCode, refused.stderr]).toEqual([
      0,
      expect.stringContaining('lacks the scope graphql'),
    ]);
    for (const hidden of [first.key, secret, 'Hash']) expect(listed.stdout).not.toContain(hidden);

    expect((await client('remove-key', clientId, first.id)).stdout).toBe(`removed ${first.id}\n`);
    expect((await keysOf()).keys).toEqual([{ id, name: 'App', createdAt }]);
    expect((await client('remove-key', clientId, first.id)).exitCode).toBe(1);
  });

  it('--scope and --site restrict what a client may do', async () => {
    const { _id: mine } = await createAsset({ _type: site, name: 'Mine' });
    const owned = { 'cms.site.owner': { _ref: mine, _type: site } };
    const seen = await createAsset({ _type: text, name: 'seen', ...owned });
    await createAsset({ _type: text, name: 'hidden' });
    const restricted = readJson(
      await client('create', '--name', 'Held', '--scope', 'cma:read', '--site', mine, '--json'),
    );
    await eventually(restricted).toBe(200);
    const found = await fetch(`${instance.cmaUrl}?from=${text}`, { headers: restricted });
    expect(await found.json()).toEqual({ status: 'ok', result: { count: 1, items: [seen] } });
    expect((await post(restricted, { _type: text, name: 'x', ...owned })).status).toBe(403);
  });

  it.each([
    ['rotate', 'an unknown client', ['rotate', 'nobody'], /nobody/],
    ['revoke', 'an unknown client', ['revoke', 'nobody'], /nobody/],
    ['key', 'an unknown client', ['key', 'nobody', '--name', 'x'], /nobody/],
    ['remove-key', 'an unknown client', ['remove-key', 'nobody', 'x'], /nobody/],
    ['create', 'a missing site', ['create', '--name', 'x', '--site', noAsset], /sites\[0\]/],
    ['create', 'a site that is no UUID', ['create', '--name', 'x', '--site', 'home'], /sites\[0\]/],
    ['create', 'an empty name', ['create', '--name', ''], /name/],
  ])('%s fails for %s', async (_command, _what, words, reason) => {
    const { exitCode, stdout, stderr } = await client(...words);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(reason);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('rotate and revoke fail for a revoked client', async () => {
    const made = readJson(await client('create', '--name', 'Over', '--json'));
    await client('revoke', made['X-Client-Id']);
    expect((await client('rotate', made['X-Client-Id'])).exitCode).toBe(1);
    expect((await client('revoke', made['X-Client-Id'])).exitCode).toBe(1);
  });

  const post = (headers: ClientHeaders, body: object) =>
    fetch(instance.cmaUrl, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  async function createAsset(body: object): Promise<{ readonly _id: string }> {
    const response = await post(instance.headers, body);
    expect(response.status).toBe(200);
    // The response has the whole created asset.
    return ((await response.json()) as { result: { _id: string } }).result;
  }
});

it('client commands do not change content indexes, not even those of a custom Site type', async () => {
  const location = sqliteLocation();
  const typesDir = join(location.config.dataDir, 'types');
  mkdirSync(typesDir);
  const site =
    'type Site @contentType(class: "com.colophon.cms.db.Site") { name: String! code: String @indexed }';
  const note = 'type Note @contentType(class: "x.Note") { tags: [String!] @indexed }';
  writeFileSync(join(typesDir, 'own.graphql'), `${site} ${note}`);
  const instance = await startInstance(location, { typesDir });
  const database = new DatabaseSync(join(location.config.dataDir, 'colophon.db'), { readOnly: true });
  const listIndexes = () => [
    database.prepare('SELECT * FROM field_indexes ORDER BY name').all(),
    database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
  ];
  const before = listIndexes();
  for (const index of [
    { class: 'x.Note', field: 'tags' },
    { class: 'com.colophon.cms.db.Site', field: 'code' },
  ]) {
    expect(before[0]).toContainEqual(expect.objectContaining(index));
  }
  const environment = environmentOf(location);
  const { exitCode } = await runCommand(['client', 'create', '--name', 'x'], environment);
  await runCommand(['client', 'list'], environment);
  expect(exitCode).toBe(0);
  expect(listIndexes()).toEqual(before);
  database.close();
  await instance.stop();
  await location.remove();
});

function readJson({ exitCode, stdout, stderr }: Outcome): ClientHeaders {
  expect([exitCode, stderr]).toEqual([0, '']);
  const { clientId, secret, ...others } = JSON.parse(stdout);
  expect(others).toEqual({});
  return { 'X-Client-Id': clientId, 'X-Client-Secret': secret };
}

function readText({ exitCode, stdout, stderr }: Outcome): ClientHeaders {
  expect([exitCode, stderr]).toEqual([0, '']);
  const [, id = '', secret = ''] = /^ID {6}(\S+)\nSecret {2}(\S+)\n$/.exec(stdout) ?? [];
  return { 'X-Client-Id': id, 'X-Client-Secret': secret };
}
