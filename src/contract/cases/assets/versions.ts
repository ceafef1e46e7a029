/**
 * Entity tags: reads with `If-None-Match`, and writes with `If-Match`; merges with what others have changed since a version; and patches.
 */

import type { Json, JsonObject } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import { type CmaUnderTest, mergePatchType } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase, Violation } from '../../case.ts';
import { createAnother } from './asset-lifecycle.ts';

const otherTag = '"no-such-version"';

/** The ETag of a compressed response is weak already. */
const weaken = (tag: string) => (tag.startsWith('W/') ? tag : `W/${tag}`);

/** Yields the cases, on assets of the first type. */
export function* versionCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type || cma.samples.kept(type.class).length === 0) return;

  const read = async (id: string, headers: Record<string, string>, status: number) =>
    cma.call({ method: 'GET', path: cma.pathOf(id), headers }, status);
  const tagOf = async (id: string) => {
    const { headers } = await cma.get(id);
    if (headers.etag && /^(W\/)?"[^"]*"$/.test(headers.etag)) return headers.etag;
    throw new Violation({
      message: 'the ETag is not an entity tag',
      expected: '"…"',
      received: headers.etag,
    });
  };
  const write = (method: 'PUT' | 'PATCH' | 'DELETE', id: string, ifMatch: string, status: number) =>
    cma.call(
      {
        method,
        path: cma.pathOf(id),
        headers: { 'If-Match': ifMatch, ...(method === 'PATCH' ? { 'Content-Type': mergePatchType } : {}) },
        ...(method === 'DELETE' ? {} : { body: {} }),
      },
      status,
    );
  /** Changes the asset, so that it has another version. */
  const touch = (id: string) =>
    cma.call({ method: 'PUT', path: cma.pathOf(id), body: { 'cms.content.publishDate': 1 } }, 200);

  yield toCase('getAsset', '304 If-None-Match names the current version', async () => {
    const { _id: id } = await createAnother(cma, type);
    const tag = await tagOf(id);
    for (const header of [tag, `${otherTag}, ${tag}`, weaken(tag), '*']) {
      const response = await read(id, { 'If-None-Match': header }, 304);
      assertSame({ what: 'the ETag', received: response.headers.etag, expected: tag });
    }
  });
  yield toCase('getAsset', '200 If-None-Match names another version', async () => {
    const { _id: id } = await createAnother(cma, type);
    const tag = await tagOf(id);
    await read(id, { 'If-None-Match': otherTag }, 200);
    await touch(id);
    await read(id, { 'If-None-Match': tag }, 200);
  });
  yield toCase('updateAsset', '200 the response has the ETag of the new version', async () => {
    const { _id: id } = await createAnother(cma, type);
    const before = await tagOf(id);
    const { headers } = await touch(id);
    assertSame({ what: 'the ETag', received: headers.etag, expected: await tagOf(id) });
    assertSame({ what: 'whether the ETag changed', received: headers.etag !== before, expected: true });
  });
  for (const [operation, method] of [
    ['updateAsset', 'PUT'],
    ['patchAsset', 'PATCH'],
    ['deleteAsset', 'DELETE'],
  ] as const) {
    yield toCase(operation, '412 If-Match names another version, and nothing changes', async () => {
      const { _id: id } = await createAnother(cma, type);
      const old = await tagOf(id);
      const { body } = await touch(id);
      for (const header of [otherTag, old, weaken(old)]) await write(method, id, header, 412);
      const now = await cma.get(id);
      assertSame({
        what: 'the asset',
        received: memberOf(now.body, 'result'),
        expected: memberOf(body, 'result'),
      });
    });
    yield toCase(operation, '400 If-Match is not a list of entity tags', async () => {
      const { _id: id } = await createAnother(cma, type);
      await write(method, id, 'no tag', 400);
    });
    yield toCase(operation, '200 If-Match names the current version', async () => {
      const tags = [(tag: string) => tag, (tag: string) => `${otherTag}, ${tag}`, weaken, () => '*'];
      for (const toHeader of tags) {
        const { _id: id } = await createAnother(cma, type);
        await write(method, id, toHeader(await tagOf(id)), 200);
      }
    });
  }
  yield* mergeCases(cma, type);
  yield* patchCases(cma, type);
  yield toCase('updateAsset', '412 all but one of several writers with the same If-Match', async () => {
    const { _id: id } = await createAnother(cma, type);
    const headers = { 'If-Match': await tagOf(id) };
    const bodies = [1, 2, 3, 4, 5].map((date) => ({ 'cms.content.publishDate': date }));
    const responses = await Promise.all(
      bodies.map((body) => cma.call({ method: 'PUT', path: cma.pathOf(id), headers, body }, 200, 412)),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    assertSame({ what: 'the statuses', received: statuses, expected: [200, 412, 412, 412, 412] });
  });
}

