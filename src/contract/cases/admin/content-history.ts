/**
 * The history of assets in the admin API: deleted assets are listed and restored; what never was is 404.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AdminUnderTest } from '../../apis/admin-under-test.ts';
import { firstOf, memberOf } from '../../apis/api-under-test.ts';
import { assertSame, type Case, type CaseGroup, type SkipReason, toCase } from '../../case.ts';
import type { ContractRequest } from '../../responses/send-request.ts';
import { erases } from '../assets/history.ts';

const maxTries = 20;
const pauseMs = 100;

/** Yields the cases. */
export function* contentHistoryCases(admin: AdminUnderTest): CaseGroup {
  const contents = `${admin.path}/contents`;
  const past = (
    [operation, title]: [string, string],
    run: () => Promise<SkipReason | undefined> | Promise<void>,
  ): Case =>
    toCase(operation, title, async () => {
      const skipped = await admin.unavailable(operation);
      return skipped === undefined ? ((await run()) ?? undefined) : { skipped };
    });
  const list: ContractRequest = { method: 'GET', path: `${contents}/deleted`, query: [['limit', '100']] };
  /** Finds an asset among the deleted ones. The instance may list a deletion, or its end, a moment later. */
  const findDeleted = async (id: string, isExpected: boolean) => {
    for (let tries = 1; ; tries++) {
      const { body } = await admin.call(list, 200);
      const items = memberOf(body, 'items');
      const found = (Array.isArray(items) ? items : []).find((item) => memberOf(item, '_id') === id);
      if ((found !== undefined) === isExpected || tries === maxTries) return found;
      await wait(pauseMs);
    }
  };
  /** Deletes an asset; returns whether its history went with it. */
  const deleteContent = async (id: string) => {
    await admin.call({ method: 'DELETE', path: `${contents}/${id}` }, 204);
    const { body } = await admin.call({ method: 'GET', path: `${contents}/${id}/history` }, 200);
    return memberOf(firstOf(memberOf(body, 'items')), 'action') === 'erase';
  };

  yield past(['listDeletedContents', '200 lists a deleted asset until it is restored'], async () => {
    const { id } = await admin.create('contents');
    if (await deleteContent(id)) {
      assertSame({ what: 'the erased asset', received: await findDeleted(id, false), expected: undefined });
      await admin.call({ method: 'POST', path: `${contents}/${id}/restore`, body: { at: 1 } }, 410);
      return erases;
    }
    const version = memberOf(await findDeleted(id, true), 'version') ?? '';
    admin.own.add(`${contents}/${id}`);
    await admin.call({ method: 'POST', path: `${contents}/${id}/restore`, body: { version } }, 200);
    assertSame({ what: 'the deleted asset', received: await findDeleted(id, false), expected: undefined });
    return undefined;
  });
  for (const [operation, rest] of [
    ['listContentHistory', '/history'],
    ['getContentVersion', '/versions/no-such-version'],
  ] as const) {
    yield past([operation, '404 an asset that never was'], async () => {
      await admin.call({ method: 'GET', path: `${contents}/${randomUUID()}${rest}` }, 404);
    });
  }
  yield past(['restoreContent', '404 a state that never was'], async () => {
    const path = `${contents}/${admin.kept('contents')}/restore`;
    await admin.call({ method: 'POST', path, body: { version: 'no-such-version' } }, 404);
  });
  const { cma } = admin;
  const [type, other] = cma.types.types.filter(({ class: name }) => cma.samples.kept(name).length > 0);
  if (!type || !other) return;
  yield past(['restoreContent', '409 an _id that an asset of another type has'], async () => {
    const { _id: id } = await cma.create(cma.samples.make(type, { full: true }));
    if (await deleteContent(id)) return erases;
    const version = memberOf(await findDeleted(id, true), 'version') ?? '';
    await cma.create({ ...cma.samples.make(other, { full: false }), _id: id });
    await admin.call({ method: 'POST', path: `${contents}/${id}/restore`, body: { version } }, 409);
    return undefined;
  });
}
