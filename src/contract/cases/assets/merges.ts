/**
 * Updates with `X-Base-Version`: they keep what others have changed since, and are refused where they overlap.
 */
import type { Json, JsonObject } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import { createAnother } from './asset-lifecycle.ts';

const publishDate = 'cms.content.publishDate';
const operation = 'updateAsset';

/** Yields the cases, on assets of a type. On a store without a change log, each ends with the documented 501. */
export function* mergeCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const other = [...type.fields.keys()].find((name) => !name.startsWith('cms.content.'));
  const put = (id: string, body: JsonObject, headers = {}, ...statuses: number[]) =>
    cma.call({ method: 'PUT', path: cma.pathOf(id), headers, body }, ...statuses);
  /** An asset whose publishDate was 1 at the version `base`, and then changed to 2. */
  async function createChanged() {
    const { _id: id } = await createAnother(cma, type);
    const { headers } = await put(id, { [publishDate]: 1 }, {}, 200);
    await put(id, { [publishDate]: 2 }, {}, 200);
    return { id, base: headers.etag ?? '' };
  }
  const storedOf = async (id: string, name: string) => memberOf((await cma.get(id)).body, 'result', name);
  const based = (id: string, body: JsonObject, base: string, status: number) =>
    put(id, body, { 'X-Base-Version': base }, status, 501);

  if (other !== undefined) {
    yield toCase(operation, '200 X-Base-Version keeps what others have changed since', async () => {
      const { id, base } = await createChanged();
      const value = cma.samples.field(type, other);
      const { status, body } = await based(id, { [other]: value }, base, 200);
      if (status === 501) return;
      assertSame({ what: 'the other change', received: await storedOf(id, publishDate), expected: 2 });
      assertSame({ what: 'the change', received: memberOf(body, 'result', other), expected: value as Json });
    });
  }
  yield toCase(operation, '409 X-Base-Version, and others have changed the same field', async () => {
    const { id, base } = await createChanged();
    const { status, body } = await based(id, { [publishDate]: 3 }, base, 409);
    if (status === 501) return;
    assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'edit_conflict' });
    assertSame({
      what: 'the conflicts',
      received: memberOf(body, 'error', 'conflicts'),
      expected: [{ path: publishDate, base: 1, theirs: 2, yours: 3 }],
    });
    assertSame({ what: 'the stored value', received: await storedOf(id, publishDate), expected: 2 });
  });
  yield toCase(operation, '200 X-Base-Version, and others have set the same value', async () => {
    const { id, base } = await createChanged();
    await based(id, { [publishDate]: 2 }, base, 200);
  });
  yield toCase(operation, '412 X-Base-Version names no version of the asset', async () => {
    const { id } = await createChanged();
    await based(id, { [publishDate]: 3 }, 'no-such-version', 412);
  });
  yield toCase(operation, '400 X-Base-Version is neither a version nor an ETag', async () => {
    const { id } = await createChanged();
    await put(id, {}, { 'X-Base-Version': '"a", "b"' }, 400);
  });
}
