/** Two servers on one store: one with the former types, and one of a later deployment that has renamed fields and a class. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TypesReport, Webhook } from '../../../../generated/server/admin.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';

const formerTypes = `
type Review @contentType(class: "t.Review") {
  title: String! @indexed @searchable
  stars: Int @indexed
  venue: Venue
  critic: Critic @indexed
}
type Critic @contentType(class: "t.Critic") { title: String! }
type Venue { town: String }
`;
const presentTypes = `
type Review @contentType(class: "t.Review") {
  headline: String! @indexed @searchable @was(name: "title")
  rating: Int @indexed @was(name: "stars")
  place: Venue @was(name: "venue")
  reviewer: Reviewer @indexed @was(name: "critic")
}
type Reviewer @contentType(class: "t.Reviewer") @was(class: "t.Critic") { headline: String! @was(name: "title") }
type Venue { city: String @was(name: "town") }
`;

describeOnEachStore('servers before and after a deployment that renames', (locations) => {
  let location: StoreLocation;
  let former: TestInstance;
  let present: TestInstance;
  let critic: string;
  let review: string;

  async function call(server: TestInstance, method: string, path: string, body?: object) {
    const headers = { ...(await historyClient(server)), 'Content-Type': 'application/json' };
    const response = await fetch(server.cmaUrl + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
    const answer = (await response.json()) as any;
    return { status: response.status, result: answer.result, error: answer.error };
  }

  const clients = new Map<TestInstance, Promise<Readonly<Record<string, string>>>>();
  function historyClient(server: TestInstance) {
    const known = clients.get(server);
    if (known) return known;
    const created = server.createClient({ scopes: ['cma:read', 'cma:write', 'history', 'admin'] });
    const ready = created.then(async (client) => {
      await server.refresh();
      return client;
    });
    clients.set(server, ready);
    return ready;
  }

  const find = (server: TestInstance, query: Record<string, string>) =>
    call(server, 'GET', `?${new URLSearchParams(query)}`);

  beforeAll(async () => {
    location = locations();
    const [before, after] = [formerTypes, presentTypes].map(makeTypesFolder);
    const settings = { webhookPrivate: true, secretKey: 'a-key-that-only-this-test-has' };
    former = await startInstance(location, { ...settings, typesDir: before ?? '' });
    critic = (await call(former, 'POST', '', { _type: 't.Critic', title: 'Ada' })).result._id;
    const created = await call(former, 'POST', '', {
      _type: 't.Review',
      title: 'Grand hall',
      stars: 4,
      venue: { town: 'Rome' },
      critic: { _ref: critic, _type: 't.Critic' },
    });
    review = created.result._id;
    await call(former, 'POST', '', { _type: 't.Review', title: 'Small hall', stars: 5 });
    present = await startInstance(location, { ...settings, typesDir: after ?? '' });
  });
  afterAll(async () => {
    await Promise.all([former?.stop(), present?.stop()]);
  });

  it('read, find, sort, include and count under the present names', async () => {
    expect((await call(present, 'GET', `/${review}`)).result).toMatchObject({
      _type: 't.Review',
      headline: 'Grand hall',
      rating: 4,
      place: { city: 'Rome' },
      reviewer: { _ref: critic, _type: 't.Reviewer' },
    });
    const page = await find(present, {
      from: 't.Review',
      where: 'headline matches hall and (rating >= 4 or reviewer/headline = Ada)',
      sort: '-rating,headline',
      fields: 'headline,place.city',
      include: 'reviewer',
      facets: 'rating',
    });
    expect(page.result.count).toBe(2);
    expect(page.result.items.map(({ headline }: { headline: string }) => headline)).toEqual([
      'Small hall',
      'Grand hall',
    ]);
    expect(page.result.items[1]).toEqual({
      _id: review,
      _type: 't.Review',
      headline: 'Grand hall',
      place: { city: 'Rome' },
    });
    expect(page.result.included[critic]).toMatchObject({ _type: 't.Reviewer', headline: 'Ada' });
    expect(page.result.facets).toEqual({
      rating: [
        { value: 4, count: 1 },
        { value: 5, count: 1 },
      ],
    });
    expect((await find(present, { from: 't.Critic' })).result.items[0]).toMatchObject({
      _type: 't.Reviewer',
    });
    const unknown = await find(present, { from: 't.Review', where: 'title = x' });
    expect([unknown.status, unknown.error.code]).toEqual([400, 'unknown_field']);
  });

  it('page by cursor in an order by a renamed field', async () => {
    const query = { from: 't.Review', sort: 'rating', limit: '1', cursor: '' };
    const first = (await find(present, query)).result;
    const second = (await find(present, { ...query, cursor: first.next })).result;
    expect([...first.items, ...second.items].map(({ rating }: { rating: number }) => rating)).toEqual([4, 5]);
    expect(second.next).toBeUndefined();
  });

  it('write for each other, and keep history, merge and restore under both names', async () => {
    const { status, result: before } = await call(present, 'GET', `/${review}/history`);
    const changed = await call(former, 'PUT', `/${review}`, { title: 'Old hall', venue: { town: 'Pisa' } });
    expect(changed.status).toBe(200);
    const put = await call(present, 'PUT', `/${review}`, { rating: 3 });
    expect(put.result).toMatchObject({ headline: 'Old hall', rating: 3, place: { city: 'Pisa' } });
    expect((await call(former, 'GET', `/${review}`)).result).toMatchObject({ title: 'Old hall', stars: 3 });
    // A standalone MongoDB server keeps no history.
    if (status === 501) return;
    const { result } = await call(present, 'GET', `/${review}/history`);
    expect(result.items.slice(0, 2).map(({ changed }: { changed: string[] }) => changed.toSorted())).toEqual([
      ['cms.content.updateDate', 'rating'],
      ['cms.content.updateDate', 'headline', 'place'],
    ]);
    const { version } = before.items[0];
    const restored = await call(present, 'POST', `/${review}/restore`, { version });
    expect(restored.result).toMatchObject({ headline: 'Grand hall', rating: 4, place: { city: 'Rome' } });
    expect((await call(former, 'GET', `/${review}`)).result).toMatchObject({
      title: 'Grand hall',
      venue: { town: 'Rome' },
      critic: { _ref: critic, _type: 't.Critic' },
    });
  });

  it('accept references to the former class, and show the present one', async () => {
    const created = await call(present, 'POST', '', {
      _type: 't.Review',
      headline: 'New hall',
      reviewer: { _ref: critic, _type: 't.Critic' },
    });
    expect(created.status).toBe(200);
    expect(created.result.reviewer).toEqual({ _ref: critic, _type: 't.Reviewer' });
    const found = await find(former, {
      from: 't.Review',
      where: 'critic/title = Ada and title = "New hall"',
    });
    expect(found.result.count).toBe(1);
  });

  it('accept the former class in a webhook, and no former field; the check tells it in both directions', async () => {
    const admin = async <Result>(server: TestInstance, path: string, body?: object) => {
      const response = await fetch(`${server.url}/api/admin${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...(await historyClient(server)), 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      // The document of the admin API describes the body.
      return { status: response.status, body: (await response.json()) as Result };
    };
    const create = async (server: TestInstance, name: string, types: string[], where?: string) => {
      const definition = { name, url: 'http://127.0.0.1:9/', types, ...(where && { where }) };
      const { status, body } = await admin<{ webhook: Webhook }>(server, '/webhooks', definition);
      return { status, id: body.webhook?.id };
    };
    const byClass = await create(former, 'by class', ['t.Critic'], '_type = "t.Critic"');
    // A standalone MongoDB server keeps no change log, which webhooks need.
    if (byClass.status === 501) return;
    const byFormer = await create(former, 'by a former field', ['t.Review'], 'stars > 1 and title = "x"');
    const byPresent = await create(present, 'by a present field', ['t.Reviewer'], '_before.headline = "x"');
    const message = (path: string) => expect.stringContaining(JSON.stringify(path));
    const problems = [{ path: 'where', line: 1, column: 1, message: message('stars') }];
    const others = [{ path: 'types[0]', message: 'is neither a content type nor an interface' }];
    const stateOf = async (server: TestInstance, id: string) =>
      (await admin<Webhook>(server, `/webhooks/${id}`)).body;
    expect(await stateOf(present, byClass.id)).toMatchObject({ state: 'active' });
    expect(await stateOf(present, byFormer.id)).toMatchObject({ state: 'broken', problems });
    expect(await stateOf(present, byPresent.id)).toMatchObject({ state: 'active' });
    expect(await stateOf(former, byPresent.id)).toMatchObject({ state: 'broken', problems: others });
    const check = async (server: TestInstance, text: string) => {
      const body = { sources: [{ file: 'types.graphql', text }] };
      return (await admin<TypesReport>(server, '/types/check', body)).body.webhooks;
    };
    expect(await check(former, presentTypes)).toEqual({
      checked: 3,
      brokenBefore: 1,
      broken: [{ id: byFormer.id, webhook: 'by a former field', problems }],
    });
    expect(await check(present, formerTypes)).toEqual({
      checked: 3,
      brokenBefore: 1,
      broken: [{ id: byPresent.id, webhook: 'by a present field', problems: others }],
    });
  });

  it('report no content that does not fit its types', async () => {
    const page = await find(present, { from: 't.Review' });
    expect(page.result.items.length).toBeGreaterThan(1);
    const raw = await fetch(`${present.cmaUrl}?from=t.Review`, { headers: present.headers });
    expect(await raw.json()).not.toHaveProperty('unfit');
  });
});
