/**
 * Entity tags: reads with `If-None-Match`, and writes with `If-Match`.
 */
import { memberOf } from '../../apis/api-under-test.ts';
import { type CmaUnderTest, mergePatchType } from '../../apis/cma-under-test.ts';
import { assertSame, type CaseGroup, toCase, Violation } from '../../case.ts';
import { createAnother } from './asset-lifecycle.ts';
import { mergeCases } from './merges.ts';
import { patchCases } from './patches.ts';

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
