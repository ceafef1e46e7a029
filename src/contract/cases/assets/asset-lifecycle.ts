/**
 * The life cycle of an asset of each content type: created with required fields and with all fields, read, found, changed field
 * by field, cleared, deleted. Refused: an `_id` or a unique value in use, another type's ID.
 */
import type { Asset, JsonObject } from '../../../model/content-type.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import { errorPathsOf, memberOf } from '../../apis/api-under-test.ts';
import { type CmaUnderTest, requiredKeysOf } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase, Violation } from '../../case.ts';
import { obeys } from '../../samples/sample-assets.ts';
import { SampleImpossible } from '../../samples/sample-value.ts';

const updateDate = 'cms.content.updateDate';

/** Creates the assets that the other cases use: of each type one with required fields, and two with all fields. */
export function* sampleCases(cma: CmaUnderTest): CaseGroup {
  const waiting = new Set(cma.types.types);
  // Types are created after the types that they require; those left at the end fail with the reason.
  for (let round = 0; round < cma.types.types.length; round++) {
    for (const type of [...waiting]) {
      if (!canGenerate(cma, type)) continue;
      waiting.delete(type);
      yield createCase(cma, type, false);
    }
  }
  for (const type of waiting) yield createCase(cma, type, false);
  for (const type of cma.types.types) {
    for (let number = 0; number < 2; number++) yield createCase(cma, type, true);
  }
}

/** Yields the cases after creation, for each type. */
export function* assetLifeCases(cma: CmaUnderTest): CaseGroup {
  for (const type of cma.types.types) {
    if (cma.samples.kept(type.class).length < 3) continue;
    yield* readCases(cma, type);
    yield* changeCases(cma, type);
    yield* conflictCases(cma, type);
    yield* deleteCases(cma, type);
  }
}

function canGenerate({ samples }: CmaUnderTest, type: DocumentedType): boolean {
  try {
    samples.make(type, { full: false });
    return true;
  } catch (error) {
    if (error instanceof SampleImpossible) return false;
    throw error;
  }
}

function createCase(cma: CmaUnderTest, type: DocumentedType, full: boolean) {
  const extent = full ? 'with every field' : 'with its required fields';
  return toSetupCase('createAsset', `200 a ${type.class} ${extent}`, async () => {
    const asset = cma.samples.make(type, { full });
    // Remembered even when the response is wrong, since the other cases need the asset.
    const created = await cma.create(asset).catch((error: unknown) => {
      if (error instanceof Violation) keepRefused(cma, asset, error);
      throw error;
    });
    cma.samples.keep(created);
    assertStored(created, asset);
  });
}

/** Remembers the asset of an undocumented response if it is the one that was sent. */
function keepRefused(cma: CmaUnderTest, { _id }: JsonObject, { failure }: Violation): void {
  const result = memberOf(failure.received, 'body', 'result');
  const isOurs = isJsonObject(result) && result._id === _id && typeof result._type === 'string';
  if (isOurs) cma.samples.keep(result as Asset); // The line above checked the two members of an Asset.
}

/** Compares a received asset with the one that was sent; only the dates may be added. */
function assertStored(received: Asset, sent: JsonObject): void {
  const dates = ['cms.content.publishDate', updateDate];
  const added = Object.fromEntries(dates.map((name) => [name, sent[name] ?? received[name]]));
  assertSame({ what: 'the asset', received, expected: { ...added, ...sent } });
}

function sampleOf(cma: CmaUnderTest, type: DocumentedType): Asset {
  const [sample] = cma.samples.kept(type.class).slice(-1);
  if (!sample) throw new Error(`there is no sample of ${type.class}`);
  return sample;
}

function* readCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  yield toCase('getAsset', `200 a ${type.class} as it was created`, async () => {
    const sample = sampleOf(cma, type);
    const { body } = await cma.get(sample._id);
    assertSame({ what: 'the asset', received: memberOf(body, 'result'), expected: sample });
    const upper = await cma.call({ method: 'GET', path: cma.pathOf(sample._id.toUpperCase()) }, 200);
    assertSame({
      what: 'the asset by its _id in capitals',
      received: memberOf(upper.body, 'result'),
      expected: sample,
    });
  });
  for (const [name, what] of [
    [type.class, 'class name'],
    ...(type.id ? [[type.id, 'type ID']] : []),
  ] as const) {
    yield toCase('queryAssets', `200 a ${type.class} from its ${what}`, async () => {
      const sample = sampleOf(cma, type);
      const { body } = await cma.call(cma.find({ from: name ?? '', ids: [sample._id] }), 200);
      assertSame({
        what: 'the page',
        received: memberOf(body, 'result'),
        expected: { count: 1, items: [sample] },
      });
    });
  }
}

function* changeCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  const optional = [...type.fields.values()].filter(({ required }) => !required);
  yield toCase('updateAsset', `200 a ${type.class} accepts the asset that was read`, async () => {
    const sample = sampleOf(cma, type);
    const { body } = await cma.call({ method: 'PUT', path: cma.pathOf(sample._id), body: sample }, 200);
    const received = Object(memberOf(body, 'result'));
    // The date that was read is no date that was chosen.
    const expected = { ...sample, [updateDate]: received[updateDate] };
    assertSame({ what: 'the asset', received, expected });
    cma.samples.keep(expected);
  });
  for (const { name } of type.fields.values()) {
    yield toCase('updateAsset', `200 a ${type.class} changes its ${name} and nothing else`, async () => {
      const asset = await createAnother(cma, type);
      const changes = { [name]: cma.samples.field(type, name, asset) };
      assertSame({ what: 'the asset', ...(await change(cma, asset, changes)) });
    });
  }
  for (const { name } of optional) {
    yield toCase('updateAsset', `200 a ${type.class} whose ${name} is cleared by null`, async () => {
      const asset = await createAnother(cma, type);
      if (!obeys(type, { ...asset, [name]: null })) return;
      assertSame({ what: 'the asset', ...(await change(cma, asset, { [name]: null })) });
    });
  }
}

/** Creates one more asset with all fields; the run deletes it at its end. */
export async function createAnother(cma: CmaUnderTest, type: DocumentedType): Promise<Asset> {
  return cma.create(cma.samples.make(type, { full: true }));
}

/** Changes an asset; returns its state and the expected one. The instance sets the date of the change. */
async function change(cma: CmaUnderTest, asset: Asset, changes: JsonObject) {
  const { body } = await cma.call({ method: 'PUT', path: cma.pathOf(asset._id), body: changes }, 200);
  const received = Object(memberOf(body, 'result'));
  const merged = { ...asset, ...changes, [updateDate]: changes[updateDate] ?? received[updateDate] };
  const expected = Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined),
  );
  await cma.call({ method: 'DELETE', path: cma.pathOf(asset._id) }, 200);
  return { received, expected };
}

function* conflictCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  yield toCase('createAsset', `409 a ${type.class} with an _id in use`, async () => {
    const asset = { ...cma.samples.make(type, { full: false }), _id: sampleOf(cma, type)._id };
    const { body } = await cma.call({ method: 'POST', path: cma.path, body: asset }, 409);
    assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'id_in_use' });
  });
  const optional = [...type.fields.values()].filter(({ indexed, required }) => indexed?.unique && !required);
  for (const names of [...requiredKeysOf(type), ...optional.map(({ name }) => [name])]) {
    const name = names.join(',');
    const assertInUse = (body: unknown) => {
      assertSame({ what: 'the code', received: memberOf(body, 'error', 'code'), expected: 'value_in_use' });
      assertSame({ what: 'the field that the error names', received: errorPathsOf(body)[0], expected: name });
    };
    const valuesInUse = () => {
      const sample = sampleOf(cma, type);
      return Object.fromEntries(names.map((one) => [one, sample[one] ?? null]));
    };
    yield toCase('createAsset', `409 a ${type.class} whose ${name} is in use`, async () => {
      const asset = { ...cma.samples.make(type, { full: false }), ...valuesInUse() };
      assertInUse((await cma.call({ method: 'POST', path: cma.path, body: asset }, 409)).body);
    });
    yield toCase('updateAsset', `409 a ${type.class} whose ${name} is in use`, async () => {
      const body = valuesInUse();
      const { _id } = await createAnother(cma, type);
      assertInUse((await cma.call({ method: 'PUT', path: cma.pathOf(_id), body }, 409)).body);
    });
  }
}

function* deleteCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  yield toCase('deleteAsset', `200 a ${type.class}, which no read finds afterwards`, async () => {
    const { _id } = await createAnother(cma, type);
    const path = cma.pathOf(_id);
    const { body } = await cma.call({ method: 'DELETE', path }, 200);
    assertSame({ what: 'the body', received: body, expected: { status: 'ok', result: null } });
    for (const method of ['GET', 'DELETE']) await cma.call({ method, path }, 404);
    await cma.call({ method: 'PUT', path, body: {} }, 404);
    const found = await cma.call(cma.find({ from: type.class, ids: [_id] }), 200);
    assertSame({
      what: 'the count of a query for it',
      received: memberOf(found.body, 'result', 'count'),
      expected: 0,
    });
  });
  yield toCase('createAsset', `200 a ${type.class} without _id, which the instance assigns`, async () => {
    const { _id: _, ...asset } = cma.samples.make(type, { full: true });
    const created = await cma.create({ ...asset, _type: type.id ?? type.class });
    assertStored(created, { ...asset, _id: created._id, _type: type.class });
    const { body } = await cma.get(created._id);
    assertSame({ what: 'the asset as read', received: memberOf(body, 'result'), expected: created });
  });
}
