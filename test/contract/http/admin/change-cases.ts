/** Cases of the audit: what its entries say, its filters, pages and CSV, and that it shows no secret. */
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { hashSecret } from '../../../../src/access/clients/secret.ts';
import { author, text } from '../cma/cma-content.ts';
import { type AdminContext, anonymous, noId, type SenderHeaders } from './admin-caller.ts';
import { createRestMaker } from './rest-endpoint.ts';

interface Entry {
  readonly id: string;
  readonly seq: number;
  readonly action: string;
  readonly description: string;
  readonly asset: string;
  readonly by: { readonly kind: string; readonly id?: string; readonly name?: string };
  readonly [member: string]: unknown;
}

/** Runs the cases. */
export function describeChanges(context: AdminContext): void {
  const { call, createAsset, instance, newName, signIn } = context;
  const rest = createRestMaker(context);

  /** Declares a test for stores with a change log. */
  const itWithLog = (name: string, run: () => Promise<void>) =>
    it(name, async ({ skip }: TestContext) => {
      const statuses = [];
      for (const path of ['/changes', '/changes.csv']) {
        statuses.push((await call('GET', `${path}?asset=${noId}`)).status);
      }
      if (statuses.includes(501)) skip('this store keeps no change log');
      expect(statuses).toEqual([200, 200]);
      await run();
    });

  /** Creates another administrator, so that a test finds its own changes by their sender. */
  async function newSender(): Promise<{ id: string; name: string; headers: SenderHeaders }> {
    const name = newName();
    const headers = await instance().createClient({ name, scopes: ['admin'] });
    await instance().refresh();
    return { id: headers['X-Client-Id'], name, headers };
  }

  /** Waits until all changes so far are listed: a store may number its entries a moment after the writes. */
  async function untilListed(): Promise<void> {
    const marker = await createAsset({ _type: text, name: 'Marker' });
    await vi.waitFor(async () => {
      expect((await call('GET', `/changes?asset=${marker}`)).body.items).toHaveLength(1);
    }, 60_000);
  }

  async function changesOf(query: string): Promise<readonly Entry[]> {
    await untilListed();
    const { status, body } = await call('GET', `/changes?${query}`);
    expect([status, body.detail]).toEqual([200, undefined]);
    return body.items;
  }

  const describeAll = (entries: readonly Entry[]) =>
    entries.map(({ description }) => description).toReversed();

  async function post(path: string, { as, body }: { as: SenderHeaders; body?: object }) {
    const response = await call('POST', path, { as, ...(body && { body }) });
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
    return response;
  }

  describe('the audit', () => {
    itWithLog('says what was done to an API client, and by whom', async () => {
      const sender = await newSender();
      const as = sender.headers;
      const [name, clientId] = [newName(), newName().replaceAll(' ', '-')];
      const path = `/api-clients/${clientId}`;
      await post('/api-clients', { as, body: { name, clientId, scopes: ['cma:read'] } });
      await call('PATCH', path, { as, body: { scopes: ['graphql'] } });
      const { body: added } = await post(`${path}/keys`, { as, body: { name: 'Front end' } });
      await call('DELETE', `${path}/keys/${added.key.id}`, { as });
      await post(`${path}/secret`, { as });
      await call('DELETE', path, { as, headers: { 'X-Request-Id': 'revoking' } });

      const entries = await changesOf(`byKind=client&by=${sender.id}`);
      const client = `API client "${name}"`;
      expect(describeAll(entries)).toEqual([
        `Created ${client}`,
        `Changed scopes of ${client}`,
        `Changed the keys of ${client}`,
        `Changed the keys of ${client}`,
        `Replaced the secret of ${client}`,
        `Revoked ${client}`,
      ]);
      expect(entries[0]).toMatchObject({
        action: 'update',
        name,
        type: 'com.colophon.system.ApiClient',
        changed: expect.arrayContaining(['revokedAt']),
        number: 6,
        by: { kind: 'client', id: sender.id, name: sender.name },
        requestId: 'revoking',
      });
      expect(entries.some((entry) => 'before' in entry)).toBe(false);
    });

    itWithLog('says what was done to endpoints, also after they are deleted', async () => {
      const sender = await newSender();
      const as = sender.headers;
      const { body } = await post('/rest-endpoints', { as, body: rest.definition() });
      const [path, name] = [`/rest-endpoints/${body.id}`, body.draft.name];
      await post(`${path}/publish`, { as });
      await call('PUT', path, { as, body: rest.definition({ name: `${name} 2` }) });
      await post(`${path}/versions/1/restore`, { as });
      await post(`${path}/unpublish`, { as });
      expect((await call('DELETE', path, { as })).status).toBe(204);
      expect(describeAll(await changesOf(`by=${sender.id}`))).toEqual([
        `Created REST endpoint "${name}"`,
        `Published REST endpoint "${name}"`,
        `Saved the draft of REST endpoint "${name} 2"`,
        `Restored an earlier draft of REST endpoint "${name}"`,
        `Unpublished REST endpoint "${name}"`,
        `Deleted REST endpoint "${name}"`,
      ]);
    });

    itWithLog('names an asset that was deleted, and one that is a draft', async () => {
      const name = newName();
      const [live, draft] = [
        await createAsset({ _type: text, name }),
        (await call('POST', '/contents?release=drafts', { body: { _type: text, name } })).body._id,
      ];
      await call('DELETE', `/contents/${live}`);
      const drafted = (await changesOf('type=com.colophon.system.Draft')).filter(
        (entry) => entry.name === name,
      );
      await call('DELETE', `/contents/${draft}?release=drafts`);
      expect(describeAll(drafted)).toEqual([`Created draft of the asset "${name}"`]);
      expect(describeAll(await changesOf(`asset=${live}`))).toEqual([
        'Created Text',
        `Deleted Text "${name}"`,
      ]);
    });

    itWithLog('has the sign-ins of users, and not their failed attempts', async () => {
      const { email, password, id } = await instance().services.users.create({
        email: `${newName().replaceAll(' ', '')}@example.com`,
      });
      const attempt = { as: anonymous, headers: { 'X-Request-Id': 'signing-in' } };
      await call('POST', '/session', { ...attempt, body: { email, password: 'wrong password' } });
      expect((await call('POST', '/session', { ...attempt, body: { email, password } })).status).toBe(200);
      const entries = await changesOf(`asset=${id}`);
      expect(describeAll(entries)).toEqual([`Created user "${email}"`, 'Signed in']);
      expect(entries[0]).toMatchObject({
        action: 'signIn',
        name: email,
        changed: [],
        by: { kind: 'user', id, name: email },
        requestId: 'signing-in',
      });
      expect(entries[1]).toMatchObject({ by: { kind: 'system' } });
    });

    itWithLog('is filtered by sender, asset, type, action, run and time', async () => {
      const user = await signIn();
      const { body } = await call('POST', '/contents', {
        as: user.headers,
        body: { _type: text, name: 'One' },
      });
      const id = body._id;
      await call('PUT', `/contents/${id}`, { as: user.headers, body: { name: 'Two' } });
      await createAsset({ _type: author, slug: newName().toLowerCase().replace(' ', '-'), name: 'Other' });
      const [updated, created] = await changesOf(`asset=${id}`);
      expect(describeAll(await changesOf(`asset=${id.toUpperCase()}`))).toEqual([
        'Created Text',
        'Changed name of Text',
      ]);
      expect(updated).toMatchObject({ by: { kind: 'user', name: user.email }, previousVersion: created?.id });
      expect(await changesOf(`asset=${id}&action=create`)).toEqual([created]);
      expect(await changesOf(`asset=${id}&action=create&action=update`)).toEqual([updated, created]);
      const { body: type } = await call('GET', `/types/${text}`);
      for (const one of [text, type.id]) {
        expect(await changesOf(`asset=${id}&type=${author}&type=${one}`)).toEqual([updated, created]);
      }
      expect(await changesOf(`asset=${id}&type=${author}`)).toEqual([]);
      expect(await changesOf(`type=com.example.vanished.Type`)).toEqual([]);
      expect(await changesOf(`asset=${id}&byKind=client`)).toEqual([]);
      expect(await changesOf(`asset=${id}&by=${user.email}`)).toEqual([]);
      expect(await changesOf(`asset=${id}&run=none`)).toEqual([]);
      const at = Number(created?.at);
      expect((await changesOf(`asset=${id}&from=${at}&to=${at + 1}`)).at(-1)).toEqual(created);
      expect(await changesOf(`asset=${id}&to=${at}`)).toEqual([]);
      expect(await changesOf(`asset=${id}&from=${Number(updated?.at) + 1}`)).toEqual([]);
      expect(await changesOf(`asset=${noId}`)).toEqual([]);
    });

    itWithLog('is read in pages by a cursor, which belongs to its filters', async () => {
      const { headers: as, id } = await newSender();
      for (const name of ['1', '2', '3', '4', '5'])
        await post('/contents', { as, body: { _type: text, name } });
      const all = await changesOf(`by=${id}`);
      const paged: Entry[] = [];
      let cursor = '';
      do {
        const { body } = await call('GET', `/changes?by=${id}&limit=2${cursor && `&cursor=${cursor}`}`);
        expect(body.items.length).toBeLessThanOrEqual(2);
        paged.push(...body.items);
        cursor = body.next ?? '';
        // A later change is not part of the pages that follow.
        await post('/contents', { as, body: { _type: text, name: 'Later' } });
        if (cursor === '') break;
        const { status, body: refusal } = await call('GET', `/changes?limit=2&cursor=${cursor}`);
        expect([status, refusal.problems[0].path]).toEqual([400, 'cursor']);
      } while (cursor !== '');
      expect(all).toHaveLength(5);
      expect(paged).toEqual(all);
    });

    itWithLog('is downloaded as CSV, without formulas', async () => {
      const { headers: as, id } = await newSender();
      const clientId = newName().replaceAll(' ', '-');
      const name = '=HYPERLINK("https://example.com","x")';
      await post('/api-clients', { as, body: { name, clientId, scopes: ['admin'] } });
      for (let n = 0; n < 3; n++) await post('/contents', { as, body: { _type: text, name: `T${n}` } });
      const { status, headers, text: csv } = await download(`by=${id}`);
      expect([status, headers.get('content-disposition')]).toEqual([
        200,
        'attachment; filename="changes.csv"',
      ]);
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      const lines = csv.trimEnd().split('\r\n');
      expect(lines[0]).toMatch(/^seq,at,action,description,/);
      const listed = await changesOf(`by=${id}`);
      expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(listed.map(({ seq }) => seq));
      expect(lines.at(-1)).toContain(`,"'=HYPERLINK(""https://example.com"",""x"")",`);
    });

    itWithLog('never shows a secret, a key, a password or a hash of one', async () => {
      const { headers: as, id } = await newSender();
      const { body: issued } = await post('/api-clients', {
        as,
        body: { name: newName(), scopes: ['admin'] },
      });
      const path = `/api-clients/${issued.client.clientId}`;
      const { body: key } = await post(`${path}/keys`, { as, body: { name: 'A key' } });
      const { body: rotated } = await post(`${path}/secret`, { as });
      const user = await instance().services.users.create({
        email: `${newName().replaceAll(' ', '')}@example.com`,
      });
      await instance().services.users.changePassword({ id: user.id, password: 'another password' });
      const shown = JSON.stringify([await changesOf('limit=500'), (await download('')).text]);
      expect(shown).toContain(id);
      expect(shown).toContain('Changed the password of user');
      const secrets = [as['X-Client-Secret'] ?? '', issued.secret, key.secret, rotated.secret];
      for (const secret of secrets) {
        expect(shown).not.toContain(secret);
        expect(shown).not.toContain(hashSecret(secret));
      }
      for (const word of [user.password, 'another password', 'scrypt']) expect(shown).not.toContain(word);
    });

    it.each([
      ['asset', 'x'],
      ['action', 'publish'],
      ['byKind', 'nobody'],
      ['from', '-1'],
      ['to', 'now'],
      ['limit', '501'],
      ['run', ''],
    ])('refuses the filter %s=%j', async (name, value) => {
      for (const path of name === 'limit' ? ['/changes'] : ['/changes', '/changes.csv']) {
        const { status, body } = await call('GET', `${path}?${name}=${value}`);
        expect([status, body.problems[0].path.replace('[0]', '')]).toEqual([400, name]);
      }
    });

    it('is for administrators only', async () => {
      const as = await instance().createClient({ scopes: ['cma:read', 'cma:write', 'graphql'] });
      await instance().refresh();
      for (const path of ['/changes', '/changes.csv']) {
        expect((await call('GET', path, { as })).status).toBe(403);
        expect((await call('GET', path, { as: anonymous })).status).toBe(401);
      }
    });
  });

  async function download(query: string) {
    await untilListed();
    const response = await fetch(`${instance().url}/api/admin/changes.csv?${query}`, {
      headers: context.client(),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}
