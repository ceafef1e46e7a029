/**
 * Assets that break the schema of their content type, one mistake each: the response is 400 with the field's path, and nothing
 * changes.
 */
import {
  type Asset,
  type Json,
  type JsonObject,
  siteClass,
  siteOwnerField,
} from '../../../model/content-type.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import { errorPathsOf, memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase, Violation } from '../../case.ts';
import { type WrongValue, wrongValues } from '../../samples/wrong-value.ts';

/** Yields the cases of every field of every type, for creating and for updating. */
export function* assetFieldCases(cma: CmaUnderTest): CaseGroup {
  for (const type of cma.types.types) {
    const sample = cma.samples.kept(type.class).at(-1);
    if (!sample) continue;
    for (const wrong of findWrong(cma, type.added, cma.samples.make(type, { full: true }))) {
      yield refusal(cma, { method: 'POST', path: cma.path, operation: 'createAsset', type, wrong });
    }
    yield* referenceCases(cma, type);
    if (cma.rules.siteOwnerRequired && type.class !== siteClass) yield* ownerCases(cma, type, sample);
    const { _id, _type, ...fields } = sample;
    for (const wrong of findWrong(cma, type.changed, fields)) {
      yield refusal(cma, { method: 'PUT', path: cma.pathOf(_id), operation: 'updateAsset', type, wrong });
    }
    for (const [name, value] of [
      ['_id', cma.random.uuid()],
      ['_type', 'com.example.NoSuchType'],
    ] as const) {
      const wrong = { value: { [name]: value }, path: name, wrong: 'differs from the stored one' };
      yield refusal(cma, { method: 'PUT', path: cma.pathOf(_id), operation: 'updateAsset', type, wrong });
    }
    yield toCase('getAsset', `200 a ${type.class} is unchanged after the refused updates`, async () => {
      const { body } = await cma.get(_id);
      assertSame({ what: 'the asset', received: memberOf(body, 'result'), expected: sample });
    });
  }
}

/** Yields the variants that the schema itself refuses. */
function* findWrong(cma: CmaUnderTest, pointer: string, valid: JsonObject): Iterable<WrongValue> {
  for (const wrong of wrongValues(cma.document, { $ref: pointer }, valid)) {
    if (cma.validator.problemsOf(pointer, wrong.value).length > 0) yield wrong;
  }
}

interface RefusedAsset {
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly type: DocumentedType;
  readonly wrong: WrongValue;
}

/** Checks whether an error names a field. Of a target without unique fields, no member of `_by` is right, so `_by` is named. */
const isNamed = (place: string, path: string) =>
  place === path || (place.endsWith('._by') && path.startsWith(`${place}.`));

function refusal(cma: CmaUnderTest, { method, path, operation, type, wrong }: RefusedAsset) {
  return toCase(operation, `400 a ${type.class} whose ${wrong.path} ${wrong.wrong}`, async () => {
    const body = method === 'POST' ? withNewId(cma, wrong) : wrong.value;
    const response = await cma.call({ method, path, body }, 400);
    const places = errorPathsOf(response.body);
    if (wrong.path === '_type' || places.some((place) => isNamed(place, wrong.path))) return;
    const message = 'the error does not name the field';
    throw new Violation({
      message,
      request: { method, path, body },
      expected: wrong.path,
      received: response.body,
    });
  });
}

/** A fresh `_id` per case, so that one case cannot affect another. */
function withNewId({ random }: CmaUnderTest, { value, path }: WrongValue): Json {
  return isJsonObject(value) && path !== '_id' ? { ...value, _id: random.uuid() } : value;
}

/** Yields the cases of an instance that requires a site owner. */
function* ownerCases(cma: CmaUnderTest, type: DocumentedType, { _id }: Asset): CaseGroup {
  const path = siteOwnerField;
  const { [path]: _, ...unowned } = cma.samples.make(type, { full: false });
  const missing = { value: unowned, path, wrong: 'is missing' };
  yield refusal(cma, { method: 'POST', path: cma.path, operation: 'createAsset', type, wrong: missing });
  const cleared = { value: { [path]: null }, path, wrong: 'is cleared' };
  yield refusal(cma, {
    method: 'PUT',
    path: cma.pathOf(_id),
    operation: 'updateAsset',
    type,
    wrong: cleared,
  });
}

/** Yields references to missing assets, and to assets of another type than they say. */
function* referenceCases(cma: CmaUnderTest, type: DocumentedType): CaseGroup {
  for (const { name, type: valueType } of type.fields.values()) {
    if (valueType.kind !== 'reference') continue;
    const [target = ''] = valueType.targets;
    const other = cma.samples.kept().find(({ _type }) => _type !== target);
    const wrongs = [
      ['refers to a missing asset', { _ref: cma.random.uuid(), _type: target }],
      ...(other ? [['refers to an asset of another type', { _ref: other._id, _type: target }] as const] : []),
    ] as const;
    for (const [wrong, reference] of wrongs) {
      const value = cma.samples.referring(type, name, reference);
      yield referenceCase(cma, { type, name, value, wrong });
    }
  }
}

function referenceCase(
  cma: CmaUnderTest,
  { type, name, value, wrong }: { type: DocumentedType; name: string; value: Json; wrong: string },
) {
  const title = `a ${type.class} whose ${name} ${wrong}`;
  const toAsset = () => ({ ...cma.samples.make(type, { full: false }), [name]: value });
  if (!cma.rules.referencesChecked) {
    return toCase('createAsset', `200 ${title}, since references are unchecked`, async () => {
      await cma.create(toAsset());
    });
  }
  return toCase('createAsset', `400 ${title}`, async () => {
    const response = await cma.call({ method: 'POST', path: cma.path, body: toAsset() }, 400);
    const received = errorPathsOf(response.body)[0]?.replace(/\._type$/, '');
    const expected = Array.isArray(value) ? `${name}[0]` : name;
    assertSame({ what: 'the field that the error names', received, expected });
  });
}
