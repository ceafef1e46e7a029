/**
 * Deletions that a reference with `x-on-delete: RESTRICT` refuses: of each such field, what it names stays until the reference is gone.
 */
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, type SkipReason, toCase } from '../../case.ts';
import { createAnother } from './asset-lifecycle.ts';

/** Yields a case for each such field. */
export function* restrictedDeletionCases(cma: CmaUnderTest): CaseGroup {
  for (const type of cma.types.types)
    for (const { name, onDelete } of type.fields.values())
      if (onDelete)
        yield toCase('deleteAsset', `409 what ${name} of a ${type.class} refers to`, () =>
          refuseDeletion(cma, type, name),
        );
}

async function refuseDeletion(
  cma: CmaUnderTest,
  type: DocumentedType,
  name: string,
): Promise<SkipReason | undefined> {
  const field = type.fields.get(name);
  const targets = field?.type.kind === 'reference' ? field.type.targets : [];
  const target = cma.types.types.find((one) => targets.includes(one.class));
  if (!target) return { skipped: 'the document has no type that the field refers to' };
  const { _id, _type } = await createAnother(cma, target);
  const reference = { _ref: _id, _type };
  const sample = cma.samples.make(type, { full: true });
  const holder = await cma.create({ ...sample, [name]: field?.list ? [reference] : reference });
  const remove = { method: 'DELETE', path: cma.pathOf(_id) };
  const { body } = await cma.call(remove, 409);
  assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'referenced' });
  assertSame({
    what: 'the count of the referrers',
    received: memberOf(body, 'error', 'referrers', 'count'),
    expected: 1,
  });
  await cma.get(_id);
  await cma.call({ method: 'DELETE', path: cma.pathOf(holder._id) }, 200);
  await cma.call(remove, 200);
  return undefined;
}
