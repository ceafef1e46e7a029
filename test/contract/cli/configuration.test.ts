/** `colophon pull`, `diff` and `apply`, each in a separate process: between two servers, and on a store. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Environment, environmentOf, type Outcome, runCommand } from '../../support/command-line.ts';
import { keepsHistory } from '../../support/history.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { makeTypesFolder } from '../../support/types-folder.ts';

const note = 'type Note @contentType(class: "x.Note") { title: String }';
const query = 'query Notes($limit: Int) {\n  noteList(limit: $limit) {\n    items { title }\n  }\n}';

describeOnEachStore('the configuration as files', (locations, { isWhole }) => {
  const folder = temporaryFolder();
  const opened: { location: StoreLocation; instance?: TestInstance }[] = [];
  const types = makeTypesFolder(note);
  let staging: TestInstance;
  let toStaging: Environment;
  let hasWebhooks: boolean;

  async function openServer(location: StoreLocation) {
    const secretKey = 'another-key-that-only-these-tests-have';
    const instance = await startInstance(location, { typesDir: types, secretKey, webhookPrivate: true });
    opened.push({ location, instance });
    return instance;
  }
  /** Starts a server with an API client for the commands, which read the returned variables. */
  async function startServer() {
    const location = locations();
    const instance = await openServer(location);
    const secret = 'a-secret-that-only-these-tests-have';
    await instance.services.clients.create({
      clientId: 'deployer',
      secret,
      name: 'Deployer',
      scopes: ['admin'],
    });
    await instance.refresh();
    const credentials = { COLOPHON_CLIENT_ID: 'deployer', COLOPHON_CLIENT_SECRET: secret };
    return { instance, environment: { ...environmentOf(location), ...credentials, ...variables } };
  }
  const variables = { CACHE_TOKEN: 'Bearer a', CACHE_HOST: '127.0.0.1:1' };
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  const read = (name: string) => readFileSync(path(name), 'utf8');
  const filesOf = (directory: string) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
      .toSorted();
  /** Runs a command over HTTP. */
  const over =
    (server: TestInstance, environment: Environment) =>
    (command: string, ...words: string[]) =>
      runCommand([command, folder, '--url', server.url, ...words], environment);
  const done = ({ exitCode, stderr }: Outcome) => [exitCode, stderr];
  const nothing = { exitCode: 0, stdout: 'no changes\n', stderr: '' };

  beforeAll(async () => {
    ({ instance: staging, environment: toStaging } = await startServer());
    hasWebhooks = await keepsHistory(staging);
    await liveIn(staging);
  });
  afterAll(async () => {
    for (const { instance } of opened) await instance?.stop();
    for (const { location } of opened) await location.remove();
  });

  /** Configures an installation as people do: with drafts, restrictions, purges and what is switched off. */
  async function liveIn({ services }: TestInstance): Promise<void> {
    const { graphqlEndpoints, restEndpoints, webhooks, clients } = services;
    const by = 'a test';
    const cors = { origins: ['https://www.example.com'] };
    const notes = await graphqlEndpoints.create({
      name: 'Notes',
      readTypes: ['x.Note'],
      access: 'ANYONE',
      cors,
    });
    const body = { name: 'Note desk', source: 'Notes', mappings: [{ name: 'All', query, cacheSeconds: 60 }] };
    const { id } = await restEndpoints.create({ body, by });
    await restEndpoints.publish({ id, by });
    await restEndpoints.save({ id, by, body: { ...body, access: 'API_KEY' } });
    await restEndpoints.create({ body: { ...body, name: 'Unfinished' }, by });
    await clients.create({
      clientId: 'front-end',
      name: 'Front end',
      scopes: ['graphql'],
      endpoints: [notes.id],
    });
    await clients.create({ clientId: 'gone', name: 'Gone', scopes: ['graphql'] });
    await clients.revoke('gone');
    if (!hasWebhooks) return;
    const receiver = { url: 'http://127.0.0.1:1/hook', types: ['x.Note'], payload: 'asset' } as const;
    const search = await webhooks.create({
      ...receiver,
      name: 'Search',
      actions: ['update'],
      where: `title = '\${x}'`,
    });
    await webhooks.update({ id: search.status.webhook.id, changes: { enabled: false } });
    const secretHeaders = { Authorization: 'Bearer a' };
    const purge = { method: 'PURGE', headers: { Tags: '{tags:space}' }, maxTags: 5, secretHeaders };
    await webhooks.create({
      ...receiver,
      payload: 'thin',
      name: 'Cache',
      actions: ['create', 'update', 'delete', 'erase'],
      purge,
    });
  }

  it('pull writes what is published, without secrets, and only once', async () => {
    const pulled = await over(staging, toStaging)('pull');
    expect(done(pulled)).toEqual([
      0,
      'colophon: REST endpoint "Unfinished" is left out, because it is not published\n',
    ]);
    expect(filesOf(folder).filter((name) => !name.startsWith('webhooks'))).toEqual([
      expect.stringMatching(/^api-clients\/[\w-]+\.yaml$/),
      'api-clients/front-end.yaml',
      'graphql-endpoints/delivery.yaml',
      'graphql-endpoints/management.yaml',
      'graphql-endpoints/notes.yaml',
      'rest-endpoints/note-desk.yaml',
      'rest-endpoints/note-desk/all.graphql',
    ]);
    expect(read('rest-endpoints/note-desk/all.graphql')).toBe(`${query}\n`);
    expect(read('rest-endpoints/note-desk.yaml')).toContain(
      'cacheSeconds: 60\n    queryFile: note-desk/all.graphql\n',
    );
    expect(read('api-clients/front-end.yaml')).toBe(
      'clientId: front-end\nname: Front end\nscopes:\n  - graphql\nendpoints:\n  - Notes\n',
    );
    if (hasWebhooks) {
      expect(read('webhooks/search.yaml')).toContain("where: title = '$${x}'\n");
      expect(read('webhooks/cache.yaml')).toContain(`    Authorization: \${CACHE_AUTHORIZATION}\n`);
      const text = read('webhooks/cache.yaml');
      write(
        'webhooks/cache.yaml',
        `# The cache\n${text.replace('CACHE_AUTHORIZATION', 'CACHE_TOKEN').replace('127.0.0.1:1', `$\{CACHE_HOST}`)}`,
      );
    }
    const again = await over(staging, toStaging)('pull');
    expect([again.exitCode, again.stdout]).toEqual([0, 'no changes\n']);
    expect(await over(staging, toStaging)('diff')).toEqual(nothing);
  });

  it('apply makes an empty store the same, and prints new secrets once', async () => {
    const location = locations();
    opened.push({ location });
    const environment = {
      ...environmentOf(location),
      ...variables,
      COLOPHON_TYPES: types,
      COLOPHON_SECRET_KEY: 'another-key-that-only-these-tests-have',
      COLOPHON_WEBHOOK_PRIVATE: 'true',
    };
    const on = (command: string, ...words: string[]) => runCommand([command, folder, ...words], environment);
    const applied = await on('apply');
    expect(done(applied)).toEqual([0, '']);
    expect(applied.stdout).toContain('+ REST endpoint "Note desk"\n');
    expect(applied.stdout).toMatch(
      /New secrets, shown this once:\n(.*\n)* {2}API client front-end {2}[\w-]{43}\n/,
    );
    expect(await on('diff')).toEqual(nothing);
    expect(await on('pull')).toEqual(nothing);
    // The secrets that were printed are valid, and the routes are served.
    const instance = await openServer(location);
    await vi.waitUntil(async () => (await fetch(`${instance.url}/note-desk/all`)).status === 200);
    const { restEndpoints, clients } = instance.services;
    const [endpoint] = await restEndpoints.list();
    expect([endpoint?.current.savedBy, endpoint?.current.action]).toEqual(['command line', 'PUBLISHED']);
    const [notes] = (await instance.services.graphqlEndpoints.list()).filter(({ name }) => name === 'Notes');
    expect((await clients.get('front-end')).endpoints).toEqual([notes?.id]);
  });

  it('apply --prune on a store keeps the client of the settings, and the endpoints that files name', async () => {
    const location = locations();
    opened.push({ location });
    const own = mkdtempSync(join(tmpdir(), 'colophon-pruned-'));
    mkdirSync(join(own, 'rest-endpoints'));
    writeFileSync(
      join(own, 'rest-endpoints/notes.yaml'),
      `name: Notes\nsource: delivery\nmappings:\n  - name: All\n    query: 'query Notes { noteList { count } }'\n`,
    );
    const environment = { ...environmentOf(location), COLOPHON_TYPES: types, COLOPHON_CLIENT_ID: 'own' };
    const colophon = (...words: string[]) => runCommand(words, environment);
    const instance = await startInstance(location, { typesDir: types });
    await instance.services.clients.revoke(instance.headers['X-Client-Id']);
    for (const clientId of ['own', 'other'])
      await instance.services.clients.create({ clientId, name: clientId, scopes: ['graphql'] });
    await instance.stop();
    const removals = ['- GraphQL endpoint "management"', '- API client "other"'];
    expect((await colophon('apply', own, '--prune', '--dry-run')).stdout.split('\n')).toEqual(
      expect.arrayContaining(removals),
    );
    const applied = await colophon('apply', own, '--prune');
    expect(done(applied)).toEqual([0, '']);
    expect(applied.stdout.match(/^- .*$/gm)).toEqual(removals);
    expect(await colophon('diff', own, '--prune')).toEqual(nothing);
    const listed = JSON.parse((await colophon('client', 'list', '--json')).stdout);
    const active = listed.filter(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null);
    expect(active.map(({ clientId }: { clientId: string }) => clientId)).toEqual(['own']);
    rmSync(own, { recursive: true });
  });

  it.runIf(isWhole)('two stages agree after apply, with prune apart from the caller', async () => {
    const { instance: production, environment } = await startServer();
    const on = over(production, environment);
    await production.services.graphqlEndpoints.create({ name: 'Old', readTypes: ['*'], access: 'ANYONE' });
    const differs = await on('diff');
    expect([differs.exitCode, differs.stderr]).toEqual([
      1,
      `colophon: The installation differs from ${folder}\n`,
    ]);
    expect(differs.stdout).toContain('- GraphQL endpoint "Old" (removed only with --prune)\n');
    expect(differs.stdout).not.toContain('deployer');
    expect((await on('apply', '--prune', '--dry-run')).stdout).toContain('- GraphQL endpoint "Old"\n');
    expect(done(await on('apply', '--prune'))).toEqual([0, '']);
    expect(await on('diff', '--prune')).toEqual(nothing);
    expect((await fetch(`${production.url}/note-desk/all`)).status).toBe(200);
    // Written by hand: with a comment, and without what has a default.
    write('graphql-endpoints/all.yaml', '# All\nname: All types\nreadTypes: ["*"]\naccess: ANYONE\n');
    expect(done(await on('apply'))).toEqual([0, '']);
    expect(await on('pull')).toEqual(nothing);

    write('rest-endpoints/note-desk.yaml', read('rest-endpoints/note-desk.yaml').replace('60', '5'));
    const changed = (await on('diff')).stdout.split('\n');
    expect(changed.slice(0, 7)).toEqual([
      '~ REST endpoint "Note desk"',
      '    mappings.All.cacheSeconds: 60 -> 5',
      '',
      'Published routes that would change, and still work as before:',
      '  Note desk: All  GET /note-desk/all',
      '    Its requests or responses would change',
      '    safe: response may be kept for 5 s, and 60 s before',
    ]);
    expect(changed[7]).toMatch(/requests in the last 30 days/);
    const refused = await over(staging, toStaging)('apply');
    expect(refused.stderr).toMatch(/rest-endpoints\/note-desk\.yaml:1 has a newer unpublished change/);
    expect(done(await on('apply'))).toEqual([0, '']);
    expect((await fetch(`${production.url}/note-desk/all`)).headers.get('cache-control')).toContain(
      'max-age=5',
    );
    expect(done(await over(staging, toStaging)('apply', '--force'))).toEqual([0, '']);
    expect(await over(staging, toStaging)('diff')).toEqual(nothing);
  });

  it.runIf(isWhole)('sees a new name as another record, whose paths are served throughout', async () => {
    const [server, environment] = [staging, toStaging];
    const on = over(server, environment);
    const rename = (name: string, from: string, to: string) => write(name, read(name).replaceAll(from, to));
    rename('graphql-endpoints/notes.yaml', 'name: Notes', 'name: Jottings');
    rename('rest-endpoints/note-desk.yaml', 'source: Notes', 'source: Jottings');
    rename('rest-endpoints/note-desk.yaml', 'name: Note desk', 'name: Jotter');
    rename('api-clients/front-end.yaml', '- Notes', '- Jottings');
    const { stdout } = await on('diff', '--prune');
    for (const line of [
      '+ GraphQL endpoint "Jottings"',
      '- GraphQL endpoint "Notes"',
      '+ REST endpoint "Jotter"',
      '- REST endpoint "Note desk"',
    ])
      expect(stdout).toContain(`${line}\n`);
    expect(stdout).toContain('A record with another name is another record');
    const unpruned = await on('apply');
    expect(unpruned.stderr).toMatch(/graphql-endpoints\/notes\.yaml:2 path is in use by another record/);
    const { restEndpoints } = server.services;
    for (const { id, current } of await restEndpoints.list())
      if (current.definition.name === 'Unfinished') await restEndpoints.delete({ id });
    expect(done(await on('apply', '--prune'))).toEqual([0, '']);
    expect((await fetch(`${server.url}/note-desk/all`)).status).toBe(200);
    expect(await on('diff', '--prune')).toEqual(nothing);
  });

  it.runIf(isWhole)(
    'a broken folder changes nothing, and each message names the file and the line',
    async () => {
      const former = `${folder}-former`;
      cpSync(folder, former, { recursive: true });
      const before = JSON.stringify(await staging.services.restEndpoints.list());
      write('graphql-endpoints/broken.yaml', 'name: "x\n');
      write('graphql-endpoints/unset.yaml', `name: Unset\nreadTypes:\n  - \${NOWHERE}\naccess: ANYONE\n`);
      write(
        'rest-endpoints/lost.yaml',
        'name: Lost\nsource: Jottings\nmappings:\n  - name: A\n    queryFile: lost/a.graphql\n',
      );
      write('webhook/typo.yaml', 'name: Typo\n');
      const unread = await over(staging, toStaging)('apply');
      expect(unread.exitCode).toBe(1);
      for (const line of [
        /graphql-endpoints\/broken\.yaml:2:1 /,
        /graphql-endpoints\/unset\.yaml:3 the variable NOWHERE is not set/,
        /rest-endpoints\/lost\.yaml:5 there is no file rest-endpoints\/lost\/a\.graphql/,
        /webhook\/typo\.yaml:1 is in no place for a record/,
      ])
        expect(unread.stderr).toMatch(line);
      for (const name of ['graphql-endpoints/broken.yaml', 'graphql-endpoints/unset.yaml', 'webhook'])
        rmSync(path(name), { recursive: true });
      write('rest-endpoints/lost/a.graphql', '\nquery A {\n  nothing\n}\n');
      write('graphql-endpoints/types.yaml', 'name: Types\naccess: ANYONE\nreadTypes:\n  - x.Nothing\n');
      write('api-clients/front-end.yaml', `${read('api-clients/front-end.yaml')}  - Nowhere\n`);
      const refused = await over(staging, toStaging)('apply', '--prune');
      expect(refused.exitCode).toBe(1);
      for (const line of [
        /rest-endpoints\/lost\/a\.graphql:3:3 mappings\[0\]\.query Cannot query field "nothing"/,
        /graphql-endpoints\/types\.yaml:4 readTypes\[0\] is neither/,
        /api-clients\/front-end\.yaml:7 endpoints\[1\] must be the name of a GraphQL endpoint/,
      ])
        expect(refused.stderr).toMatch(line);
      expect(JSON.stringify(await staging.services.restEndpoints.list())).toBe(before);
      rmSync(folder, { recursive: true });
      const empty = await over(staging, toStaging)('apply', '--prune');
      expect(empty.stderr).toContain(
        'has no file of a configuration; these are graphql-endpoints/<name>.yaml',
      );
      cpSync(former, folder, { recursive: true });
      rmSync(former, { recursive: true });
    },
  );
});
