/** The audits of the package graphql-http for the specification GraphQL over HTTP. */
import { serverAudits } from 'graphql-http';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { createGraphqlContext } from './graphql-context.ts';
import { describeRequests } from './request-cases.ts';
import { describeResponses } from './response-cases.ts';

let instance: TestInstance;
let client: ClientHeaders;
const context = createGraphqlContext(() => instance);

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  client = await context.createClient();
  await context.createEndpoint({ name: 'open', writeTypes: ['*'] });
});

describe('every audit passes', () => {
  describe('on an endpoint with access for anyone', () => {
    const audits = serverAudits({ url: () => `${instance.url}/graphql/open` });
    it.each(audits)('$id $name', async ({ fn }) => {
      expect(await fn()).toMatchObject({ status: 'ok' });
    });
  });

  describe('on an endpoint that requires credentials', () => {
    const fetchFn = (url: string, { headers, ...init }: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(headers)), ...client } });
    const audits = serverAudits({ url: () => `${instance.url}/graphql/management`, fetchFn });
    it.each(audits)('$id $name', async ({ fn }) => {
      expect(await fn()).toMatchObject({ status: 'ok' });
    });
  });
});

describeRequests(context);
describeResponses(context);
