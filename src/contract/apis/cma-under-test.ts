/**
 * The content management API under test: its content types, the assets that a run creates, and a valid request of each operation.
 *
 * An asset belongs to the run when the run chose its `_id`, or when a created asset has the fields that the run sent. The run
 * never changes or deletes any other asset.
 */

import { isDeepStrictEqual } from 'node:util';
import { usage } from '../../base/errors.ts';
import { type Asset, type Json, type JsonObject, siteOwnerField } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { assertSame } from '../case.ts';
import type { ReceivedResponse } from '../responses/response-validator.ts';
import type { ContractRequest } from '../responses/send-request.ts';
import { createSamples, type Samples } from '../samples/sample-assets.ts';
import { uploadedBytes, uploadedFile } from '../samples/uploaded-file.ts';
import { createAccessGaps } from './access-gap.ts';
import {
  type ApiSetup,
  type ApiUnderTest,
  createApiUnderTest,
  createOwnResources,
  memberOf,
} from './api-under-test.ts';
import { type AssetQuery, toQuery } from './asset-query.ts';
import { type DocumentedType, type DocumentedTypes, readContentTypes } from './content-types.ts';
import type { Operation } from './contract-document.ts';

/** The CMA of the instance. */
export interface CmaUnderTest extends ApiUnderTest {
  /** Where it is served, such as `/api/rest/cma/contents`. */
  readonly path: string;
  readonly types: DocumentedTypes;
  readonly samples: Samples;
  readonly rules: InstanceRules;
  /** Creates an asset and returns it as received. */
  create(asset: JsonObject): Promise<Asset>;
  get(id: string): Promise<ReceivedResponse>;
  /** A request for a page of assets; `ids` restricts `where` to these assets. */
  find(query: AssetQuery): ContractRequest;
  pathOf(id: string): string;
}

/** The settings of an instance that no document contains. */
export interface InstanceRules {
  /** Whether the target of a reference must exist. */
  readonly referencesChecked: boolean;
  /** Whether every asset but a site must name its site. */
  readonly siteOwnerRequired: boolean;
}

/** The parts from which the CMA under test is created. */
interface CmaSetup extends ApiSetup {
  /** Assets given as examples, for values that cannot be generated. */
  readonly examples: readonly JsonObject[];
  readonly rules: InstanceRules;
}

/**
 * Creates the CMA under test. Errors: usage, when the document has no CMA or no content types, or an example has none of these
 * types.
 */
export function createCmaUnderTest({ examples, rules, ...setup }: CmaSetup): CmaUnderTest {
  const { document, send, random } = setup;
  const { path = '' } = document.operations.find(({ id }) => id === 'queryAssets') ?? {};
  if (path === '') throw usage('the document has no operation queryAssets');
  const types = readContentTypes(document, rules.siteOwnerRequired ? [siteOwnerField] : []);
  if (types.types.length === 0) {
    throw usage('the document has no content types; use a bundled one, such as generated/openapi/cma.json');
  }
  for (const { _type: type = 'nothing' } of examples) {
    if (!types.catalog.find(String(type)))
      throw usage(`an example has the type ${type}, which is no content type`);
  }
  const own = createOwnResources(send);
  const pathOf = (id: string) => `${path}/${id}`;

  const api = createApiUnderTest({ ...setup, track, own });
  const { call, make } = api;
  /** Records an asset before it is created, and removes it when the instance says that it does not exist. */
  async function track(request: ContractRequest): Promise<ReceivedResponse> {
    const chosen = request.method === 'POST' ? idsIn(request.body).map(pathOf) : [];
    // A batch may change existing assets.
    const added = chosen.filter((assetPath) => !own.has(assetPath));
    for (const assetPath of added) own.add(assetPath);
    const response = await send(request);
    // A response of 409 leaves open whether the asset exists: an earlier attempt of the same request may have created it.
    const isRefused = response.status >= 400 && response.status < 500 && response.status !== 409;
    if (isRefused) added.forEach(own.forget);
    for (const { id, asset } of assignedIds(request, response)) {
      const { body } = await send({ method: 'GET', path: pathOf(id) });
      if (isAsSent(asset, memberOf(body, 'result'))) own.add(pathOf(id));
    }
    // In a release, an asset that is deleted is live as before.
    const isLive = !request.query?.some(([name]) => name === 'release');
    if (request.method === 'DELETE' && response.status === 200 && isLive) own.forget(request.path);
    return response;
  }

  async function create(asset: JsonObject): Promise<Asset> {
    const request = { method: 'POST', path, body: asset };
    const { body } = await call(request, 200);
    // The response was validated, so the result is an asset.
    const created = memberOf(body, 'result') as Asset;
    const expected = asset._id ?? created._id;
    // Otherwise the following requests would change an asset that is not the run's.
    assertSame({ what: 'the _id', received: created._id, expected, request });
    return created;
  }

  const samples = createSamples({ document, types, random, make, examples });
  const knows: ApiUnderTest['knows'] = ({ id }) => Object.hasOwn(validRequests, id);
  return {
    ...api,
    ...createAccessGaps(send, {
      history: () => {
        const [sample] = samples.kept();
        return sample && { method: 'GET', path: `${pathOf(sample._id)}/history` };
      },
      drafts: () => ({
        method: 'GET',
        path,
        query: Object.entries({ from: types.types[0]?.class ?? '', release: 'drafts' }),
      }),
    }),
    hasUnique: types.types.some((type) => uniqueFieldOf(type) !== undefined),
    knows,
    repeats: (operation) => !(knows(operation) && removesAsset(operation)),
    path,
    types,
    samples,
    rules,
    create,
    pathOf,
    get: (id) => call({ method: 'GET', path: pathOf(id) }, 200),
    find: (query) => ({ method: 'GET', path, query: toQuery(query) }),
    validRequest(operation) {
      if (!knows(operation)) return api.validRequest(operation);
      const { method } = operation;
      const [type] = types.types;
      const sample = samples.kept()[0];
      if (!type || !sample) return undefined;
      const target = operation.path.replace('{id}', sample._id);
      return { method, path: target, ...validRequests[operation.id]?.({ samples, type, sample }) };
    },
  };
}

