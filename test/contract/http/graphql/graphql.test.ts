/** GraphQL endpoints of a listening server: access, schema, requests, and reading and writing content. */
import { beforeAll, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { describeAccess } from './access-cases.ts';
import { gallerySdl } from './gallery.ts';
import { asGraphql, asJson, createGraphqlContext, site } from './graphql-context.ts';
import { describeLimits } from './limits-cases.ts';
import { describePaging } from './paging-cases.ts';
import { describeReading } from './reading-cases.ts';
import { describeSchema } from './schema-cases.ts';
import { describeSites } from './site-cases.ts';
import { describeWriting } from './writing-cases.ts';

describeOnEachStore('GraphQL endpoints', (locations, { isWhole }) => {
  const types = makeTypesFolder(gallerySdl);
  let location: StoreLocation;
  let instance: TestInstance;
  const context = createGraphqlContext(() => instance);

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(location, { typesDir: types });
    await context.createEndpoint({ name: 'open', writeTypes: ['*'] });
  });

  describeSites(context);
  describeReading(context);
  describePaging(context);
  describeWriting(context);
  if (isWhole) {
    describeAccess(context);
    describeSchema(context);
    describeLimits(context);
  }

  it.runIf(isWhole)(
    'COLOPHON_MAX_ANSWER_BYTES limits answers in both media types; the error lists completed mutations',
    async () => {
      const other = await startInstance(location, { typesDir: types, maxAnswerBytes: 5000 });
      const { ask } = createGraphqlContext(() => other);
      const { _id } = await context.create({
        _type: 'com.colophon.cms.db.Text',
        name: 'long',
        text: 'x'.repeat(3000),
      });
      const twice = `{ a: text(_id: "${_id}") { text } b: text(_id: "${_id}") { text } }`;
      const message = expect.stringContaining('larger than 5000 bytes');
      const extensions = { code: 'answer_too_large', maxAnswerBytes: 5000 };
      for (const accept of [asJson, asGraphql]) {
        expect(await ask('open', twice, accept)).toMatchObject({
          status: 400,
          body: { errors: [{ message, extensions }] },
        });
      }
      expect((await ask('open', `{ text(_id: "${_id}") { text } }`)).status).toBe(200);
      const writing = `mutation { first: updateText(_id: "${_id}", input: {name: "new"}) { a: text b: text } }`;
      const { status, body } = await ask('open', writing);
      expect([status, body]).toEqual([
        400,
        {
          errors: [{ message, extensions: { ...extensions, written: ['first'] } }],
          extensions: { changes: [expect.any(String)] },
        },
      ]);
      expect((await context.cma('GET', `/${_id}`)).result.name).toBe('new');
      await other.stop();
    },
  );

  it.runIf(isWhole)('COLOPHON_SITE_OWNER=required and COLOPHON_MAX_BODY_BYTES apply', async () => {
    const other = await startInstance(location, {
      typesDir: types,
      siteOwnerRequired: true,
      maxBodyBytes: 1024,
    });
    const { ask, errorsOf, dataOf } = createGraphqlContext(() => other);
    const creation = `mutation ($owner: ReferenceInput) {
      createText(input: {name: "owned", cms_site_owner: $owner}) { cms_site_owner { name } } }`;
    const refusal = { at: 'createText', code: 'invalid_body', path: 'cms.site.owner' };
    expect(await errorsOf('open', creation)).toMatchObject([refusal]);
    expect(await errorsOf('open', creation, { owner: null })).toMatchObject([refusal]);
    const { _id } = await context.create({ _type: site, name: 'Owner' });
    const created = await dataOf('open', creation, { owner: { _ref: _id } });
    expect(created).toEqual({ createText: { cms_site_owner: { name: 'Owner' } } });
    const large = await ask('open', { query: creation, variables: { large: 'x'.repeat(1024) } });
    expect([large.status, large.body.errors[0].extensions.code]).toEqual([413, 'body_too_large']);
    await other.stop();
  });
});
