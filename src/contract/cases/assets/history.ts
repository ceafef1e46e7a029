/**
 * The history of an asset: its changes, its past states, and restoring them.
 */
import type { Asset, Json, JsonObject } from '../../../model/content-type.ts';
import { firstOf, memberOf } from '../../apis/api-under-test.ts';
import { type CmaUnderTest, uniqueFieldOf } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type Case, type CaseGroup, type SkipReason, toCase } from '../../case.ts';
import { createAnother } from './asset-lifecycle.ts';

const publishDate = 'cms.content.publishDate';
const updateDate = 'cms.content.updateDate';

/** Yields the cases, on assets of the first type. */
export function* historyCases(cma: CmaUnderTest): CaseGroup {
  const [type] = cma.types.types;
  if (!type || cma.samples.kept(type.class).length === 0) return;
  yield* changeCases(cma, type);
  yield* stateCases(cma, type);
  yield* restoreCases(cma, type);
  yield* conflictCases(cma, type);
}

/** Why cases about deleted assets are skipped. */
export const erases = { skipped: 'the instance erases what it deletes' };

/** Creates a case that is skipped where the run has no access to a history. */
export function past(
  cma: CmaUnderTest,
  [operation, title]: [string, string],
  run: () => Promise<SkipReason | undefined> | Promise<void>,
): Case {
  return toCase(operation, title, async () => {
    const skipped = await cma.unavailable('listAssetHistory');
    return skipped === undefined ? ((await run()) ?? undefined) : { skipped };
  });
}

/** Deletes an asset; returns whether its history went with it. */
export async function deleteAsset(cma: CmaUnderTest, path: string): Promise<boolean> {
  await cma.call({ method: 'DELETE', path }, 200);
  const { body } = await cma.call({ method: 'GET', path: `${path}/history`, query: [['limit', '1']] }, 200);
  return memberOf(firstOf(memberOf(body, 'result', 'items')), 'action') === 'erase';
}

/** Creates an asset and changes it twice; returns each state as it was read, with its ETag, the oldest first. */
export async function createStates(cma: CmaUnderTest, type: DocumentedType) {
  const { _id: id } = await createAnother(cma, type);
  const read = async () => {
    const { headers, body } = await cma.get(id);
    // The response was validated, so the result is an asset.
    return { etag: headers.etag ?? '', asset: memberOf(body, 'result') as Asset };
  };
  const states = [await read()];
  for (const date of [1, 2]) {
    await cma.call({ method: 'PUT', path: cma.pathOf(id), body: { [publishDate]: date } }, 200);
    states.push(await read());
  }
  return { id, path: cma.pathOf(id), states, first: states[0] ?? (await read()) };
}

const versionOf = (etag: string) => /^(?:W\/)?"([^".]*)/.exec(etag)?.[1] ?? '';

function* changeCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const list = (path: string, query: [string, string][] = []) =>
    cma.call({ method: 'GET', path: `${path}/history`, query }, 200);
  const itemsOf = (body: unknown) => {
    const items = memberOf(body, 'result', 'items');
    return Array.isArray(items) ? items : [];
  };
  yield past(
    cma,
    ['listAssetHistory', '200 each change once, newest first, also after deletion'],
    async () => {
      const { path, states } = await createStates(cma, type);
      const isErased = await deleteAsset(cma, path);
      const items = itemsOf((await list(path)).body);
      const received = items.map((item) => memberOf(item, 'action'));
      const expectedActions = isErased ? ['erase'] : ['delete', 'update', 'update', 'create'];
      assertSame({ what: 'the actions', received, expected: expectedActions });
      if (isErased) return erases;
      const versions = items.slice(1).map((item) => memberOf(item, 'version') ?? null);
      const expected = states.map(({ etag }) => versionOf(etag)).toReversed();
      assertSame({ what: 'the versions', received: versions, expected });
      return undefined;
    },
  );
  yield past(cma, ['listAssetHistory', '200 pages that follow each other'], async () => {
    const { path } = await createStates(cma, type);
    const whole = itemsOf((await list(path)).body);
    const found = [];
    let cursor: string | undefined;
    for (let pages = 0; pages <= whole.length; pages++) {
      const next: [string, string][] = cursor === undefined ? [] : [['cursor', cursor]];
      const { body } = await list(path, [['limit', '2'], ...next]);
      found.push(...itemsOf(body));
      const following = memberOf(body, 'result', 'next');
      if (typeof following !== 'string') break;
      cursor = following;
    }
    // A change may get its `seq` between two requests.
    const idsOf = (items: readonly Json[]) => items.map((item) => memberOf(item, 'id') ?? null);
    assertSame({ what: 'the changes of all pages', received: idsOf(found), expected: idsOf(whole) });
  });
  yield past(cma, ['listAssetHistory', '200 the former values, only with values=true'], async () => {
    const { path, states } = await createStates(cma, type);
    const [plain] = itemsOf((await list(path)).body);
    assertSame({ what: 'the values', received: memberOf(plain, 'before'), expected: undefined });
    const [full] = itemsOf((await list(path, [['values', 'true']])).body);
    const received = memberOf(full, 'before', publishDate);
    assertSame({ what: 'the former value', received, expected: states[1]?.asset[publishDate] });
  });
  yield past(cma, ['listAssetHistory', '404 an asset that never was'], async () => {
    await cma.call({ method: 'GET', path: `${cma.pathOf(cma.random.uuid())}/history` }, 404);
  });
}

function* stateCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const read = (path: string, query: [string, string][], status: number) =>
    cma.call({ method: 'GET', path, query }, status);
  yield past(cma, ['getAsset', '200 each version is what a read then gave'], async () => {
    const { path, states } = await createStates(cma, type);
    if (await deleteAsset(cma, path)) return erases;
    for (const { etag, asset } of states) {
      for (const version of [etag, versionOf(etag)]) {
        const { body } = await read(path, [['version', version]], 200);
        assertSame({ what: 'the past state', received: memberOf(body, 'result'), expected: asset });
      }
    }
    return undefined;
  });
  yield past(cma, ['getAsset', '200 the state at a time'], async () => {
    const { path, states } = await createStates(cma, type);
    const { body } = await read(path, [['at', '9007199254740991']], 200);
    const expected = states.at(-1)?.asset;
    assertSame({ what: 'the latest state', received: memberOf(body, 'result'), expected });
  });
  yield past(cma, ['getAsset', '404 before its creation, and a version it never had'], async () => {
    const { path } = await createStates(cma, type);
    await read(path, [['at', '1']], 404);
    await read(path, [['version', 'no-such-version']], 404);
  });
  yield past(cma, ['getAsset', '400 both a version and a time'], async () => {
    const { path, first } = await createStates(cma, type);
    const query: [string, string][] = [
      ['version', first.etag],
      ['at', '1'],
    ];
    await read(path, query, 400);
  });
}

function* restoreCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const restore = (path: string, body: JsonObject, { status = 200, headers = {} } = {}) =>
    cma.call({ method: 'POST', path: `${path}/restore`, body, headers }, status);
  const withoutDate = (asset: unknown) => {
    const { [updateDate]: _, ...rest } = Object(asset);
    return rest;
  };
  for (const [title, isDeleted] of [
    ['200 the whole state of then', false],
    ['200 a deleted asset, with its _id', true],
  ] as const) {
    yield past(cma, ['restoreAsset', title], async () => {
      const { id, path, first } = await createStates(cma, type);
      if (isDeleted && (await deleteAsset(cma, path))) {
        await restore(path, { version: first.etag }, { status: 410 });
        return erases;
      }
      cma.own.add(path);
      const { headers, body } = await restore(path, { version: first.etag });
      const received = memberOf(body, 'result');
      assertSame({ what: 'the asset', received: withoutDate(received), expected: withoutDate(first.asset) });
      const now = await cma.get(id);
      assertSame({ what: 'the asset as read', received: memberOf(now.body, 'result'), expected: received });
      assertSame({ what: 'the ETag', received: headers.etag, expected: now.headers.etag });
      return undefined;
    });
  }
  yield past(cma, ['restoreAsset', '200 only the chosen fields'], async () => {
    const { path, first } = await createStates(cma, type);
    const { body } = await restore(path, { version: first.etag, fields: [publishDate] });
    const received = memberOf(body, 'result', publishDate);
    assertSame({ what: 'the restored field', received, expected: first.asset[publishDate] });
  });
  yield past(cma, ['restoreAsset', '400 no state, two states, and an unknown field'], async () => {
    const { path, first } = await createStates(cma, type);
    const version = first.etag;
    for (const body of [{}, { version, at: 1 }, { version, fields: ['noSuchField'] }]) {
      await restore(path, body, { status: 400 });
    }
  });
  yield past(cma, ['restoreAsset', '404 a state that never was'], async () => {
    const { path } = await createStates(cma, type);
    await restore(path, { version: 'no-such-version' }, { status: 404 });
  });
  yield past(cma, ['restoreAsset', '412 If-Match names another version'], async () => {
    const { path, first } = await createStates(cma, type);
    await restore(path, { version: first.etag }, { status: 412, headers: { 'If-Match': first.etag } });
  });
}

function* conflictCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const unique = cma.types.types.find(
    (type) => uniqueFieldOf(type) !== undefined && cma.samples.kept(type.class).length > 0,
  );
  if (unique) {
    yield past(cma, ['restoreAsset', '409 a unique value that is in use'], async () => {
      const { path, first } = await createStates(cma, unique);
      if (await deleteAsset(cma, path)) return erases;
      const name = uniqueFieldOf(unique) ?? '';
      const value = first.asset[name] ?? null;
      await cma.create({ ...cma.samples.make(unique, { full: false }), [name]: value });
      await cma.call({ method: 'POST', path: `${path}/restore`, body: { version: first.etag } }, 409);
      return undefined;
    });
  }
  const other = cma.types.types.find((one) => one !== type && cma.samples.kept(one.class).length > 0);
  if (!other) return;
  yield past(cma, ['restoreAsset', '409 an _id that an asset of another type has'], async () => {
    const { id, path, first } = await createStates(cma, type);
    if (await deleteAsset(cma, path)) return erases;
    await cma.create({ ...cma.samples.make(other, { full: false }), _id: id });
    await cma.call({ method: 'POST', path: `${path}/restore`, body: { version: first.etag } }, 409);
    return undefined;
  });
}
