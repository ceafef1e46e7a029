/** The generated client of the admin API against a listening server, as an API client and as a user in a browser. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createAdminClient } from '../../../../generated/client/lib/admin.js';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { cookieOf } from './admin-caller.ts';

let instance: TestInstance;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
});

const query = 'query CountAuthors { authorList { count } }';

/** A `fetch` that keeps cookies as a browser does. */
function createBrowserFetch(): typeof fetch {
  let cookie = '';
  return async (input, init) => {
    const request = new Request(input, init);
    if (cookie !== '') request.headers.set('Cookie', cookie);
    const response = await fetch(request);
    const given = response.headers.get('Set-Cookie');
    if (given !== null) cookie = cookieOf({ 'set-cookie': given });
    return response;
  };
}

describe('the client of the admin API', () => {
  it('calls operations as an API client, with typed answers and errors', async () => {
    const headers = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
    const [clientId, clientSecret] = [headers['X-Client-Id'], headers['X-Client-Secret']];
    const admin = createAdminClient({ baseUrl: instance.url, credentials: { clientId, clientSecret } });
    const body = { name: 'Authors', source: 'delivery', mappings: [{ name: 'Count', query }] };
    const { data: saved, response } = await admin.createRestEndpoint({ body, throwOnError: true });
    expect([response.status, saved.state, saved.draft.pathPrefix]).toEqual([201, 'draft', '/authors']);
    const ifMatch = { 'If-Match': response.headers.get('ETag') ?? '' };
    const path = { id: saved.id };
    const { data: published } = await admin.publishRestEndpoint({
      path,
      headers: ifMatch,
      throwOnError: true,
    });
    expect(published.published?.number).toBe(2);
    const { error } = await admin.deleteRestEndpoint({ path, headers: ifMatch });
    expect(error).toMatchObject({ status: 412, code: 'precondition_failed' });
    const deletion = await admin.deleteRestEndpoint({ path });
    expect([deletion.response?.status, deletion.error]).toEqual([204, undefined]);
    const { data } = await admin.runQuery({ body: { from: 'com.example.news.Author' }, throwOnError: true });
    expect(data).toMatchObject({ count: 0, items: [] });
  });

  it('sends the CSRF token of the session automatically, from sign-in to sign-out', async () => {
    const { email, password } = await instance.createUser();
    const browserFetch = createBrowserFetch();
    const page = () => createAdminClient({ baseUrl: instance.url, fetch: browserFetch });
    const body = { name: 'Made by a user', scopes: ['graphql' as const] };

    const first = page();
    expect((await first.createApiClient({ body })).error).toMatchObject({ status: 401 });
    expect((await first.signIn({ body: { email, password: 'wrong' } })).error).toMatchObject({ status: 401 });
    await first.signIn({ body: { email, password }, throwOnError: true });
    const { data: issued } = await first.createApiClient({ body, throwOnError: true });
    expect(issued.client.name).toBe('Made by a user');

    // The same browser after a reload: the page reads its session from the server.
    const second = page();
    expect((await second.createApiClient({ body })).error).toMatchObject({ status: 403 });
    const { data: session } = await second.getSession({ throwOnError: true });
    expect(session.user.email).toBe(email);
    const path = { id: issued.client.clientId };
    expect((await second.revokeApiClient({ path })).response?.status).toBe(204);
    expect((await second.signOut()).response?.status).toBe(204);
    expect((await second.getSession()).error).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});
