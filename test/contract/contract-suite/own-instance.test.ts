/** Contract runs against instances of this project, with the shipped and with other content types: all cases must pass. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ClientHeaders, startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { isLong } from '../../support/rounds.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { makeOwnTypesFolder } from '../../support/types-folder.ts';
import { article, text } from '../http/cma/cma-content.ts';
import { hostileSamples, hostileTypes, recipeTypes } from './hostile-types.ts';
import { documentFor, environmentFor, readAssets, runContractCommand, runSuite } from './run.ts';

const folder = temporaryFolder();

/** Documented responses that no request can provoke; a run with admin credentials skips them. */
const unprovoked =
  / (408|410|429|500|501|503|507) is documented$|^(queryAssets|postAssetQuery|createAsset|listChanges) 404 |^delete(Asset|Content|File) 409 |^upload(Content)?File 413 |^(update|replace|delete)User 409 is documented|^rebaseDraft 409 is documented|^(beginOpenidSignIn|finishOpenidSignIn|changeOwnPassword) (200|401|403|409|502) is documented/;

const isMongo = ({ config }: StoreLocation) => config.mongodbUrl !== undefined;

/** Assets that are not the suite's: of the shipped types, and of recipes. */
const contentOfOthers = [
  { _type: text, name: 'Of somebody else' },
  { _type: article, slug: 'theirs', headline: 'Theirs', status: 'DRAFT' },
];
const recipesOfOthers = [
  { _type: 'org.example.Cook', name: 'Somebody else' },
  { _type: 'org.example.Recipe', slug: 'theirs', title: 'Theirs' },
];

describeOnEachStore('the contract suite on an instance', (locations, { isWhole }) => {
  let location: StoreLocation;
  let types: string | undefined;
  let instance: TestInstance;
  let admin: ClientHeaders;
  let client: ClientHeaders;
  let before: unknown;
  let run: Awaited<ReturnType<typeof runContractCommand>>;

  beforeAll(async () => {
    if (!isWhole) return;
    location = locations();
    // On MongoDB with fewer types: the suites of the store and of the CMA cover every kind of field on both stores.
    types = isMongo(location) ? makeOwnTypesFolder(recipeTypes) : undefined;
    // On MongoDB webhooks need a key.
    const settings = types ? { typesDir: types, secretKey: 'a-key-that-only-these-tests-have' } : {};
    instance = await startInstance(location, settings);
    admin = await instance.createClient({ scopes: ['admin'] });
    client = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'cma:draft', 'history'] });
    await instance.refresh();
    for (const body of types ? recipesOfOthers : contentOfOthers) {
      const headers = { ...instance.headers, 'Content-Type': 'application/json' };
      const { status } = await fetch(instance.cmaUrl, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(status).toBe(200);
    }
    before = await readAssets(instance);
    const { email, password } = await instance.createUser();
    const user = { COLOPHON_ADMIN_EMAIL: email, COLOPHON_ADMIN_PASSWORD: password };
    const environment = {
      ...environmentFor(client, admin),
      ...user,
      ...(types && { COLOPHON_TYPES: types }),
    };
    run = await runContractCommand([instance.url, '--coverage'], environment);
  }, 600_000);

  it.runIf(isWhole)('passes', () => {
    const failed = run.tap().points.filter(({ ok }) => !ok);
    expect(failed.map(({ description, diagnostics }) => [description, diagnostics.message])).toEqual([]);
    expect(run.tap().bailOut).toBeUndefined();
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    expect(run.tap().points.length).toBeGreaterThan(types ? 1_500 : 3_000);
  });

  it.runIf(isWhole)('skips only answers that no request can provoke', () => {
    const skipped = run.tap().points.filter((point) => point.skipped !== undefined);
    const missed = skipped
      .filter(({ description }) => !unprovoked.test(description))
      .filter((point) => !(isMongo(location) && point.skipped === 'the store has no transactions'));
    expect(missed.map(({ description, skipped: reason }) => [description, reason])).toEqual([]);
  });

  it.runIf(isWhole)('keeps secrets out of its report', () => {
    for (const secret of [client['X-Client-Secret'], admin['X-Client-Secret']]) {
      expect(run.stdout).not.toContain(secret);
    }
  });

  it.runIf(isWhole)('lists what it did not test, and nothing that it did', () => {
    const { comments } = run.tap();
    const untested = comments.filter((line) => line.startsWith('not tested: '));
    expect(untested).toEqual(
      expect.arrayContaining(['not tested: getAsset 500', 'not tested: finishOpenidSignIn 200']),
    );
    expect(comments).toContain(`${untested.length} parts of the documents are not tested`);
    const tested = [
      'createAsset 200',
      'queryAssets query fields',
      'patchAsset body application/json-patch+json',
      'patchAsset header If-Match',
      'queryAssets 200 application/json',
    ];
    expect(untested.filter((line) => tested.some((part) => line.endsWith(` ${part}`)))).toEqual([]);
  });

  it.runIf(isWhole)('announces first what it will do', () => {
    expect(run.tap().comments.join('\n')).toMatch(
      /Creates, changes and deletes its own assets.*changes no others/,
    );
  });

  it.runIf(isWhole)('leaves the content unchanged and no endpoint behind', async () => {
    expect(await readAssets(instance)).toEqual(before);
    for (const kind of ['graphql-endpoints', 'rest-endpoints', 'api-clients', 'webhooks']) {
      const response = await fetch(`${instance.url}/api/admin/${kind}`, { headers: admin });
      const items: object[] = Object(await response.json()).items;
      const inForce = items.filter((item) => !('revokedAt' in item));
      expect(JSON.stringify(inForce)).not.toMatch(/contract/i);
    }
  });
});

