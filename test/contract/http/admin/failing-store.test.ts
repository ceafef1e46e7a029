/** The responses of the admin API while the database file is broken or locked. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { createAdminContext } from './admin-caller.ts';

let location: StoreLocation;
let instance: TestInstance;
let client: ClientHeaders;
/** A second connection to the database file, as of another program. */
let other: DatabaseSync;
const { call, signIn } = createAdminContext({
  instance: () => instance,
  client: () => client,
  contract: createContractAssertions(readAdminDocument()),
});

beforeEach(async () => {
  location = sqliteLocation();
  instance = await startInstance(location);
  client = await instance.createClient({ scopes: ['admin'] });
  await instance.refresh();
  other = new DatabaseSync(join(location.config.dataDir, 'colophon.db'), { timeout: 5_000 });
});
afterEach(async () => {
  other.close();
  await instance.stop();
});

it('a broken store makes every operation answer 500 without details, also while it reads the session', async () => {
  const { headers } = await signIn();
  other.exec('DROP TABLE assets');
  const problem = {
    type: 'about:blank',
    title: 'Internal Server Error',
    status: 500,
    detail: 'The service failed; its log says why',
  };
  const paths = ['/api-clients', '/graphql-endpoints', '/rest-endpoints', '/rest-endpoints/x/versions'];
  for (const path of paths) expect((await call('GET', path)).body).toEqual(problem);
  expect((await call('POST', '/query', { body: { from: 'com.colophon.cms.db.Text' } })).body).toEqual(
    problem,
  );
  expect((await call('GET', '/session', { as: headers })).body).toEqual(problem);
});

it('a locked store makes writes answer 503 with Retry-After', async () => {
  other.exec('BEGIN IMMEDIATE');
  const writing = call('POST', '/api-clients', { body: { name: 'Locked out', scopes: ['graphql'] } });
  expect((await call('GET', '/api-clients')).status).toBe(200);
  const { status, headers, body } = await writing;
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  expect(body).toMatchObject({ title: 'Service Unavailable', detail: 'The service is busy; try again' });
  other.exec('ROLLBACK');
});

it('a locked store makes a mutation answer store_busy, and creating an asset answer 503', async () => {
  const { body: endpoints } = await call('GET', '/graphql-endpoints');
  const { id } = endpoints.items.find(({ name }: { name: string }) => name === 'management');
  other.exec('BEGIN IMMEDIATE');
  const query = 'mutation { createText(input: { name: "Locked out" }) { name } }';
  const { status, body } = await call('POST', `/graphql-endpoints/${id}/run`, { body: { query } });
  expect([status, body.data]).toEqual([200, null]);
  expect(body.errors[0]).toMatchObject({ path: ['createText'], extensions: { code: 'store_busy' } });
  const editing = { body: { _type: 'com.colophon.cms.db.Text', name: 'Locked out' } };
  expect((await call('POST', '/contents', editing)).status).toBe(503);
  other.exec('ROLLBACK');
});
