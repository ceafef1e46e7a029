/** Exporting content, importing it into the other store and exporting it again gives the same content. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mongodbUrl } from '../../support/mongo-url.ts';
import { mongoLocation, type StoreLocations, sqliteLocation, type Way } from '../../support/stores.ts';
import { articleType, authorType, newspaper } from './content.ts';
import { createWorkspace, run, summaryOf, type Workspace } from './workspace.ts';

const count = 400;
const serverUrl = mongodbUrl();
const onMongo: StoreLocations = () => mongoLocation(serverUrl);
const lines = newspaper(count);
const types = ['--from', authorType, '--from', articleType];

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let work: Workspace;
beforeEach(() => {
  work = createWorkspace();
});
afterEach(() => work.stop());

/** The lines of a file, in order of `_id`. */
function sorted(name: string): unknown[] {
  return work.lines(name).toSorted((a, b) => String(a._id).localeCompare(String(b._id)));
}

const ways = [
  { name: 'SQLite to MongoDB', from: sqliteLocation, to: onMongo },
  { name: 'MongoDB to SQLite', from: onMongo, to: sqliteLocation },
];

describe.each(
  serverUrl === '' ? [{ name: 'SQLite to SQLite', from: sqliteLocation, to: sqliteLocation }] : ways,
)('$name', ({ from, to }) => {
  it.each<Way>(['over HTTP', 'directly'])('%s', async (way) => {
    const locations = [from(), to()] as const;
    const [source, target] = [await work.reach(way, locations[0]), await work.reach(way, locations[1])];
    const first = await run('import', source, [work.input(lines), '--json']);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(summaryOf(first)).toMatchObject({
      complete: true,
      lines: count,
      created: count,
      failed: 0,
      dangling: 0,
    });
    await run('export', source, [...types, '--out', work.path('one.ndjson')]);
    expect(await run('import', target, [work.path('one.ndjson')])).toMatchObject({
      exitCode: 0,
      stdout: `created ${count}, updated 0, failed 0\n`,
    });
    const again = await run('export', target, types);
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toBe(readFileSync(work.path('one.ndjson'), 'utf8'));
    // The export equals the original lines, except for the order of members.
    expect(sorted('one.ndjson')).toEqual(sorted('input.ndjson'));
    await Promise.all(locations.map((location) => location.remove()));
  });
});
