/** Contract runs against proxies that each break one promise of the admin API: the named cases of the suite must fail. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContractRun } from '../../../src/contract/run-contract.ts';
import { readAdminDocument } from '../../../src/documents/openapi-document.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { makeOwnTypesFolder } from '../../support/types-folder.ts';
import { type Fault, startFaultyProxy } from './faulty-proxy.ts';
import { recipeTypes } from './hostile-types.ts';
import { documentFor, runSuite } from './run.ts';

const types = makeOwnTypesFolder(recipeTypes);
let instance: TestInstance;
let document: JsonObject;
let admin: Required<NonNullable<ContractRun['admin']>>;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), { typesDir: types });
  document = documentFor(types);
  const headers = await instance.createClient({ scopes: ['admin'] });
  await instance.refresh();
  admin = {
    // The document is JSON, although its OpenAPI type does not say so.
    document: readAdminDocument() as unknown as JsonObject,
    credentials: { clientId: headers['X-Client-Id'], clientSecret: headers['X-Client-Secret'] },
    user: await instance.createUser(),
  };
});

describe('an instance that breaks the contract of the admin API', () => {
  it.each<[fault: string, only: string, failing: RegExp, fault: Fault]>([
    [
      'lists no runs',
      'listRuns',
      /^listRuns 200 lists the runs/,
      { answer: ({ body }) => body?.items?.splice(0) },
    ],
    [
      'leaves writes out of the plan of a revert',
      'revertRun',
      /^revertRun 200 a dry run lists the asset/,
      { answer: ({ url, body }) => url.pathname.endsWith('/revert') && body?.items?.splice(0) },
    ],
    [
      'says of a run that it is closed instead of active',
      'revertRun',
      /^revertRun 409 the run has just written/,
      {
        answer: ({ body }) => {
          if (body?.code === 'run_active') body.code = 'run_closed';
        },
      },
    ],
    [
      'never finishes a revert',
      'revertRun',
      /^revertRun 202 reverts a run/,
      {
        answer: ({ body }) => {
          if (body?.revert) body.revert.state = 'interrupted';
        },
      },
    ],
    [
      'sends a session cookie that scripts can read',
      'signIn',
      /opens a session, with an HttpOnly and SameSite cookie/,
      {
        answer: ({ headers }) => {
          const cookie = headers.get('set-cookie');
          if (cookie) headers.set('set-cookie', cookie.replaceAll(' HttpOnly;', ''));
        },
      },
    ],
    [
      'does not end the session',
      'signOut',
      /204 ends the session/,
      {
        request: (passing) => {
          const { method, requestHeaders } = passing;
          if (method === 'DELETE' && requestHeaders.has('cookie')) requestHeaders.set('cookie', 'none=1');
        },
        answer: (passing) => {
          if (passing.method !== 'DELETE' || passing.status !== 401) return;
          passing.status = 204;
          passing.headers.delete('content-type');
          passing.headers.set('set-cookie', 'colophon_session=');
          passing.body = undefined;
        },
      },
    ],
    [
      'lets every role call every operation',
      'listApiClients',
      /403 for the role editor/,
      {
        answer: (passing) => {
          if (String(passing.body?.detail).startsWith('This needs the role')) passing.status = 400;
        },
      },
    ],
    [
      'refuses an operation to the role that it names',
      'listApiClients',
      /is allowed to the role developer/,
      {
        answer: (passing) => {
          const { url, status, requestHeaders } = passing;
          const isList = url.pathname.endsWith('/api-clients') && status === 400;
          if (isList && requestHeaders.has('cookie')) passing.status = 403;
        },
      },
    ],
    [
      'does not require the CSRF token',
      'createApiClient',
      /403 without the CSRF token/,
      {
        answer: (passing) => {
          if (passing.method === 'POST' && passing.status === 403) passing.status = 400;
        },
      },
    ],
  ])('%s, which is detected', async (_name, operation, failing, fault) => {
    const proxy = await startFaultyProxy(instance.url, fault);
    const only = { operation, name: failing };
    const { failed } = await runSuite({ instance, origin: proxy.url, document, admin, only });
    expect(failed.filter((name) => failing.test(name))).not.toEqual([]);
    expect(failed.every((name) => failing.test(name))).toBe(true);
    await proxy.stop();
  });

  it('cannot put a secret into a report', async () => {
    const secrets = [
      instance.headers['X-Client-Secret'],
      admin.credentials.clientSecret,
      admin.user.password,
    ];
    const proxy = await startFaultyProxy(instance.url, {
      answer: (passing) => {
        passing.body = { ...passing.body, echo: [...passing.requestHeaders, passing.requestBody] };
      },
    });
    for (const operation of ['getAsset', 'signIn', 'getSession', 'createApiClient', 'addKey']) {
      const only = { operation };
      const { results } = await runSuite({ instance, origin: proxy.url, document, admin, only });
      const report = JSON.stringify(results);
      expect(report).toContain('"echo"');
      for (const secret of secrets) expect(report).not.toContain(secret);
      expect(report).not.toMatch(/"secret\\*":\s*\\*"[^*]/);
      expect(report).not.toMatch(/colophon_session=[\w-]/);
    }
    await proxy.stop();
  });
});
