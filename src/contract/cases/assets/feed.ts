/**
 * The feed of changes: what matches, then what changes, and the live form of the same.
 */
import type { Asset, Json } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type Case, type CaseGroup, toCase } from '../../case.ts';
import { createAnother } from './asset-lifecycle.ts';
import { deleteAsset } from './history.ts';

const publishDate = 'cms.content.publishDate';

/** More pages than any case has. */
const maxPages = 50;

/** Yields the cases, on assets of the first type. */
export function* feedCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type || cma.samples.kept(type.class).length === 0) return;
  yield* changeCases(cma, type);
  yield* cursorCases(cma, type);
}

/** Creates a case that is skipped where the store keeps no change log. */
function feedCase(cma: CmaUnderTest, title: string, run: () => Promise<void>): Case {
  return toCase('listChanges', title, async () => {
    const [type] = cma.types.types;
    const query: [string, string][] = [['from', type?.class ?? '']];
    const { status } = await cma.call({ method: 'GET', path: `${cma.path}/changes`, query }, 200, 501);
    if (status === 501) return { skipped: 'the instance keeps no change log' };
    await run();
    return undefined;
  });
}

type Parameters = Readonly<Record<string, string>>;

async function readPage(cma: CmaUnderTest, { class: from }: DocumentedType, parameters: Parameters) {
  const query = Object.entries({ from, ...parameters });
  const { body } = await cma.call({ method: 'GET', path: `${cma.path}/changes`, query }, 200);
  return Object(memberOf(body, 'result'));
}

/** Reads pages until there is nothing more; returns their items in short, and the last cursor. */
async function readOn(cma: CmaUnderTest, type: DocumentedType, parameters: Parameters) {
  const items: Json[] = [];
  let { cursor } = parameters;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await readPage(cma, type, { ...parameters, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items.map(inShort));
    cursor = String(page.cursor);
    if (!page.more) break;
  }
  return { items, cursor: cursor ?? '' };
}

function inShort(item: Json): Json {
  const [op, id] = [memberOf(item, 'op'), memberOf(item, 'id')];
  return [op ?? null, id ?? memberOf(item, 'asset', '_id') ?? null];
}

const change = (cma: CmaUnderTest, { _id }: Asset, date: number) =>
  cma.call({ method: 'PUT', path: cma.pathOf(_id), body: { [publishDate]: date } }, 200);

function* changeCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  yield feedCase(cma, '200 what matches, and then each change once', async () => {
    const [first, second] = [await createAnother(cma, type), await createAnother(cma, type)];
    const where = `_id in [${first._id}, ${second._id}]`;
    const start = await readOn(cma, type, { where });
    const ids = [first._id, second._id].toSorted();
    assertSame({ what: 'the snapshot', received: start.items, expected: ids.map((id) => ['put', id]) });
    await change(cma, first, 1);
    await change(cma, first, 2);
    await cma.call({ method: 'DELETE', path: cma.pathOf(second._id) }, 200);
    const { items, cursor } = await readOn(cma, type, { where, cursor: start.cursor });
    const expected = [
      ['put', first._id],
      ['delete', second._id],
    ];
    assertSame({ what: 'the changes', received: items, expected });
    const { items: rest } = await readOn(cma, type, { where, cursor });
    assertSame({ what: 'the changes since', received: rest, expected: [] });
  });
  yield feedCase(cma, '200 pages of one item that follow each other', async () => {
    const made = [
      await createAnother(cma, type),
      await createAnother(cma, type),
      await createAnother(cma, type),
    ];
    const where = `_id in [${made.map(({ _id }) => _id).join(', ')}]`;
    const { items, cursor } = await readOn(cma, type, { where, limit: '1' });
    const expected = made
      .map(({ _id }) => _id)
      .toSorted()
      .map((id) => ['put', id]);
    assertSame({ what: 'the snapshot', received: items, expected });
    for (const asset of made) await change(cma, asset, 1);
    const page = await readPage(cma, type, { where, cursor, limit: '1' });
    assertSame({ what: 'the number of items', received: page.items.length, expected: 1 });
  });
  yield feedCase(cma, '200 a put has the asset as a read has it', async () => {
    const asset = await createAnother(cma, type);
    const page = await readPage(cma, type, { where: `_id = ${asset._id}` });
    const { body } = await cma.get(asset._id);
    const received = memberOf(page.items[0], 'asset');
    assertSame({ what: 'the asset', received, expected: memberOf(body, 'result') });
  });
  yield feedCase(cma, '200 nothing of assets that do not match', async () => {
    const [inside, outside] = [await createAnother(cma, type), await createAnother(cma, type)];
    const where = `_id = ${inside._id}`;
    const { cursor } = await readOn(cma, type, { where });
    await change(cma, outside, 1);
    const { items: changed, cursor: next } = await readOn(cma, type, { where, cursor });
    assertSame({ what: 'the changes', received: changed, expected: [] });
    // Whether a deletion erases, of which everybody is told, stands in the history.
    if ((await cma.unavailable('listAssetHistory')) !== undefined) return;
    const isErased = await deleteAsset(cma, cma.pathOf(outside._id));
    const { items } = await readOn(cma, type, { where, cursor: next });
    const expected = isErased ? [['delete', outside._id]] : [];
    assertSame({ what: 'the deletions', received: items, expected });
  });
  yield feedCase(cma, '200 an asset that no longer matches leaves, and comes back', async () => {
    const asset = await createAnother(cma, type);
    await change(cma, asset, 1);
    const where = `_id = ${asset._id} and ${publishDate} < 10`;
    let { cursor } = await readOn(cma, type, { where });
    for (const [date, op] of [
      [100, 'leave'],
      [2, 'put'],
    ] as const) {
      await change(cma, asset, date);
      const next = await readOn(cma, type, { where, cursor });
      assertSame({ what: 'the changes', received: next.items, expected: [[op, asset._id]] });
      ({ cursor } = next);
    }
  });
  yield feedCase(cma, '200 the live form begins with the same page', async () => {
    const { _id } = await createAnother(cma, type);
    const parameters = { where: `_id = ${_id}` };
    const expected = await readPage(cma, type, parameters);
    const request = { method: 'GET', path: `${cma.path}/changes`, headers: { Accept: 'text/event-stream' } };
    const query = Object.entries({ from: type.class, ...parameters });
    const { body, headers } = await cma.call({ ...request, query }, 200);
    const what = 'the media type';
    assertSame({ what, received: headers['content-type']?.split(';')[0], expected: 'text/event-stream' });
    const [, data] = /^data: ?(.*)$/m.exec(String(body)) ?? [];
    const { items, phase } = JSON.parse(data ?? 'null') ?? {};
    assertSame({ what: 'the page', received: [items, phase], expected: [expected.items, expected.phase] });
  });
}

function* cursorCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const refuse = async (parameters: Parameters, expected: string) => {
    const query = Object.entries({ from: type.class, ...parameters });
    const { body } = await cma.call({ method: 'GET', path: `${cma.path}/changes`, query }, 400);
    assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected });
  };
  yield feedCase(cma, '400 the cursor of another query, and what is no cursor', async () => {
    const { cursor } = await readPage(cma, type, { where: `_id = ${cma.random.uuid()}` });
    await refuse({ where: `_id = ${cma.random.uuid()}`, cursor }, 'cursor_mismatch');
    await refuse({ cursor: 'no-cursor' }, 'invalid_parameter');
  });
  yield feedCase(cma, '400 a predicate that follows a reference', async () => {
    await refuse({ where: `cms.site.owner/_id = ${cma.random.uuid()}` }, 'invalid_parameter');
  });
}
