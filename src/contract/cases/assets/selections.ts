/**
 * Selections: a query as a body, which finds what its parameters find; only some fields of assets; referenced assets; and how a search
 * has run.
 */
import type { Json } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';

/** Yields the cases, on the samples of the first type. */
export function* selectionCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type || cma.samples.kept(type.class).length === 0) return;
  const from = type.class;
  const ids = () => cma.samples.kept(from).map(({ _id }) => _id);

  yield toCase('postAssetQuery', '200 a body finds what the same parameters find', async () => {
    const where = `_id != ${ids()[0]}`;
    const { body: expected } = await cma.call(cma.find({ from, where, limit: 5 }), 200);
    const body = { from, where, limit: 5 };
    const { body: received } = await cma.call({ method: 'POST', path: `${cma.path}/query`, body }, 200);
    assertSame({ what: 'the page', received, expected });
  });
  const fields = selectableFields(type);
  if (fields)
    yield toCase('queryAssets', `200 only the fields ${fields}`, () => assertFields(cma, type, fields));
  yield toCase('queryAssets', '400 an unknown field to select', async () => {
    const { body } = await cma.call(cma.find({ from, ids: ids(), fields: 'noSuchField' }), 400);
    assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'unknown_field' });
  });
  const referring = cma.types.types.flatMap((one) =>
    [...one.fields.values()].flatMap(({ name, type, list }) =>
      type.kind === 'reference' && !list && refsOf(cma, one, name).length > 0 ? [{ one, name }] : [],
    ),
  )[0];
  if (referring) {
    const { one, name } = referring;
    yield toCase('queryAssets', `200 the assets that ${name} refers to, each once`, async () => {
      const ids = cma.samples.kept(one.class).map(({ _id }) => _id);
      const { body } = await cma.call(cma.find({ from: one.class, ids, limit: 1_000, include: name }), 200);
      const included = Object.entries(Object(memberOf(body, 'result', 'included')));
      const expected = [...new Set(refsOf(cma, one, name))].sort();
      const received = included.map(([id, asset]) => (memberOf(asset, '_id') === id ? id : asset));
      assertSame({ what: 'the included assets', received: received.sort(), expected });
    });
  }
  yield toCase('queryAssets', '400 an unknown reference to include', async () => {
    const { body } = await cma.call(cma.find({ from, ids: ids(), include: 'noSuchField' }), 400);
    assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'unknown_field' });
  });
  for (const method of ['GET', 'POST'] as const) {
    const operation = method === 'GET' ? 'queryAssets' : 'postAssetQuery';
    yield toCase(operation, '200 how the search has run, or 403 without the scope admin', async () => {
      const query = { from, where: "_id startsWith '0' OR TRUE", limit: 1, explain: true };
      const path = `${cma.path}/query`;
      const { status, body } = await cma.call(
        method === 'GET' ? cma.find(query) : { method, path, body: query },
        200,
        403,
      );
      const received = memberOf(body, 'result', 'explain', 'predicate');
      const expected = status === 200 ? "_id startsWith '0' or true" : undefined;
      assertSame({ what: 'the predicate as it was understood', received, expected });
    });
  }
}

/** Lists the targets of a reference in the samples of a type. */
const refsOf = (cma: CmaUnderTest, { class: className }: DocumentedType, name: string) =>
  cma.samples.kept(className).flatMap((asset) => {
    const target = memberOf(asset, name, '_ref');
    return typeof target === 'string' ? [target] : [];
  });

/** Lists the required fields of a type, without which its assets would not fit the document. */
function selectableFields({ fields }: DocumentedType): string | undefined {
  const names = [...fields.values()].filter(({ required }) => required).map(({ name }) => name);
  return names.every((name) => /^[\w.-]+$/.test(name)) ? ['_id', ...names].join(',') : undefined;
}

async function assertFields(cma: CmaUnderTest, type: DocumentedType, fields: string): Promise<void> {
  const query = { from: type.class, ids: cma.samples.kept(type.class).map(({ _id }) => _id) };
  const { body: whole } = await cma.call(cma.find(query), 200);
  const { body: selected } = await cma.call(cma.find({ ...query, fields }), 200);
  const names = ['_type', ...fields.split(',')];
  const pick = (asset: object) =>
    Object.fromEntries(Object.entries(asset).filter(([name]) => names.includes(name)));
  const expected = itemsOf(whole).map((asset) => pick(Object(asset)));
  assertSame({ what: 'the assets', received: itemsOf(selected), expected });
}

function itemsOf(body: unknown): readonly Json[] {
  const items = memberOf(body, 'result', 'items');
  return Array.isArray(items) ? items : [];
}
