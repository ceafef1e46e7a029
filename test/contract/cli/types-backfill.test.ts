/**
 * `colophon types backfill`, and its state in the admin API: on a store that was served with former types, with servers running. What
 * happens to the stored values is tested in `test/contract/store/renames/`.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readAdminDocument } from '../../../src/documents/openapi-document.ts';
import { environmentOf, runCommand, startCommand } from '../../support/command-line.ts';
import { createContractAssertions } from '../../support/contract-assertions.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../support/instance.ts';
import { isLong } from '../../support/rounds.ts';
import { describeOnEachStore, describeOnSqlite, type StoreLocation } from '../../support/stores.ts';
import { makeTypesFolder, type TypesFolder } from '../../support/types-folder.ts';
import { createAdminContext } from '../http/admin/admin-caller.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000 });

/** The command line with short waits between the phases. */
const entry = join(import.meta.dirname, '../../support/settled-soon.ts');

const former = `
  type Book @contentType(class: "x.Book") { title: String! @indexed place: Shelf }
  type Shelf { town: String }`;
const present = `
  type Book @contentType(class: "x.Book") {
    headline: String! @indexed @was(name: "title")
    location: Shelf @was(name: "place")
  }
  type Shelf { city: String @was(name: "town") }`;
const fields = [
  { type: 'x.Book', formerPath: 'title', path: 'headline' },
  { type: 'x.Book', formerPath: 'place', path: 'location' },
  { type: 'x.Book', formerPath: 'place.town', path: 'location.city' },
];
const byFormerPath = (list: readonly { formerPath: string }[]) =>
  list.toSorted((one, other) => (one.formerPath < other.formerPath ? -1 : 1));

/** The command is the same for both stores, whose backfills `test/contract/store/renames` tests. */
const describeStore = isLong ? describeOnEachStore : describeOnSqlite;

describeStore('colophon types backfill', (locations) => {
  let location: StoreLocation;
  let folders: { readonly former: TypesFolder; readonly present: TypesFolder };
  let formerServer: TestInstance | undefined;
  let server: TestInstance;
  let client: ClientHeaders;
  const { call } = createAdminContext({
    instance: () => server,
    client: () => client,
    contract: createContractAssertions(readAdminDocument()),
  });

  beforeAll(async () => {
    location = locations();
    folders = { former: makeTypesFolder(former), present: makeTypesFolder(present) };
    formerServer = await startInstance(location, { typesDir: folders.former.path });
    for (const title of ['one', 'two', 'three'])
      await formerServer.services.content.create({ _type: 'x.Book', title, place: { town: title } }, {});
    server = await startInstance(location, { typesDir: folders.present.path });
    client = await server.createClient({ scopes: ['admin'] });
    await server.refresh();
  });
  afterAll(async () => {
    await formerServer?.stop();
    await server.stop();
    folders.former.remove();
    folders.present.remove();
    await location.remove();
  });

  const start = (...words: string[]) =>
    startCommand(
      ['types', 'backfill', ...words],
      { ...environmentOf(location), COLOPHON_TYPES: folders.present.path },
      { entry },
    );
  const run = (...words: string[]) => start(...words).ended;
  /** The state in the admin API, which may be two seconds old in part. */
  const poll = (expected: object) =>
    expect
      .poll(async () => (await call('GET', '/types/backfill')).body, { timeout: 30_000 })
      .toEqual(expected);
  const types = [{ type: 'x.Book', assets: 3 }];
  const idle = { fields: expect.toSatisfy(isSame), types, isRunning: false };
  function isSame(list: typeof fields): boolean {
    expect(byFormerPath(list)).toEqual(byFormerPath(fields));
    return true;
  }

  it('refuses wrong words', async () => {
    const both = await runCommand(['types', 'backfill', '--finish', '--back'], environmentOf(location));
    expect([both.exitCode, both.stderr]).toEqual([
      2,
      expect.stringContaining('--finish or --back, not both'),
    ]);
    const none = await runCommand(['types', 'backfill'], { COLOPHON_DATA_DIR: '/nonexistent/folder' });
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('/nonexistent/folder')]);
    const others = await runCommand(
      ['types', 'backfill', '--types', folders.former.path],
      environmentOf(location),
    );
    expect([others.exitCode, others.stderr]).toEqual([
      1,
      expect.stringContaining('These are not the types that the store was last served with'),
    ]);
  });

  it('is blocked by a server with former types, which the dry run and the admin API tell', async () => {
    const blocking = { servers: 1, folders: [folders.former.path] };
    await poll({ ...idle, phase: 'none', next: 'copy', blockedBy: blocking });
    const planned = await run('--dry-run', '--json');
    expect(planned).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(folders.former.path) });
    const plan = JSON.parse(planned.stdout);
    expect(plan).toMatchObject({
      phase: 'none',
      types,
      isDone: false,
      obstacle: { kind: 'servers', count: 1 },
    });
    expect(byFormerPath(plan.fields)).toEqual(byFormerPath(fields));
    expect(await run()).toMatchObject({ exitCode: 1, stdout: '', stderr: planned.stderr });
    await formerServer?.stop();
    formerServer = undefined;
    await poll({ ...idle, phase: 'none', next: 'copy' });
    const { exitCode, stdout, stderr } = await run('--dry-run');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^x\.Book +place\.town +location\.city$/m);
    expect(stdout).toMatch(/\ndry run, nothing written: 3 assets to read; no backfill has begun\n$/);
    expect(await run('--finish')).toMatchObject({
      exitCode: 1,
      stderr: 'colophon: No values have been copied: run "colophon types backfill" first\n',
    });
  });

  it('stops at Ctrl-C, and the same command goes on at once', async () => {
    const running = start();
    await vi.waitUntil(() => running.stderr().includes('copying values'), { timeout: 60_000, interval: 10 });
    running.signal('SIGINT');
    const { exitCode, stdout, stderr } = await running.ended;
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/The backfill was stopped.* To go on: colophon types backfill\n$/);
    await poll(expect.objectContaining({ phase: 'copying', next: 'copy', isRunning: false }));
    expect(await run('--json')).toMatchObject({ exitCode: 0 });
    await poll({ ...idle, phase: 'copied', next: 'finish' });
    expect(await run()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Nothing to do: /) });
  });

  it('finishes, and is undone', async () => {
    const finished = await run('--finish', '--json');
    expect(JSON.parse(finished.stdout)).toMatchObject({ phase: 'removed', visited: 3, rewritten: 3 });
    await poll({ ...idle, types: [], phase: 'removed' });
    expect(await run('--back')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^3 assets read, 3 written\nStored values have their former names only/),
    });
    await poll({ ...idle, phase: 'none', next: 'copy' });
  });
});
