/**
 * Batches: independent and atomic operations in order, references to later operations, and limits.
 */

import { type Asset, type Json, type JsonObject, siteOwnerField } from '../../../model/content-type.ts';
import { errorPathsOf, memberOf } from '../../apis/api-under-test.ts';
import { type CmaUnderTest, requiredKeysOf } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import { wrongValues } from '../../samples/wrong-value.ts';
import { createAnother } from '../assets/asset-lifecycle.ts';
import { batchReferenceCases } from './batch-references.ts';
import { type BatchSender, batchOperation, brief, createBatchSender, isSkip } from './batch-sender.ts';

/** The cases; assets are of the first type, references those of any. */
export function* batchCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  const path = cma.document.operations.find(({ id }) => id === batchOperation)?.path;
  if (!type || path === undefined || cma.samples.kept(type.class).length === 0) return;
  const batches = createBatchSender(cma, path);
  yield* singleCases(cma, batches, type);
  yield* replaceCases(cma, batches, type);
  for (const type of cma.types.types) yield* uniqueFieldCases(cma, batches, type);
  yield* batchReferenceCases(cma, batches);
  yield* batchAtomicCases(cma, batches, type);
  yield* batchShapeCases(cma, batches);
}

function* singleCases(cma: CmaUnderTest, batches: BatchSender, type: DocumentedType): CaseGroup {
  yield toCase(batchOperation, '200 each operation has its own result, in order', async () => {
    const created = cma.samples.make(type, { full: false });
    const upserted = cma.samples.make(type, { full: true });
    const { _id: missing } = cma.samples.make(type, { full: false });
    const id = String(created._id);
    const { failed, results } = await batches.run([
      { action: 'create', asset: created },
      { action: 'create', asset: created },
      { action: 'create', asset: { ...cma.samples.make(type, { full: false }), noSuchMember: 1 } },
      { action: 'update', asset: { _id: id, 'cms.content.publishDate': 1 } },
      { action: 'update', asset: { _id: missing ?? '' } },
      { action: 'update', asset: { _id: id, 'cms.content.publishDate': 2 }, ifMatch: '"no-such-version"' },
      { action: 'upsert', asset: upserted },
      { action: 'upsert', asset: { ...upserted, 'cms.content.publishDate': 3 } },
      { action: 'delete', id },
      { action: 'delete', id },
    ]);
    const upsertedId = upserted._id ?? null;
    assertSame({
      what: 'the results of the operations',
      received: results.map(brief),
      expected: [
        [200, 'created', id],
        [409, 'id_in_use', 'id_in_use'],
        [400, 'invalid_body', 'invalid_body'],
        [200, 'updated', id],
        [404, 'not_found', 'not_found'],
        [412, 'precondition_failed', 'precondition_failed'],
        [200, 'created', upsertedId],
        [200, 'updated', upsertedId],
        [200, 'deleted', id],
        [404, 'not_found', 'not_found'],
      ],
    });
    assertSame({ what: 'the number of failures', received: failed, expected: 5 });
    await cma.call({ method: 'GET', path: cma.pathOf(id) }, 404);
    const { headers, body } = await cma.get(String(upsertedId));
    const stored = memberOf(body, 'result', 'cms.content.publishDate');
    assertSame({ what: 'the upserted date', received: stored, expected: 3 });
    assertSame({ what: 'the etag', received: memberOf(results[7], 'etag'), expected: headers.etag });
  });
}

/** Yields replacements: whole assets, of which an equal one is not written. */
function* replaceCases(cma: CmaUnderTest, batches: BatchSender, type: DocumentedType): CaseGroup {
  yield toCase(batchOperation, '200 an equal asset is unchanged', async () => {
    const asset = cma.samples.make(type, { full: true });
    const id = String(asset._id);
    const update = { action: 'update', asset: { _id: id, 'cms.content.publishDate': 7 } };
    const { results } = await batches.run([
      { action: 'replace', asset },
      { action: 'replace', asset },
      update,
      { action: 'replace', asset: { ...asset, 'cms.content.publishDate': null } },
    ]);
    const expected = ['created', 'unchanged', 'updated', 'updated'].map((outcome) => [200, outcome, id]);
    assertSame({ what: 'the results of the operations', received: results.map(brief), expected });
    assertSame({
      what: 'the change of an unchanged asset',
      received: memberOf(results[1], 'change'),
      expected: undefined,
    });
    const { body } = await cma.get(id);
    const stored = memberOf(body, 'result', 'cms.content.publishDate');
    assertSame({ what: 'the cleared date', received: stored, expected: undefined });
  });
}

/** Yields upserts by each key, which the document marks. */
function* uniqueFieldCases(cma: CmaUnderTest, batches: BatchSender, type: DocumentedType): CaseGroup {
  if (cma.samples.kept(type.class).length === 0) return;
  for (const names of requiredKeysOf(type)) yield caseOfKey(cma, batches, { type, names });
}

