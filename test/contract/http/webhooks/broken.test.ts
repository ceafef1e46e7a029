/** A webhook whose predicate no longer fits the content types: it is broken and told of, others go on, and it goes on when it fits again. */
import { beforeAll, expect, it } from 'vitest';
import { type Logger, silentLogger } from '../../../../src/base/runtime.ts';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { keepsHistory } from '../../../support/history.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import {
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
} from '../../../support/webhook-receiver.ts';
import { createAdminContext } from '../admin/admin-caller.ts';

const text = 'com.colophon.cms.db.Text';
const note = 'com.example.Note';
const noteType = (fields: string) => `type Note @contentType(class: "${note}") { title: String! ${fields} }`;

describeOnEachStore('a webhook whose predicate no longer fits', (locations) => {
  const location = locations();
  const withMood = makeTypesFolder(noteType('mood: String'));
  const withoutMood = makeTypesFolder(noteType('weight: Int'));
  const contract = createContractAssertions(readAdminDocument());
  let server: WebhookReceiver;
  let instance: TestInstance;
  let client: ClientHeaders;
  let errors: object[] = [];
  const { call } = createAdminContext({ instance: () => instance, client: () => client, contract });

  const start = async (typesDir: string) => {
    errors = [];
    const logger: Logger = {
      ...silentLogger,
      error: (facts: object, message: string) => errors.push({ ...facts, message }),
    };
    const settings = { webhookPrivate: true, secretKey: 'a-key-that-only-tests-of-webhooks-have', typesDir };
    instance = await startInstance(location, settings, logger);
    client = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
  };
  const write = async (asset: { _type: string } & Record<string, string>) =>
    (await instance.services.content.create(asset, {})).asset._id;
  const until = (received: ReceivedMessages, id: string) =>
    received.until(
      () => received.accepted.some(({ event }) => event.data.id === id),
      `the delivery of ${id}`,
    );

  beforeAll(async () => {
    server = await startReceiver();
    await start(withMood);
  });

  it('is marked as broken and told of while others go on, and goes on when it fits again', async ({
    skip,
  }) => {
    if (!(await keepsHistory(instance))) skip();
    const create = async (name: string, selection: object) => {
      const received = server.open();
      const { body } = await call('POST', '/webhooks', { body: { name, url: received.url, ...selection } });
      return { received, path: `/webhooks/${body.webhook.id}` };
    };
    const moody = await create('Moody', { types: [note], where: "title = 'Sent' and mood = 'good'" });
    const other = await create('Other', { types: [text], where: "name = 'Sent'" });
    await until(moody.received, await write({ _type: note, title: 'Sent', mood: 'good' }));

    await instance.stop();
    await start(withoutMood);
    const problem = {
      path: 'where',
      line: 1,
      column: expect.any(Number),
      message: expect.stringContaining('mood'),
    };
    const broken = (await call('GET', moody.path)).body;
    expect(broken).toMatchObject({ state: 'broken', problems: [problem] });
    const fitting = (await call('GET', other.path)).body;
    expect(fitting).toMatchObject({ state: 'active' });
    expect(fitting).not.toHaveProperty('problems');
    const meanwhile = await write({ _type: note, title: 'Sent' });
    await until(other.received, await write({ _type: text, name: 'Sent' }));
    expect(errors).toContainEqual({
      webhook: 'Moody',
      problems: [expect.objectContaining({ path: 'where' })],
      message: 'A webhook does not fit the content types and sends nothing until it does',
    });
    expect(moody.received.accepted).toHaveLength(1);
    expect((await call('GET', moody.path)).body.position).toBe(broken.position);

    await instance.stop();
    await start(withMood);
    await instance.services.content.update({ id: meanwhile, body: { mood: 'good' } }, {});
    await until(moody.received, meanwhile);
    expect((await call('GET', moody.path)).body).toMatchObject({ state: 'active' });
    expect(errors).toEqual([]);
  });
});
