/** References to later lines, in cycles, and to missing assets. */
import { expect, it, vi } from 'vitest';
import { describeOnEachStore, type StoreLocation, waysOf } from '../../support/stores.ts';
import { makeTypesFolder } from '../../support/types-folder.ts';
import { idOf } from './content.ts';
import { onServer, onStore, run, type Site, summaryOf, workspaceForEach } from './workspace.ts';

const knotType = 'test.Knot';
const otherType = 'test.Other';
const sdl = `
type Knot @contentType(class: "${knotType}") { name: String!, next: Knot!, others: [Other!] }
type Other @contentType(class: "${otherType}") { name: String! }`;
const count = 500;

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let location: StoreLocation;
const types = makeTypesFolder(sdl);
const work = workspaceForEach();

const toKnot = (n: number) => ({ _ref: idOf(n), _type: knotType });
const toOther = (n: number) => ({ _ref: idOf(n), _type: otherType });
const knot = (n: number, next = (n + count - 7) % count) => ({
  _id: idOf(n),
  _type: knotType,
  name: `${n}`,
  next: toKnot(next),
});

async function siteFor(way: string): Promise<Site> {
  const direct = onStore(location);
  const site = way === 'directly' ? direct : onServer(await work.serve(location, { typesDir: types }));
  return { ...site, environment: { ...site.environment, COLOPHON_TYPES: types } };
}

describeOnEachStore('references', (locations, extent) => {
  it.each(waysOf(extent))('may form cycles of required references, %s', async (way) => {
    location = locations();
    const site = await siteFor(way);
    const file = work.input(Array.from({ length: count }, (_, n) => knot(n)));
    for (const dry of [['--dry-run'], []]) {
      const outcome = await run('import', site, [file, '--json', '--batch-size', '30', ...dry]);
      expect(outcome).toMatchObject({ exitCode: 0 });
      expect(summaryOf(outcome)).toMatchObject({ created: count, dangling: 0 });
    }
  });

  it.each(waysOf(extent))('to missing assets are reported and can be corrected, %s', async (way) => {
    location = locations();
    const site = await siteFor(way);
    const lines = [
      knot(0, 1),
      { ...knot(1, 2), others: [toOther(10), toOther(11), toOther(12)] },
      { _id: idOf(10), _type: otherType, name: 'there' },
      knot(3, 3),
      // The target exists but has another type.
      { ...knot(4, 3), others: [toOther(3)] },
    ];
    const file = work.input(lines);
    const problems = [
      [2, ['next', 'others[1]', 'others[2]']],
      [5, ['others[0]._type']],
    ];
    for (const dry of [['--dry-run'], []]) {
      const outcome = await run('import', site, [file, '--json', ...dry]);
      const report = work.lines('input.ndjson.failed.ndjson') as {
        line: number;
        problems: { path: string }[];
      }[];
      expect(outcome.exitCode).toBe(1);
      expect(report.map(({ line, problems }) => [line, problems.map(({ path }) => path)])).toEqual(
        expect.arrayContaining(problems),
      );
      expect(summaryOf(outcome)).toMatchObject({ created: 4, failed: 1, dangling: 3 });
      expect(outcome.stderr).toMatch(/^line 2: next refers to/m);
      if (dry.length === 0) expect(outcome.stderr).toContain('the asset itself is there');
    }
    // Importing the report again checks whether the targets exist now.
    const targets = [knot(2, 0), ...[11, 12].map((n) => ({ _id: idOf(n), _type: otherType, name: 'late' }))];
    expect(await run('import', site, [work.input(targets, 'late.ndjson')])).toMatchObject({ exitCode: 0 });
    const report = await run('import', site, [`${file}.failed.ndjson`, '--json']);
    expect(summaryOf(report)).toMatchObject({ dangling: 0 });
    expect(work.lines('input.ndjson.failed.ndjson').every(({ line }) => line === 2 || line === 5)).toBe(true);
  });
});