const publishDate = 'cms.content.publishDate';
const mergeOperation = 'updateAsset';

/** Yields the cases, on assets of a type. On a store without a change log, each ends with the documented 501. */
function* mergeCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const other = [...type.fields.keys()].find((name) => !name.startsWith('cms.content.'));
  const put = (id: string, body: JsonObject, headers = {}, ...statuses: number[]) =>
    cma.call({ method: 'PUT', path: cma.pathOf(id), headers, body }, ...statuses);
  /** An asset whose publishDate was 1 at the version `base`, and then changed to 2. */
  async function createChanged() {
    const asset = await createAnother(cma, type);
    const { _id: id } = asset;
    const { headers } = await put(id, { [publishDate]: 1 }, {}, 200);
    await put(id, { [publishDate]: 2 }, {}, 200);
    return { id, asset, base: headers.etag ?? '' };
  }
  const storedOf = async (id: string, name: string) => memberOf((await cma.get(id)).body, 'result', name);
  const based = (id: string, body: JsonObject, base: string, status: number) =>
    put(id, body, { 'X-Base-Version': base }, status, 501);

  if (other !== undefined) {
    yield toCase(mergeOperation, '200 X-Base-Version keeps what others have changed since', async () => {
      const { id, asset, base } = await createChanged();
      const value = cma.samples.field(type, other, asset);
      const { status, body } = await based(id, { [other]: value }, base, 200);
      if (status === 501) return;
      assertSame({ what: 'the other change', received: await storedOf(id, publishDate), expected: 2 });
      assertSame({ what: 'the change', received: memberOf(body, 'result', other), expected: value as Json });
    });
  }
  yield toCase(mergeOperation, '409 X-Base-Version, and others have changed the same field', async () => {
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
  yield toCase(mergeOperation, '200 X-Base-Version, and others have set the same value', async () => {
    const { id, base } = await createChanged();
    await based(id, { [publishDate]: 2 }, base, 200);
  });
  yield toCase(mergeOperation, '412 X-Base-Version names no version of the asset', async () => {
    const { id } = await createChanged();
    await based(id, { [publishDate]: 3 }, 'no-such-version', 412);
  });
  yield toCase(mergeOperation, '400 X-Base-Version is neither a version nor an ETag', async () => {
    const { id } = await createChanged();
    await put(id, {}, { 'X-Base-Version': '"a", "b"' }, 400);
  });
}

const patchedDate = 'cms.content.publishDate';
const patchOperation = 'patchAsset';
const jsonPatchType = 'application/json-patch+json';

/** Yields the cases, on assets of a type. */
function* patchCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const patch = (id: string, body: Json, ...statuses: number[]) => {
    const contentType = Array.isArray(body) ? jsonPatchType : mergePatchType;
    const headers = { 'Content-Type': contentType };
    return cma.call({ method: 'PATCH', path: cma.pathOf(id), headers, body }, ...statuses);
  };
  const replace = (value: number) => ({ op: 'replace', path: `/${patchedDate}`, value });
  const test = (value: number) => ({ op: 'test', path: `/${patchedDate}`, value });

  for (const [kind, body] of [
    ['merge patch', { [patchedDate]: 2 }],
    ['JSON Patch', [replace(2)]],
  ] satisfies [string, Json][]) {
    yield toCase(
      patchOperation,
      `200 a ${type.class} is changed by a ${kind}, and nothing else`,
      async () => {
        const asset = await createAnother(cma, type);
        const { body: answer } = await patch(asset._id, body, 200);
        const { 'cms.content.updateDate': _, ...received } = Object(memberOf(answer, 'result'));
        const { 'cms.content.updateDate': __, ...before } = asset;
        assertSame({ what: 'the asset', received, expected: { ...before, [patchedDate]: 2 } });
      },
    );
  }
  yield toCase(patchOperation, '409 a test does not hold, and nothing changes', async () => {
    const { _id: id } = await createAnother(cma, type);
    await patch(id, [replace(1)], 200);
    const { body } = await patch(id, [replace(2), test(3)], 409);
    assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'test_failed' });
    const received = memberOf((await cma.get(id)).body, 'result', patchedDate);
    assertSame({ what: 'the stored value', received, expected: 1 });
  });
  yield toCase(patchOperation, '200 one of several patches that test the same value', async () => {
    const { _id: id } = await createAnother(cma, type);
    await patch(id, [replace(1)], 200);
    const patches = [2, 3, 4].map((value) => patch(id, [test(1), replace(value)], 200, 409));
    const statuses = (await Promise.all(patches)).map(({ status }) => status);
    assertSame({ what: 'the statuses', received: statuses.toSorted(), expected: [200, 409, 409] });
  });
}