function caseOfKey(
  cma: CmaUnderTest,
  batches: BatchSender,
  { type, names }: { type: DocumentedType; names: readonly string[] },
) {
  const by = names.join(',');
  return toCase(batchOperation, `200 a ${type.class} is identified by its ${by}`, async () => {
    const asset = await createAnother(cma, type);
    const { _id: _, ...added } = cma.samples.make(type, { full: false });
    const valuesOf = (one: JsonObject) => Object.fromEntries(names.map((name) => [name, one[name] ?? null]));
    const values = valuesOf(asset);
    // Its other unique values are free, too.
    const { _id: __, ...another } = cma.samples.make(type, { full: false });
    const key = { _type: type.class, ...values, 'cms.content.publishDate': 4 };
    const others = names.map((name) => [
      name,
      name === siteOwnerField ? null : cma.samples.field(type, name, asset),
    ]);
    const { results } = await batches.run([
      { action: 'update', by, asset: key },
      { action: 'upsert', by, asset: { ...added, ...values } },
      { action: 'upsert', by, asset: { ...another, ...valuesOf(added) } },
      { action: 'update', by, asset: { ...key, ...Object.fromEntries(others) } },
    ]);
    const outcomes = results.map((result) => brief(result).slice(0, 2));
    const expected = [
      [200, 'updated'],
      [200, 'updated'],
      [200, 'created'],
      [404, 'not_found'],
    ];
    assertSame({ what: 'the results of the operations', received: outcomes, expected });
    const ids = results.slice(0, 2).map((result) => memberOf(result, '_id'));
    assertSame({ what: 'the identified assets', received: ids, expected: [asset._id, asset._id] });
  });
}

/** Yields one case for each status of a refused operation. */
function* batchAtomicCases(cma: CmaUnderTest, batches: BatchSender, type: DocumentedType): CaseGroup {
  const refused: [status: number, title: string, make: (asset: Asset) => JsonObject, place: string][] = [
    [
      400,
      'is invalid',
      (asset) => ({ action: 'update', asset: { _id: asset._id, noSuchMember: 1 } }),
      'asset.noSuchMember',
    ],
    [404, 'names a missing asset', () => ({ action: 'delete', id: cma.random.uuid() }), ''],
    [
      409,
      'creates an existing asset',
      (asset) => ({
        action: 'create',
        asset: { ...cma.samples.make(type, { full: false }), _id: asset._id },
      }),
      '',
    ],
    [
      412,
      'names another version',
      ({ _id }) => ({ action: 'delete', id: _id, ifMatch: '"no-such-version"' }),
      '',
    ],
  ];
  for (const [status, title, make, place] of refused) {
    yield toCase(batchOperation, `${status} atomic, no operation is applied when one ${title}`, async () => {
      const asset = await createAnother(cma, type);
      const added = cma.samples.make(type, { full: false });
      const operations = [
        { action: 'create', asset: added },
        { action: 'update', asset: { _id: asset._id, 'cms.content.publishDate': 5 } },
        make(asset),
      ];
      const body = await batches.atomic(operations, status);
      if (isSkip(body)) return body;
      const named = errorPathsOf(body)[0];
      if (place !== '') assertSame({ what: 'the path', received: named, expected: `operations[2].${place}` });
      await cma.call({ method: 'GET', path: cma.pathOf(String(added._id)) }, 404);
      const now = await cma.get(asset._id);
      assertSame({ what: 'the asset', received: memberOf(now.body, 'result'), expected: asset });
      return undefined;
    });
  }
}

const maxOperations = 1_000;

/** Yields the cases. */
function* batchShapeCases(cma: CmaUnderTest, batches: BatchSender): CaseGroup {
  const deletions = (count: number) =>
    Array.from({ length: count }, () => ({ action: 'delete', id: cma.random.uuid() }));
  yield toCase(batchOperation, `200 ${maxOperations} operations`, async () => {
    const { failed, results } = await batches.run(deletions(maxOperations));
    const received = { failed, answered: results.length };
    assertSame({
      what: 'the response',
      received,
      expected: { failed: maxOperations, answered: maxOperations },
    });
  });
  yield* shapeCases(cma, batches);
}

/** Yields mistakes: one in the batch refuses all of it, one in an operation appears in the operation's result. */
function* shapeCases(cma: CmaUnderTest, batches: BatchSender): CaseGroup {
  const schema = { $ref: '#/components/schemas/BatchRequest' };
  for (const [index, operation] of validOperations(cma).entries()) {
    const batch = { operations: [operation], atomic: false, references: 'checked' };
    for (const { value, path, wrong } of wrongValues(cma.document, schema, batch)) {
      const isOwn = path.startsWith('operations[0]');
      // Mistakes in assets belong to the single operations, and those of the batch are tested once.
      // A list is the other kind of patch.
      if (path.endsWith('.patch') && wrong === 'is a list') continue;
      if (/\.asset[.[]/.test(path) || (!isOwn && index > 0)) continue;
      const title = isOwn ? `${path} of a ${operation.action}` : path;
      yield toCase(batchOperation, `${isOwn ? 200 : 400} ${title} ${wrong}`, async () => {
        const named = isOwn ? await refusedIn(batches, value) : await batches.refuse(value);
        const expected = isOwn ? path.replace(/^operations\[0\]\.?/, '') : path;
        assertSame({
          what: 'whether the error names the path',
          received: named.includes(expected),
          expected: true,
        });
      });
    }
  }
}

/** The paths that the one refused operation of a batch names. */
async function refusedIn(batches: BatchSender, batch: Json): Promise<readonly string[]> {
  const { failed, results } = await batches.send(batch);
  const received = { failed, status: memberOf(results[0], 'status') };
  assertSame({ what: 'the result of the operation', received, expected: { failed: 1, status: 400 } });
  return errorPathsOf(results[0]);
}

function validOperations({ random, types }: CmaUnderTest) {
  const id = random.uuid();
  const type = types.types[0]?.class ?? '';
  return [
    { action: 'create', asset: { _type: type } },
    { action: 'update', asset: { _id: id }, by: '_id', ifMatch: '"x"' },
    { action: 'upsert', asset: { _id: id, _type: type }, by: '_id' },
    { action: 'replace', asset: { _id: id, _type: type }, by: '_id' },
    { action: 'patch', id, patch: {}, ifMatch: '"x"' },
    { action: 'delete', id, ifMatch: '"x"' },
  ];
}
