/**
 * The shape of a batch: the number of its operations, and mistakes in an operation apart from its asset.
 */
import type { Json } from '../../../model/content-type.ts';
import { errorPathsOf, memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import { wrongValues } from '../../samples/wrong-value.ts';
import { type BatchSender, batchOperation } from './batch-sender.ts';

const maxOperations = 1_000;

/** Yields the cases. */
export function* batchShapeCases(cma: CmaUnderTest, batches: BatchSender): CaseGroup {
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
  for (const count of [0, maxOperations + 1]) {
    yield toCase(batchOperation, `400 ${count} operations`, async () => {
      const named = await batches.refuse({ operations: deletions(count) });
      assertSame({ what: 'the path', received: named[0], expected: 'operations' });
    });
  }
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
