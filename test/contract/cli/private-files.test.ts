/** Commands create files for their user alone, replace none unasked, and change no store that they only list. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand, startServing } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';

let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder, 'deep', 'data');
});

const run = (...words: string[]) => runCommand(words, { COLOPHON_DATA_DIR: dataDir });
const path = (name: string) => join(folder, name);
const modesIn = (place: string) =>
  Object.fromEntries(
    readdirSync(place).map((name) => [name, (statSync(join(place, name)).mode & 0o777).toString(8)]),
  );

const createClient = () => run('client', 'create', '--name', 'One');

it('the database, the files beside it and the new folders are private', async () => {
  const serving = await startServing({ COLOPHON_DATA_DIR: dataDir });
  expect(modesIn(dataDir)).toMatchObject({
    'colophon.db': '600',
    'colophon.db-wal': '600',
    'colophon.db-shm': '600',
    'colophon.db-reserve': '600',
  });
  expect([modesIn(folder), modesIn(path('deep'))]).toEqual([{ deep: '700' }, { data: '700' }]);
  await serving.stop();
});

it('backups, exports, the journal and the report of an import, and restored stores are private', async () => {
  writeFileSync(path('in.ndjson'), '{"_type":"com.colophon.cms.db.Text","name":"a"}\n{"_type":"no.Type"}\n');
  await run('import', path('in.ndjson'));
  await run('export', '--out', path('out.ndjson'));
  await run('backup', 'create', path('a.backup'));
  expect(await run('backup', 'restore', path('a.backup'), '--replace')).toMatchObject({ exitCode: 0 });
  const { 'in.ndjson': _, deep: __, ...modes } = modesIn(folder);
  expect(Object.keys(modes)).toEqual(
    expect.arrayContaining(['a.backup', 'in.ndjson.failed.ndjson', 'in.ndjson.journal', 'out.ndjson']),
  );
  expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
  expect(new Set(Object.values(modesIn(dataDir)))).toEqual(new Set(['600']));
});

it('backup create replaces a file with --force only', async () => {
  await createClient();
  writeFileSync(path('a.backup'), 'precious');
  expect(await run('backup', 'create', path('a.backup'))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('--force'),
  });
  expect(readFileSync(path('a.backup'), 'utf8')).toBe('precious');
  expect(await run('backup', 'create', path('a.backup'), '--force')).toMatchObject({ exitCode: 0 });
  expect(await run('backup', 'restore', path('a.backup'), '--replace')).toMatchObject({ exitCode: 0 });
});

describe('a command that lists', () => {
  const listing = [
    ['client', 'list'],
    ['user', 'list'],
    ['runs', 'list'],
    ['audit'],
    ['mappings', 'check'],
    ['list-types'],
    ['export'],
  ];

  it.each(listing.map((words) => [words.join(' '), words]))('creates no store: %s', async (_name, words) => {
    expect(await run(...words)).toMatchObject({ exitCode: 0 });
    expect(existsSync(path('deep'))).toBe(false);
  });

  it('changes nothing in a store that lacks indexes and types', async () => {
    expect(await createClient()).toMatchObject({ exitCode: 0 });
    const file = join(dataDir, 'colophon.db');
    const database = new DatabaseSync(file);
    const [index] = database.prepare("SELECT name FROM field_indexes WHERE kind = 'value'").all();
    database.exec(`DROP INDEX ${index?.name}; DELETE FROM field_indexes WHERE name = '${index?.name}';
      DELETE FROM store_facts WHERE name = 'names'; DELETE FROM types WHERE total = 0`);
    const read = () => {
      const tables = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
      const rows = tables
        .filter(({ sql }) => String(sql).startsWith('CREATE TABLE'))
        .map(({ name }) => database.prepare(`SELECT * FROM ${name}`).all());
      return { tables, rows };
    };
    const before = read();
    for (const words of listing) expect(await run(...words)).toMatchObject({ exitCode: 0 });
    expect(read()).toEqual(before);
    database.close();
  });
});
