/**
 * The content management API under test: its content types, the assets that a run makes of them, and a sound request of each
 * operation.
 *
 * Every asset that a run makes has an `_id` that the run knows, so that it can be found among those of others, and deleted
 * whatever the instance answered.
 */
import type { Asset, Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/validate-asset.ts';
import { type ApiUnderTest, createCall, createOwnResources, memberOf } from './api-under-test.ts';
import { type DocumentedType, type DocumentedTypes, readContentTypes } from './content-types.ts';
import type { ContractDocument, Operation } from './contract-document.ts';
import type { Draw } from './draw.ts';
import { createJudge, type ReceivedAnswer } from './judge.ts';
import type { Samples } from './sample-assets.ts';
import { createSamples } from './sample-assets.ts';
import { createValueMaker } from './sample-value.ts';
import type { ContractRequest, Credentials, Sender } from './send-request.ts';

/** The CMA of the instance. */
export interface CmaUnderTest extends ApiUnderTest {
  /** Where it is served, such as `/api/rest/cma/contents`. */
  readonly path: string;
  readonly types: DocumentedTypes;
  readonly samples: Samples;
  /** Creates an asset and returns it as answered. */
  create(asset: JsonObject): Promise<Asset>;
  get(id: string): Promise<ReceivedAnswer>;
  /** A request of a page of assets; `where` is held to these assets. */
  find(query: Finding): ContractRequest;
  pathOf(id: string): string;
}

/** What to find among some assets. */
export interface Finding {
  readonly from: string;
  readonly ids?: readonly string[];
  readonly where?: string;
  readonly values?: readonly string[];
  readonly offset?: number;
  readonly limit?: number;
  readonly count?: boolean;
}

/** What a CMA is put to the test with. */
export interface CmaSetup {
  readonly document: ContractDocument;
  readonly send: Sender;
  readonly draw: Draw;
  readonly credentials: Credentials;
  readonly limited: ApiUnderTest['limited'];
  /** Assets given as examples, for what cannot be made up. */
  readonly examples: readonly JsonObject[];
}

/** Makes the CMA under test. Fails when the document has no CMA, or was not bundled with content types. */
export function createCmaUnderTest({
  document,
  send,
  draw,
  credentials,
  limited,
  examples,
}: CmaSetup): CmaUnderTest {
  const { path = '' } = document.operations.find(({ id }) => id === 'queryAssets') ?? {};
  if (path === '') throw new Error('the document has no operation queryAssets');
  const types = readContentTypes(document);
  if (types.types.length === 0) {
    throw new Error(
      'the document has no content types; it must be bundled, as generated/openapi/cma.json is',
    );
  }
  const judge = createJudge(document);
  const own = createOwnResources(send);
  const codes = new Set<string>();
  const pathOf = (id: string) => `${path}/${id}`;

  const call = createCall({ send: track, judge });
  /** An asset is noted before it can be there, and forgotten once the instance says that it is not. */
  async function track(request: ContractRequest): Promise<ReceivedAnswer> {
    const brought = request.method === 'POST' ? idsIn(request.body).map(pathOf) : [];
    // A batch may change assets that are there already.
    const added = brought.filter((place) => !own.has(place));
    added.forEach(own.add);
    const answer = await send(request);
    const code = memberOf(answer.body, 'error', 'code');
    if (typeof code === 'string') codes.add(code);
    const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 409;
    if (isRefused) added.forEach(own.forget);
    if (request.method === 'POST' && answer.status < 300) {
      for (const id of idsIn(memberOf(answer.body, 'result'))) own.add(pathOf(id));
    }
    if (request.method === 'DELETE' && answer.status === 200) own.forget(request.path);
    return answer;
  }

  async function create(asset: JsonObject): Promise<Asset> {
    const { body } = await call({ method: 'POST', path, body: asset }, 200);
    // Judged by the document just now: the result is an asset.
    return memberOf(body, 'result') as Asset;
  }

  const make = createValueMaker(document);
  const samples = createSamples({ document, types, draw, make, examples });
  return {
    document,
    judge,
    draw,
    make,
    credentials,
    limited,
    call,
    own,
    hasUnique: types.types.some((type) => uniqueFieldOf(type) !== undefined),
    codes,
    path,
    types,
    samples,
    create,
    pathOf,
    get: (id) => call({ method: 'GET', path: pathOf(id) }, 200),
    find: (finding) => ({ method: 'GET', path, query: toQuery(finding) }),
    sound: (operation) => soundRequest({ operation, path, samples, types: types.types }),
  };
}

/** A required field of which no two assets may have the same value. */
export function uniqueFieldOf({ fields }: DocumentedType): string | undefined {
  return [...fields.values()].find(({ indexed, required }) => indexed?.unique && required)?.name;
}

/** The `_id`s of the assets that a body brings, in a batch too. */
function idsIn(body: Json | undefined): string[] {
  if (!isJsonObject(body)) return [];
  const { _id: id, operations, results } = body;
  const parts = [operations, results].flatMap((list) => (Array.isArray(list) ? list : []));
  const inside = parts.filter(isJsonObject).flatMap((part) => [...idsIn(part), ...idsIn(part.asset)]);
  return [...(typeof id === 'string' ? [id.toLowerCase()] : []), ...inside];
}

function toQuery({ from, ids, where, values = [], ...rest }: Finding): [string, string][] {
  const held = ids ? `_id in [${ids.join(', ')}]` : undefined;
  const whole = where !== undefined && held !== undefined ? `(${where}) and ${held}` : (where ?? held);
  return [
    ['from', from],
    ...(whole === undefined ? [] : [['where', whole] as [string, string]]),
    ...values.map((value): [string, string] => ['values', value]),
    ...Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
  ];
}

/** Changes nothing where it would be of an asset that the run needs: an empty change, or an asset that is not there. */
function soundRequest({
  operation,
  path,
  samples,
  types,
}: {
  operation: Operation;
  path: string;
  samples: Samples;
  types: readonly DocumentedType[];
}): ContractRequest | undefined {
  const { method } = operation;
  const [type] = types;
  const sample = samples.made()[0];
  if (!type || !sample) return undefined;
  switch (operation.id) {
    case 'queryAssets':
      return { method, path, query: [['from', type.class]] };
    case 'createAsset':
      return { method, path, body: samples.make(type, { full: false }) };
    case 'batchAssets':
      return {
        method,
        path: operation.path,
        body: { operations: [{ action: 'update', asset: { _id: sample._id } }] },
      };
    case 'updateAsset':
      return { method, path: `${path}/${sample._id}`, body: {} };
    case 'getAsset':
    case 'deleteAsset':
      return { method, path: `${path}/${sample._id}` };
    default:
      return undefined;
  }
}
