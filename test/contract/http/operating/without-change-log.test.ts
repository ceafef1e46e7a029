/**
 * Every documented 501, from an instance that gives it: its MongoDB is standalone, so that it keeps no change log, and it has no OpenID
 * Connect provider. An operation whose document promises a 501 that nothing gives fails here.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bundleDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { type OwnMongo, startOwnMongo } from '../../../support/mongo-server.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';
import { ownMongoLocation } from '../../../support/stores.ts';
import { shippedCatalog } from '../../../support/types.ts';

const documents = [
  readAdminDocument(),
  bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() }),
];

const operations = documents.flatMap((document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(Object(item))
      .filter(([, operation]) => Object(operation).responses?.['501'])
      .map(([method, operation]) => ({ document, path, method, ...toRequest(Object(operation)) })),
  ),
);

/** Takes the body from the first example of an operation, with its media type, whether it needs credentials, and whether it takes a release. */
function toRequest({
  requestBody,
  security,
  parameters = [],
}: {
  requestBody?: object;
  security?: readonly object[];
  parameters?: readonly { $ref?: string; name?: string; in?: string }[];
}) {
  const [[type, content] = []] = Object.entries(Object(requestBody).content ?? {});
  const [example] = Object.values(Object(Object(content).examples));
  const takesRelease = parameters.some(
    ({ $ref = '', name, in: place }) =>
      $ref.endsWith('/ReleaseParameter') || (name === 'release' && place === 'query'),
  );
  return { type, body: example && Object(example).value, isOpen: security?.length === 0, takesRelease };
}

/** The query of the operations that need one to be answered 501. */
const queries: Readonly<Record<string, string>> = {
  '/api/rest/cma/contents': '?from=com.colophon.cms.db.Site&release=drafts',
  '/api/rest/cma/contents/{id}': '?at=0',
  '/api/rest/cma/contents/changes': '?from=com.colophon.cms.db.Site',
};

/** What replaces members of the example where only some bodies are answered 501. */
const members: Readonly<Record<string, object>> = {
  '/api/admin/configuration/apply': {
    webhooks: [{ name: 'Search', url: 'https://example.com/hook', types: ['*'] }],
  },
};

describe.skipIf(mongodbUrl() === '' || process.env.COLOPHON_TEST_MONGODB_URL)(
  'on a store without a change log, and without a provider of users',
  () => {
    let mongo: OwnMongo;
    let instance: TestInstance;
    let client: ClientHeaders;
    let id: string;
    let endpoint: string;

    beforeAll(async () => {
      const server = await startOwnMongo({ isStandalone: true });
      if (!server) throw new Error('There was a server for other tests');
      mongo = server;
      instance = await startInstance(ownMongoLocation(mongo));
      client = await instance.createClient({
        scopes: ['admin', 'cma:read', 'cma:write', 'cma:draft', 'history'],
      });
      // The examples are of this type.
      const text = { _type: 'com.colophon.cms.db.Site', name: 'Here' };
      id = (await instance.services.content.create(text, {})).asset._id;
      endpoint = (await instance.services.graphqlEndpoints.list())[0]?.id ?? '';
      await instance.refresh();
    });

    it.each(operations)('$method $path is answered 501', async ({ document, method, path, ...sent }) => {
      const { type, body, isOpen, takesRelease } = sent;
      const filled = path
        .replace('{id}', path.includes('/graphql-endpoints/') ? endpoint : id)
        .replace(/\{\w+\}/g, '1');
      const release = takesRelease ? '?release=drafts' : '';
      const query = method === 'get' ? (queries[path] ?? release) : release;
      const response = await fetch(instance.url + filled + query, {
        method: method.toUpperCase(),
        headers: {
          // Writes need the log only for their run.
          ...(!isOpen && { ...client, ...(!query.includes('release') && { 'X-Run': 'a' }) }),
          ...(body && { 'Content-Type': String(type) }),
        },
        ...(body && { body: JSON.stringify({ ...body, ...members[path] }) }),
      });
      const answer = Object(await response.json());
      expect([response.status, answer.code ?? answer.error?.code], JSON.stringify(answer)).toEqual([
        501,
        'not_supported',
      ]);
      createContractAssertions(document).assertDocumented(method, filled, {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: answer,
      });
    });
  },
);
