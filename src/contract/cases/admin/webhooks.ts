/**
 * Webhooks: created with a receiver that does not exist, so that every delivery fails and can be read, sent again and replayed.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../../../model/content-type.ts';
import { type AdminUnderTest, idOf } from '../../apis/admin-under-test.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase } from '../../case.ts';

const unsupported = { skipped: 'the instance has no change log, or no key for secrets' };
const noWebhook = { skipped: 'the run has no webhook' };

/** The name `invalid` is that of no host. */
const newBody = (): JsonObject => ({
  name: `Contract test ${randomUUID().slice(0, 13)}`,
  url: 'https://contract.invalid/',
  types: ['*'],
});

/** Creates a webhook and waits for a delivery to it, which the other cases use. */
export function* webhookSampleCases(admin: AdminUnderTest): CaseGroup {
  const path = `${admin.path}/webhooks`;
  yield toSetupCase('createWebhook', '201 a webhook', async () => {
    const { status, body, headers } = await admin.call({ method: 'POST', path, body: newBody() }, 201, 501);
    if (status === 501) return unsupported;
    const id = idOf(body) ?? '';
    assertSame({ what: 'the Location', received: headers.location, expected: `${path}/${id}` });
    admin.keep('webhooks', id);
    await admin.create('contents');
    const seq = await waitForDelivery(admin, id);
    if (seq !== undefined) admin.keep('deliveries', String(seq));
    return undefined;
  });
}

/** Yields the cases. */
export function* webhookCases(admin: AdminUnderTest): CaseGroup {
  const path = `${admin.path}/webhooks`;
  const create = async (body = newBody()) =>
    idOf((await admin.call({ method: 'POST', path, body }, 201)).body) ?? '';
  const hasWebhook = () => admin.kept('webhooks') !== undefined;
  yield toCase('createWebhook', '409 another webhook has the name', async () => {
    if (!hasWebhook()) return noWebhook;
    const body = newBody();
    await create(body);
    await admin.call({ method: 'POST', path, body }, 409);
    return undefined;
  });
  yield toCase('updateWebhook', '409 another webhook has the name', async () => {
    if (!hasWebhook()) return noWebhook;
    const body = newBody();
    await create(body);
    const other = `${path}/${await create()}`;
    await admin.call({ method: 'PATCH', path: other, body: { name: body.name ?? '' } }, 409);
    return undefined;
  });
  yield toCase('replaceWebhook', '409 another webhook has the name', async () => {
    if (!hasWebhook()) return noWebhook;
    const body = newBody();
    await create(body);
    await admin.call({ method: 'PUT', path: `${path}/${await create()}`, body }, 409);
    return undefined;
  });
  yield toCase('replayWebhook', '202 begins again at the end', async () => {
    if (!hasWebhook()) return noWebhook;
    const request = { method: 'POST', path: `${path}/${await create()}/replay` };
    const { body } = await admin.call({ ...request, body: { from: Number.MAX_SAFE_INTEGER } }, 202);
    assertSame({ what: 'the state', received: memberOf(body, 'state'), expected: 'active' });
    return undefined;
  });
  yield toCase('deleteWebhook', '204 deletes a webhook', async () => {
    if (!hasWebhook()) return noWebhook;
    const place = `${path}/${await create()}`;
    await admin.call({ method: 'DELETE', path: place }, 204);
    await admin.call({ method: 'GET', path: place }, 404);
    return undefined;
  });
}

const maxPolls = 200;
const pollMs = 100;

/** Waits until a webhook has a delivery; returns its `seq`. */
async function waitForDelivery(admin: AdminUnderTest, id: string): Promise<unknown> {
  const path = `${admin.path}/webhooks/${id}/deliveries`;
  for (let polls = 0; polls < maxPolls; polls++) {
    const { body } = await admin.call({ method: 'GET', path }, 200);
    const items = memberOf(body, 'items');
    const seq = Array.isArray(items) ? memberOf(items[0], 'seq') : undefined;
    if (seq !== undefined) return seq;
    await wait(pollMs);
  }
  return undefined;
}
