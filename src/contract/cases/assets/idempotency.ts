/**
 * Idempotency-Key: a repeated request runs once and gets the first response again; another request with the same key gets 409.
 *
 * Instances remember keys for a day, so they do not follow from the run's seed.
 */
import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import type { Operation } from '../../apis/contract-document.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';
import type { ReceivedResponse } from '../../responses/response-validator.ts';
import { createAnother } from './asset-lifecycle.ts';

const refusedKey = 'idempotency_key_reused';
const publishDate = 'cms.content.publishDate';

/** Yields the cases of each operation that accepts the header. */
export function* idempotencyCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type || cma.samples.kept(type.class).length === 0) return;
  const accepting = cma.document.operations.filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'Idempotency-Key'),
  );
  for (const operation of accepting) {
    // A withdrawal is in the cases of releases.
    if (operation.method === 'POST' && operation.id !== 'withdrawAsset')
      yield* creationCases(cma, type, operation);
    if (operation.method === 'PUT') yield* updateCases(cma, type, operation);
    if (operation.method === 'DELETE') yield* deletionCases(cma, type, operation);
  }
}

/** Yields the cases of an operation that creates assets. */
function* creationCases(cma: CmaUnderTest, type: DocumentedType, operation: Operation): CaseGroup {
  const { path, method, id } = operation;
  /** Without an `_id`, so that only the key distinguishes the requests. */
  const newAsset = (): JsonObject => {
    const { _id: _, ...asset } = cma.samples.make(type, { full: true });
    return asset;
  };
  const newBody = (): Json =>
    id === 'batchAssets' ? { operations: [{ action: 'create', asset: newAsset() }] } : newAsset();
  // Where a field is unique the same asset cannot be created twice.
  const hasUnique = [...type.fields.values()].some(({ indexed }) => indexed?.unique);
  const send = (key: string, body: Json, status: number) =>
    cma.call({ method, path, body, headers: { 'Idempotency-Key': key } }, status);

  yield toCase(id, '200 the same request with the same key gets the first response again', async () => {
    const [key, body] = [randomUUID(), newBody()];
    assertReplayed(await send(key, body, 200), await send(key, body, 200));
  });
  yield toCase(id, '200 the same request with another key runs again', async () => {
    const body = hasUnique ? undefined : newBody();
    const one = await send(randomUUID(), body ?? newBody(), 200);
    const other = await send(randomUUID(), body ?? newBody(), 200);
    const isOther = JSON.stringify(one.body) !== JSON.stringify(other.body);
    assertSame({ what: 'whether the responses differ', received: isOther, expected: true });
  });
  yield toCase(id, '409 another request with the same key', async () => {
    const key = randomUUID();
    await send(key, newBody(), 200);
    assertRefused(await send(key, newBody(), 409));
  });
  yield toCase(id, '400 a refused request with the same key is refused again', async () => {
    const [key, wrong] = [randomUUID(), { noSuchMember: 1 }];
    const first = await send(key, wrong, 400);
    const { body } = await send(key, wrong, 400);
    assertSame({ what: 'the second answer', received: body, expected: first.body });
  });
}

/** Yields the cases of updates, which set a date that every type has. */
function* updateCases(cma: CmaUnderTest, type: DocumentedType, { method, id: name }: Operation): CaseGroup {
  const put = (
    { id, key, date, ifMatch }: { id: string; key?: string; date: number; ifMatch?: string },
    status: number,
  ) => {
    const headers = { ...(key && { 'Idempotency-Key': key }), ...(ifMatch && { 'If-Match': ifMatch }) };
    return cma.call({ method, path: cma.pathOf(id), headers, body: { [publishDate]: date } }, status);
  };
  const newId = async () => (await createAnother(cma, type))._id;
  const dateOf = async (id: string) => memberOf((await cma.get(id)).body, 'result', publishDate);

  yield toCase(name, '200 the same request with the same key changes the asset once', async () => {
    const [id, key] = [await newId(), randomUUID()];
    const ifMatch = (await cma.get(id)).headers.etag ?? '';
    const first = await put({ id, key, date: 1, ifMatch }, 200);
    await put({ id, date: 2 }, 200);
    assertReplayed(first, await put({ id, key, date: 1, ifMatch }, 200));
    assertSame({ what: 'the stored value', received: await dateOf(id), expected: 2 });
  });
  yield toCase(name, '409 another body, asset or If-Match with the same key', async () => {
    const [id, other, key] = [await newId(), await newId(), randomUUID()];
    await put({ id, key, date: 1 }, 200);
    assertRefused(await put({ id, key, date: 2 }, 409));
    assertRefused(await put({ id: other, key, date: 1 }, 409));
    assertRefused(await put({ id, key, date: 1, ifMatch: '"x"' }, 409));
  });
  yield toCase(name, '412 a refused request with the same key is refused again', async () => {
    const request = { id: await newId(), key: randomUUID(), date: 1, ifMatch: '"no-such-version"' };
    assertReplayed(await put(request, 412), await put(request, 412));
  });
}

/** Yields the cases of deletions. */
function* deletionCases(cma: CmaUnderTest, type: DocumentedType, { method, id: name }: Operation): CaseGroup {
  const remove = (id: string, key: string, status: number) =>
    cma.call({ method, path: cma.pathOf(id), headers: { 'Idempotency-Key': key } }, status);

  yield toCase(name, '200 the same request with the same key gets the first response again', async () => {
    const [{ _id: id }, key] = [await createAnother(cma, type), randomUUID()];
    assertReplayed(await remove(id, key, 200), await remove(id, key, 200));
  });
  yield toCase(name, '409 another asset with the same key', async () => {
    const [one, other] = [await createAnother(cma, type), await createAnother(cma, type)];
    const key = randomUUID();
    await remove(one._id, key, 200);
    assertRefused(await remove(other._id, key, 409));
    await cma.get(other._id);
  });
  yield toCase(name, '404 a refused request with the same key is refused again', async () => {
    const [missing, key] = [randomUUID(), randomUUID()];
    assertReplayed(await remove(missing, key, 404), await remove(missing, key, 404));
  });
}

function assertReplayed(first: ReceivedResponse, again: ReceivedResponse): void {
  assertSame({
    what: 'Idempotency-Replayed of the first response',
    received: first.headers['idempotency-replayed'],
    expected: undefined,
  });
  assertSame({ what: 'the second answer', received: again.body, expected: first.body });
  for (const name of ['etag', 'x-change']) {
    assertSame({ what: `its ${name}`, received: again.headers[name], expected: first.headers[name] });
  }
  const replayed = again.headers['idempotency-replayed'];
  assertSame({ what: 'Idempotency-Replayed of the second', received: replayed, expected: 'true' });
}

function assertRefused({ body }: ReceivedResponse): void {
  assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: refusedKey });
}
