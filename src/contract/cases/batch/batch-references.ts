/**
 * References within a batch: to earlier and later operations, and to assets that do not exist yet.
 */
import type { Json } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import { type CmaUnderTest, uniqueFieldOf } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import { type BatchSender, batchOperation, isSkip } from './batch-sender.ts';

/** A type with a reference to a type that fits and whose assets can be generated, and the name of the field. */
function findReferring(cma: CmaUnderTest, fits: (target: DocumentedType) => boolean = () => true) {
  for (const type of cma.types.types.filter((type) => cma.samples.kept(type.class).length > 0)) {
    for (const { name, type: valueType, list } of type.fields.values()) {
      const target = valueType.kind === 'reference' ? valueType.targets[0] : undefined;
      const targetType = cma.types.types.find((type) => type.class === target);
      if (targetType && fits(targetType) && cma.samples.kept(targetType.class).length > 0)
        return { type, name, list, targetType };
    }
  }
  return undefined;
}

/** Yields the cases, on a type that has a reference. */
export function* batchReferenceCases(cma: CmaUnderTest, batches: BatchSender): CaseGroup {
  const found = findReferring(cma);
  if (!found) return;
  const { type, name, list, targetType } = found;
  const prepare = () => {
    const target = cma.samples.make(targetType, { full: false });
    const reference = { _ref: target._id ?? '', _type: targetType.class };
    const value = cma.samples.referring(type, name, reference);
    return { target, reference, asset: { ...cma.samples.make(type, { full: false }), [name]: value } };
  };
  yield* namedReferenceCases(cma, batches);
  yield toCase(batchOperation, '200 a reference to an asset that an earlier operation creates', async () => {
    const { target, asset } = prepare();
    const { results } = await batches.run([
      { action: 'create', asset: target },
      { action: 'create', asset },
    ]);
    assertSame({ what: 'the statuses', received: statusesOf(results), expected: [200, 200] });
  });
  const { referencesChecked } = cma.rules;
  const outcome = referencesChecked ? 'is refused' : 'is accepted, since references are unchecked';
  yield toCase(
    batchOperation,
    `200 a reference to an asset that a later operation creates ${outcome}`,
    async () => {
      const { target, asset } = prepare();
      const { results } = await batches.run([
        { action: 'create', asset },
        { action: 'create', asset: target },
      ]);
      const expected = [referencesChecked ? 400 : 200, 200];
      assertSame({ what: 'the statuses', received: statusesOf(results), expected });
    },
  );
  yield toCase(batchOperation, '200 a deferred reference is accepted and listed as unresolved', async () => {
    const { target, asset, reference } = prepare();
    const operations = [
      { action: 'create', asset },
      { action: 'create', asset: target },
    ];
    const { results } = await batches.run(operations, { references: 'deferred' });
    assertSame({ what: 'the statuses', received: statusesOf(results), expected: [200, 200] });
    const expected = [{ path: list ? `${name}[0]` : name, ...reference }];
    assertSame({ what: 'the unresolved references', received: memberOf(results[0], 'unresolved'), expected });
    assertSame({
      what: 'the unresolved references of the target',
      received: memberOf(results[1], 'unresolved'),
      expected: undefined,
    });
  });
  yield toCase(
    batchOperation,
    '200 atomic, a reference to an asset that a later operation creates',
    async () => {
      const { target, asset } = prepare();
      const body = await batches.atomic(
        [
          { action: 'create', asset },
          { action: 'create', asset: target },
        ],
        200,
      );
      if (isSkip(body)) return body;
      assertSame({ what: 'the failures', received: memberOf(body, 'result', 'failed'), expected: 0 });
      return undefined;
    },
  );
}

const statusesOf = (results: readonly Json[]) => results.map((result) => memberOf(result, 'status'));

/** Yields the case of a reference that names its target by a unique field. */
function* namedReferenceCases(cma: CmaUnderTest, batches: BatchSender): CaseGroup {
  const found = findReferring(cma, (target) => uniqueFieldOf(target) !== undefined);
  const unique = found && uniqueFieldOf(found.targetType);
  if (!found || unique === undefined) return;
  const { type, name, targetType } = found;
  const make = (one: DocumentedType) => cma.samples.make(one, { full: false });
  const referring = (value: Json) =>
    cma.samples.referring(type, name, { _type: targetType.class, _by: { [unique]: value } });
  yield toCase(batchOperation, '200 a reference that names its target by a unique field', async () => {
    const target = make(targetType);
    const asset = { ...make(type), [name]: referring(target[unique] ?? null) };
    const { results } = await batches.run([
      { action: 'create', asset: target },
      { action: 'create', asset },
      { action: 'create', asset: { ...make(type), [name]: referring(null) } },
    ]);
    assertSame({ what: 'the statuses', received: statusesOf(results), expected: [200, 200, 400] });
    const { body } = await cma.get(String(memberOf(asset, '_id')));
    const value = memberOf(body, 'result', name);
    const stored = Array.isArray(value) ? value[0] : value;
    const expected = { _ref: target._id ?? '', _type: targetType.class };
    assertSame({ what: 'the reference', received: stored, expected });
  });
}
