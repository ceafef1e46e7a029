/** The content calls of the library: options that are not known are refused, before anything is written. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AssetQuery, BatchOperation, Colophon } from '../../../src/app/library/colophon.ts';
import { createColophon } from '../../../src/app/library/index.ts';
import { sqliteLocation } from '../../support/stores.ts';

const type = 'com.colophon.cms.db.Text';
const location = sqliteLocation();
let colophon: Colophon;
let id: string;

beforeAll(async () => {
  colophon = await createColophon({ dataDir: location.config.dataDir });
  id = (await colophon.content.create({ _type: type, name: 'a' })).asset._id;
});
afterAll(() => colophon.close());

/** Options as JavaScript may give them. */
const misspelt = (options: object) => options as never;
const wrong = misspelt({ ifMatch: 'wrong' });

it.each<[call: string, misspelt: string, run: () => Promise<unknown>]>([
  ['find', 'filter', () => colophon.content.find(misspelt({ from: type, filter: 'name = 1' }))],
  [
    'find',
    'desc',
    () => colophon.content.find({ from: type, sort: misspelt([{ field: 'name', desc: true }]) }),
  ],
  ['update', 'ifMatch', () => colophon.content.update(id, { name: 'b' }, wrong)],
  ['patch', 'ifMatch', () => colophon.content.patch(id, { name: 'b' }, wrong)],
  ['delete', 'ifMatch', () => colophon.content.delete(id, wrong)],
  ['batch', 'isAtomic', () => colophon.content.batch(misspelt({ operations: [], isAtomic: true }))],
  [
    'uploadFile',
    'type',
    () => colophon.content.uploadFile(Buffer.from('a'), misspelt({ name: 'a', type: 'b' })),
  ],
])('%s refuses the option %s', async (_call, option, run) => {
  await expect(run()).rejects.toMatchObject({
    code: 'invalid_parameter',
    message: expect.stringContaining(`"${option}" is not known here; there are `),
  });
  expect((await colophon.content.get(id)).asset.name).toBe('a');
});

it('a batch refuses the operations with unknown members, and carries out the others', async () => {
  const operations = [
    { action: 'update', asset: { _id: id, name: 'b' }, ifMatch: 'wrong' },
    { action: 'patch', id, patch: { name: 'c' }, ifMatch: 'wrong' },
    { action: 'delete', id, ifMatch: 'wrong' },
    { action: 'create', asset: { _type: type, name: 'd' }, ifVersion: undefined },
  ] as unknown as BatchOperation[];
  const results = await colophon.content.batch({ operations });
  expect(results.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused', 'created']);
  const found: AssetQuery = { from: type, sort: [{ field: 'name' }] };
  expect((await colophon.content.find(found)).items.map(({ name }) => name)).toEqual(['a', 'd']);
});