/** Whether an operation deletes the asset that its path names, or withdraws it from the live content; other cases need it there. */
const removesAsset = ({ id, method }: Operation) => method === 'DELETE' || id === 'withdrawAsset';

/** Finds a required field with unique values. */
export function uniqueFieldOf({ fields }: DocumentedType): string | undefined {
  return [...fields.values()].find(({ indexed, required }) => indexed?.unique && required)?.name;
}

/** Lists the keys of a type that every asset has: unique fields, and fields that are unique together. */
export function requiredKeysOf({ fields, keys }: DocumentedType): readonly (readonly string[])[] {
  const isThere = (name: string) => fields.get(name)?.required === true;
  const single = [...fields.values()].filter(({ indexed }) => indexed?.unique).map(({ name }) => [name]);
  const joined = keys.filter((names) => names.every((name) => name === siteOwnerField || isThere(name)));
  return [...single.filter((names) => names.every(isThere)), ...joined];
}

/** The media type of a JSON Merge Patch. */
export const mergePatchType = 'application/merge-patch+json';

/** What a valid request of each operation has besides its path; an update changes no field. */
const validRequests: Readonly<
  Record<
    string,
    (parts: { samples: Samples; type: DocumentedType; sample: Asset }) => Partial<ContractRequest>
  >
> = {
  queryAssets: ({ type }) => ({ query: [['from', type.class]] }),
  listChanges: ({ type }) => ({ query: [['from', type.class]] }),
  postAssetQuery: ({ type }) => ({ body: { from: type.class } }),
  uploadFile: () => ({ query: [['name', uploadedFile.name]], raw: uploadedBytes }),
  createAsset: ({ samples, type }) => ({ body: samples.make(type, { full: false }) }),
  batchAssets: ({ sample }) => ({ body: { operations: [{ action: 'update', asset: { _id: sample._id } }] } }),
  updateAsset: () => ({ body: {} }),
  patchAsset: () => ({ headers: { 'Content-Type': mergePatchType }, body: {} }),
  listAssetHistory: () => ({}),
  withdrawAsset: () => ({}),
  restoreAsset: () => ({ body: { at: Number.MAX_SAFE_INTEGER } }),
  getAsset: () => ({}),
  deleteAsset: () => ({}),
};

/** Lists the `_id`s of the assets in a body, a batch included. */
function idsIn(body: Json | undefined): string[] {
  if (!isJsonObject(body)) return [];
  const { _id: id, operations } = body;
  const inside = listOf(operations).flatMap((operation) => idsIn(memberOf(operation, 'asset')));
  return [...(typeof id === 'string' ? [id.toLowerCase()] : []), ...inside];
}

/** Lists the `_id`s that the instance assigned to new assets, each with the fields that were sent. */
function assignedIds({ method, body: sent }: ContractRequest, { status, body }: ReceivedResponse) {
  if (method !== 'POST' || status >= 300 || !isJsonObject(sent)) return [];
  const result = memberOf(body, 'result');
  const operations = listOf(sent.operations);
  const created = listOf(memberOf(result, 'results')).flatMap((one, index) =>
    memberOf(one, 'outcome') === 'created' ? [[memberOf(operations[index], 'asset'), one]] : [],
  );
  const pairs = operations.length === 0 ? [[sent, result]] : created;
  return pairs.flatMap(([asset, one]) => {
    const id = memberOf(one, '_id');
    return isJsonObject(asset) && asset._id === undefined && typeof id === 'string' ? [{ id, asset }] : [];
  });
}

/** Whether an asset has the fields that were sent. */
function isAsSent({ _id, _type, ...fields }: JsonObject, result: Json | undefined): boolean {
  const sent = Object.entries(fields);
  return sent.length > 0 && sent.every(([name, value]) => isDeepStrictEqual(memberOf(result, name), value));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