type OtherTypes = [name: string, sdl: string, samples: string | undefined];
const hostile: OtherTypes = ['types that are hard to generate assets for', hostileTypes, hostileSamples];
/** The whole suite runs with these on MongoDB above, and with other rules below. */
const recipes: OtherTypes = ["the guide's recipes", recipeTypes, undefined];

describe('the contract suite on other content types', () => {
  it.each(isLong ? [recipes, hostile] : [hostile])('passes with %s', async (_name, sdl, samples) => {
    const types = makeOwnTypesFolder(sdl);
    const location = sqliteLocation();
    const instance = await startInstance(location, { typesDir: types });
    const file = join(folder, 'samples.ndjson');
    if (samples) writeFileSync(file, samples);
    // The generation of assets is what these types make hard; the other operations run with them in `npm run test:long`.
    const words = [
      instance.url,
      ...(samples ? ['--samples', file] : []),
      ...(isLong ? [] : ['--only', 'createAsset']),
    ];
    const environment = { ...environmentFor(instance.headers), COLOPHON_TYPES: types };
    const run = await runContractCommand(words, environment);
    const failed = run.tap().points.filter(({ ok }) => !ok);
    expect(failed.map(({ description, diagnostics }) => [description, diagnostics.message])).toEqual([]);
    expect(run.exitCode).toBe(0);
    await instance.stop();
    await location.remove();
  });

  it('passes on an instance with a required site owner and unchecked references, twice with one seed', async () => {
    const types = makeOwnTypesFolder(recipeTypes);
    const location = sqliteLocation();
    const rules = { siteOwnerRequired: true, referencesChecked: false };
    const instance = await startInstance(location, { typesDir: types, ...rules });
    const document = documentFor(types);
    const run = { instance, document, rules, seed: 'the same' };
    // How references and site owners are checked is for creates to show; the other operations run in `npm run test:long`.
    const creates = { ...run, only: { operation: 'createAsset' } };
    const first = await runSuite(isLong ? run : creates);
    expect([first.failed, first.reason]).toEqual([[], undefined]);
    const titles = first.results.map(({ title }) => title);
    expect(titles).toContain('400 a org.example.Recipe whose cms.site.owner is missing');
    expect(titles).toContain(
      '200 a org.example.Recipe whose cook refers to a missing asset, since references are unchecked',
    );
    const second = await runSuite(creates);
    expect([second.failed, second.reason]).toEqual([[], undefined]);
    await instance.stop();
    await location.remove();
  });

  it('names the field it cannot generate a value for, and suggests --samples', async () => {
    const types = makeOwnTypesFolder(hostileTypes);
    const location = sqliteLocation();
    const instance = await startInstance(location, { typesDir: types });
    const environment = { ...environmentFor(instance.headers), COLOPHON_TYPES: types };
    const run = await runContractCommand([instance.url, '--only', 'createAsset'], environment);
    expect(run.exitCode).toBe(1);
    const [first] = run.tap().points.filter(({ ok }) => !ok);
    expect(first?.diagnostics.message).toMatch(
      /token: a text that matches .* cannot be generated.*--samples/,
    );
    await instance.stop();
    await location.remove();
  });
});

it('accepts generated/openapi/cma.json and a base path in the address', async () => {
  const location = sqliteLocation();
  const instance = await startInstance(location, { cmaPath: '/contents' });
  const junit = join(folder, 'moved.xml');
  const document = join(import.meta.dirname, '../../../generated/openapi/cma.json');
  const words = [`${instance.url}/contents`, '--document', document, '--only', 'getAsset', '--junit', junit];
  const run = await runContractCommand(words, environmentFor(instance.headers));
  expect(run.tap().points.filter(({ ok }) => !ok)).toEqual([]);
  expect(readFileSync(junit, 'utf8')).toContain(`tests="${run.tap().plan}" failures="0"`);
  await instance.stop();
  await location.remove();
});

it('passes where deletions erase, and says what it cannot test there', async () => {
  const types = makeOwnTypesFolder(recipeTypes);
  const location = sqliteLocation();
  const instance = await startInstance(location, { typesDir: types, erasesDeletions: true });
  const admin = await instance.createClient({ scopes: ['admin'] });
  const client = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'cma:draft', 'history'] });
  await instance.refresh();
  const environment = { ...environmentFor(client, admin), COLOPHON_TYPES: types };
  const points = (await runContractCommand([instance.url], environment)).tap().points;
  expect(points.filter(({ ok }) => !ok)).toEqual([]);
  const ofErasures = points.filter(({ skipped }) => skipped === 'the instance erases what it deletes');
  expect(ofErasures.map(({ description }) => description)).toEqual(
    expect.arrayContaining([
      'listAssetHistory 200 each change once, newest first, also after deletion',
      'restoreAsset 200 a deleted asset, with its _id',
      'restoreContent 409 is documented',
    ]),
  );
  await instance.stop();
  await location.remove();
});
