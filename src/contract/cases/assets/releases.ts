/**
 * Drafts: what is written in a release is not live, and a release that does not exist is 404.
 */
import { randomUUID } from 'node:crypto';
import type { AdminUnderTest } from '../../apis/admin-under-test.ts';
import { type ApiUnderTest, memberOf } from '../../apis/api-under-test.ts';
import { type CmaUnderTest, mergePatchType } from '../../apis/cma-under-test.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import type { ContractRequest } from '../../responses/send-request.ts';

type Query = readonly (readonly [name: string, value: string])[];

const inRelease = (release: string): Query => [['release', release]];
const standing = inRelease('drafts');
const unknown = inRelease('no-such-release');

/** Yields the cases of the content management API, on assets of the first type. */
export function* releaseCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  const [sample] = type ? cma.samples.kept(type.class) : [];
  if (!type || !sample) return;
  const collection = cma.path;
  const path = cma.pathOf(sample._id);
  const draftCase = createDraftCase(cma);
  const draft = (request: ContractRequest, status: number) =>
    cma.call({ ...request, query: [...standing, ...(request.query ?? [])] }, status);

  yield draftCase('createAsset', '200 a draft, which is not live', async () => {
    const body = cma.samples.make(type, { full: false });
    const created = await draft({ method: 'POST', path: collection, body }, 200);
    assertSame({ what: 'X-Release', received: created.headers['x-release'], expected: 'drafts' });
    const id = String(memberOf(created.body, 'result', '_id'));
    const place = cma.pathOf(id);
    await cma.call({ method: 'GET', path: place }, 404);
    const read = await draft({ method: 'GET', path: place }, 200);
    assertSame({ what: 'the asset', received: read.body, expected: created.body });
    await draft({ method: 'DELETE', path: place, query: [['discard', 'true']] }, 200);
    await draft({ method: 'GET', path: place }, 404);
  });
  yield draftCase('deleteAsset', '200 drafts a deletion, and discards it', async () => {
    await draft({ method: 'DELETE', path }, 200);
    await draft({ method: 'GET', path }, 404);
    await cma.call({ method: 'GET', path }, 200);
    await draft({ method: 'DELETE', path, query: [['discard', 'true']] }, 200);
    await draft({ method: 'GET', path }, 200);
  });
  yield draftCase('updateAsset', '412 in a release, and others have changed the live asset', async () => {
    const body = cma.samples.make(type, { full: false });
    const created = await cma.call({ method: 'POST', path: collection, body }, 200);
    const place = cma.pathOf(String(memberOf(created.body, 'result', '_id')));
    const put = { method: 'PUT', path: place };
    const dated = (ms: number) => ({ ...put, body: { 'cms.content.publishDate': ms } });
    const { headers } = await draft(dated(1), 200);
    const etag = String(headers.etag);
    await cma.call({ ...put, body: {} }, 200);
    const read = await draft({ method: 'GET', path: place }, 200);
    assertSame({
      what: 'whether the ETag is the same',
      received: read.headers.etag === etag,
      expected: false,
    });
    await draft({ ...dated(2), headers: { 'If-Match': etag } }, 412);
    await draft({ ...dated(2), headers: { 'If-Match': String(read.headers.etag) } }, 200);
    await draft({ method: 'DELETE', path: place, query: [['discard', 'true']] }, 200);
    await cma.call({ method: 'DELETE', path: place }, 200);
  });
  yield draftCase('withdrawAsset', '200 keeps the asset as a draft with the same _id', async () => {
    const body = cma.samples.make(type, { full: false });
    const created = await cma.call({ method: 'POST', path: collection, body }, 200);
    const place = cma.pathOf(String(memberOf(created.body, 'result', '_id')));
    const withdraw = { method: 'POST', path: `${place}/withdraw` };
    const stale = { ...withdraw, headers: { 'If-Match': '"no-such-version"' } };
    await cma.call(stale, 412);
    const keyed = { ...withdraw, headers: { 'Idempotency-Key': randomUUID() } };
    const done = await cma.call(keyed, 200);
    const repeated = await cma.call(keyed, 200);
    assertSame({
      what: 'the response to the same request with the same key',
      received: JSON.stringify(repeated.body),
      expected: JSON.stringify(done.body),
    });
    assertSame({
      what: 'references',
      received: memberOf(done.body, 'result', 'references', 'count'),
      expected: 0,
    });
    await cma.call({ method: 'GET', path: place }, 404);
    await draft({ method: 'GET', path: place }, 200);
    await cma.call(withdraw, 404);
    const again = { ...body, _id: place.slice(place.lastIndexOf('/') + 1) };
    await cma.call({ method: 'POST', path: collection, body: again }, 200);
    await cma.call(withdraw, 409);
    await draft({ method: 'DELETE', path: place, query: [['discard', 'true']] }, 200);
    await cma.call({ method: 'DELETE', path: place }, 200);
  });
  const patch = { headers: { 'Content-Type': mergePatchType }, body: {} };
  const requests: [operation: string, ContractRequest][] = [
    ['queryAssets', { method: 'GET', path: collection, query: [['from', type.class]] }],
    ['postAssetQuery', { method: 'POST', path: `${collection}/query`, body: { from: type.class } }],
    ['createAsset', { method: 'POST', path: collection, body: cma.samples.make(type, { full: false }) }],
    ['getAsset', { method: 'GET', path }],
    ['updateAsset', { method: 'PUT', path, body: {} }],
    ['patchAsset', { method: 'PATCH', path, ...patch }],
    ['deleteAsset', { method: 'DELETE', path }],
  ];
  for (const [operation, request] of requests) {
    yield draftCase(operation, '404 the release does not exist', async () => {
      await cma.call({ ...request, query: [...unknown, ...(request.query ?? [])] }, 404);
    });
  }
}

/** Yields the cases of the admin API, for the operations without an ID in their paths. */
export function* adminReleaseCases(admin: AdminUnderTest): CaseGroup {
  const { path, cma } = admin;
  const [{ class: from } = {}] = cma.types.types;
  if (from === undefined) return;
  const query = { method: 'POST', path: `${path}/query`, body: { from } };
  const draftCase = createDraftCase(admin);
  const requests: [operation: string, ContractRequest][] = [
    ['createContent', { method: 'POST', path: `${path}/contents`, body: { _type: from } }],
    ['listTitles', { method: 'POST', path: `${path}/contents/titles`, body: { ids: [randomUUID()] } }],
    ['searchContents', { method: 'POST', path: `${path}/search`, body: { text: 'word', types: [from] } }],
    ['runQuery', query],
  ];
  for (const [operation, request] of requests) {
    yield draftCase(operation, '404 the release does not exist', async () => {
      await admin.call({ ...request, query: unknown }, 404);
    });
  }
}

/** Creates cases that are skipped where the run may not write drafts; `probe` reads in a release. */
function createDraftCase({ withoutDrafts }: ApiUnderTest) {
  return (operation: string, title: string, run: () => Promise<void>) =>
    toCase(operation, title, async () => {
      const skipped = await withoutDrafts();
      if (skipped !== undefined) return { skipped };
      await run();
      return undefined;
    });
}
