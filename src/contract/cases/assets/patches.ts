/**
 * Patches of assets: both kinds change the same, a test that does not hold changes nothing, and simultaneous patches lose nothing.
 */
import type { Json } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import { type CmaUnderTest, mergePatchType } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import { createAnother } from './asset-lifecycle.ts';

const publishDate = 'cms.content.publishDate';
const operation = 'patchAsset';
const jsonPatchType = 'application/json-patch+json';

/** Yields the cases, on assets of a type. */
export function* patchCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const patch = (id: string, body: Json, ...statuses: number[]) => {
    const contentType = Array.isArray(body) ? jsonPatchType : mergePatchType;
    const headers = { 'Content-Type': contentType };
    return cma.call({ method: 'PATCH', path: cma.pathOf(id), headers, body }, ...statuses);
  };
  const replace = (value: number) => ({ op: 'replace', path: `/${publishDate}`, value });
  const test = (value: number) => ({ op: 'test', path: `/${publishDate}`, value });

  for (const [kind, body] of [
    ['merge patch', { [publishDate]: 2 }],
    ['JSON Patch', [replace(2)]],
  ] satisfies [string, Json][]) {
    yield toCase(operation, `200 a ${type.class} is changed by a ${kind}, and nothing else`, async () => {
      const asset = await createAnother(cma, type);
      const { body: answer } = await patch(asset._id, body, 200);
      const { 'cms.content.updateDate': _, ...received } = Object(memberOf(answer, 'result'));
      const { 'cms.content.updateDate': __, ...before } = asset;
      assertSame({ what: 'the asset', received, expected: { ...before, [publishDate]: 2 } });
    });
  }
  yield toCase(operation, '409 a test does not hold, and nothing changes', async () => {
    const { _id: id } = await createAnother(cma, type);
    await patch(id, [replace(1)], 200);
    const { body } = await patch(id, [replace(2), test(3)], 409);
    assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'test_failed' });
    const received = memberOf((await cma.get(id)).body, 'result', publishDate);
    assertSame({ what: 'the stored value', received, expected: 1 });
  });
  yield toCase(operation, '200 one of several patches that test the same value', async () => {
    const { _id: id } = await createAnother(cma, type);
    await patch(id, [replace(1)], 200);
    const patches = [2, 3, 4].map((value) => patch(id, [test(1), replace(value)], 200, 409));
    const statuses = (await Promise.all(patches)).map(({ status }) => status);
    assertSame({ what: 'the statuses', received: statuses.toSorted(), expected: [200, 409, 409] });
  });
}
