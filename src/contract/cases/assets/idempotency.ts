/**
 * Idempotency-Key: a repeated request runs once and gets the first response again; another request with the same key gets 409.
 *
 * Instances remember keys for a day, so they do not follow from the run's seed.
 */
import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../../model/content-type.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { Operation } from '../../apis/contract-document.ts';
import { assertSame, type CaseGroup, toCase } from '../../case.ts';

/** Yields the cases of each operation that accepts the header. */
export function* idempotencyCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type || cma.samples.kept(type.class).length === 0) return;
  const idempotentOperations = cma.document.operations.filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'Idempotency-Key'),
  );
  /** Without an `_id`, so that only the key distinguishes the requests. */
  const newAsset = (): JsonObject => {
    const { _id: _, ...asset } = cma.samples.make(type, { full: true });
    return asset;
  };
  const bodyFor = ({ id }: Operation): Json =>
    id === 'batchAssets' ? { operations: [{ action: 'create', asset: newAsset() }] } : newAsset();

  // Where a field is unique the same asset cannot be created twice.
  const hasUnique = [...type.fields.values()].some(({ indexed }) => indexed?.unique);

  for (const operation of idempotentOperations) {
    const { path, method, id } = operation;
    const send = (key: string, body: Json, status: number) =>
      cma.call({ method, path, body, headers: { 'Idempotency-Key': key } }, status);

    yield toCase(id, '200 the same request with the same key gets the first response again', async () => {
      const key = randomUUID();
      const body = bodyFor(operation);
      const first = await send(key, body, 200);
      assertSame({
        what: 'Idempotency-Replayed of the first response',
        received: first.headers['idempotency-replayed'],
        expected: undefined,
      });
      const again = await send(key, body, 200);
      assertSame({ what: 'the second answer', received: again.body, expected: first.body });
      assertSame({ what: 'its ETag', received: again.headers.etag, expected: first.headers.etag });
      const replayed = again.headers['idempotency-replayed'];
      assertSame({ what: 'Idempotency-Replayed of the second', received: replayed, expected: 'true' });
    });
    yield toCase(id, '200 the same request with another key runs again', async () => {
      const body = hasUnique ? undefined : bodyFor(operation);
      const one = await send(randomUUID(), body ?? bodyFor(operation), 200);
      const other = await send(randomUUID(), body ?? bodyFor(operation), 200);
      const isOther = JSON.stringify(one.body) !== JSON.stringify(other.body);
      assertSame({ what: 'whether the responses differ', received: isOther, expected: true });
    });
    yield toCase(id, '409 another request with the same key', async () => {
      const key = randomUUID();
      await send(key, bodyFor(operation), 200);
      const { body } = await send(key, bodyFor(operation), 409);
      const code = memberOf(body, 'error', 'code');
      assertSame({ what: 'the code', received: code, expected: 'idempotency_key_reused' });
    });
    yield toCase(id, '400 a refused request with the same key is refused again', async () => {
      const key = randomUUID();
      const wrong = { noSuchMember: 1 };
      const first = await send(key, wrong, 400);
      assertSame({
        what: 'the second answer',
        received: (await send(key, wrong, 400)).body,
        expected: first.body,
      });
    });
  }
}
