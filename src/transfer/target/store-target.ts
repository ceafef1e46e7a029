/**
 * The target at a store, reached by the content service of this process. Batches are idempotent by their keys, as on a server.
 */
import { fingerprintOf, type IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { type DomainError, isDomainError, isStoreError, locateError } from '../../base/errors.ts';
import type { Problem } from '../../base/problems.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { ContentCalls } from '../../content/attribute-calls.ts';
import type { BatchOperation, OperationOutcome } from '../../content/batch/batch.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { AssetQuery } from '../../content/reading/find-assets.ts';
import type { Json } from '../../model/content-type.ts';
import { keyName, keysOfType } from '../../model/field-path.ts';
import { parseSortKey } from '../../query/sort.ts';
import {
  type Batch,
  type BatchResponse,
  batchTerms,
  type ContentTarget,
  isTransient,
  type Operation,
  type OperationResult,
  type Refusal,
  type Selection,
  type SortedPage,
} from './content-target.ts';
import { findByKeys } from './find-by-keys.ts';
import { type RetryPolicy, withStoreRetries } from './retry-policy.ts';

/** Errors about the run of a batch. */
const ofRuns = ['run_closed', 'run_foreign', 'not_supported'] as const;

/** The owner of the idempotency keys. No API client has a space in its ID. */
const owner = 'the command line';

/** Creates a target that may read and write everything. */
export function createStoreTarget({
  content: service,
  release,
  requests,
  origins,
  name,
  policy,
  close,
}: {
  content: ContentService;
  /** The release that is read and written; absent means the live content. */
  release?: string | undefined;
  requests: IdempotentRequests;
  origins: RequestOrigins;
  name: string;
  policy: RetryPolicy;
  close: () => Promise<void>;
}): ContentTarget {
  // Stopping an export ends its search.
  const caller = { signal: policy.signal };
  const content: ContentCalls = release === undefined ? service : service.inRelease(release, {});
  const repeat = <Value>(call: () => Promise<Value>) => withStoreRetries(policy, call);

  async function batch({ run, ...wanted }: Batch): Promise<BatchResponse> {
    if (run === undefined) return write(wanted);
    try {
      return await origins.runAs({ ...origins.current(), run }, () => write(wanted));
    } catch (error) {
      const isOfRun = ofRuns.some((code) => isDomainError(error, code));
      if (isDomainError(error) && isOfRun) return { kind: 'refused', refusal: toRefusal(error) };
      throw error;
    }
  }

  async function write({ key, operations }: Omit<Batch, 'run'>): Promise<BatchResponse> {
    const texts = operations.map((one) =>
      one.action === 'delete' ? [one.action, one.id] : [one.action, one.by, one.text],
    );
    const fingerprint = fingerprintOf('import', [release ?? null, texts]);
    const requested = operations.map(toRequest);
    const wanted = { ...batchTerms, operations: requested, atomic: false };
    const { response } = await requests.run({ key, owner, fingerprint, isFinal }, async (reserved) =>
      toJson((await content.batch(wanted, {}, reserved)).map(toResult)),
    );
    return { kind: 'answered', results: fromJson(response) };
  }

  /** Finds a page; by cursor if it has one. */
  const find = (wanted: Selection, range: Range): Promise<SortedPage> =>
    repeat(async () => {
      const { fields, ...selection } = wanted;
      const selected = content.selectFields(selection.from, { fields, nulls: true });
      const query = { ...selection, ...range, offset: 0, withCount: false };
      const { items, next } = await content.find(query, caller);
      const assets = items.map(({ asset }) => selected.pick(asset));
      return { items: assets, ...(next !== undefined && { next }) };
    });

  return {
    name: release === undefined ? name : `${name} (release ${release})`,
    page: async (selection, limit) => (await find(selection, { limit })).items,
    sortedPage: async ({ sort, ...selection }, position) =>
      find(selection, { sort: sort.map(parseSortKey), ...position }),
    count: ({ fields: _, ...selection }) =>
      repeat(async () => {
        const found = await content.find({ ...selection, offset: 0, limit: 0, withCount: true }, caller);
        return found.count ?? 0;
      }),
    async isKey({ type, fields }) {
      const known = content.catalog.types.get(type);
      const names = known ? keysOfType(known).map(keyName) : [];
      return names.some((name) => name.split(',').toSorted().join() === fields.join());
    },
    findByKeys: (keys) =>
      findByKeys(keys, async (selection, limit) => {
        try {
          return (await find(selection, { limit })).items;
        } catch (error) {
          if (isDomainError(error) && error.code !== 'transfer_failed' && !isStoreError(error)) return [];
          throw error;
        }
      }),
    findMissing: ({ type, refs }) =>
      repeat(async () => {
        const there = new Set<string>();
        for await (const assets of content.getMany(refs, {})) {
          for (const { _id, _type } of assets) if (_type === type) there.add(_id);
        }
        return refs.filter((ref) => !there.has(ref.toLowerCase()));
      }),
    batch: (wanted) => repeat(() => batch(wanted)),
    close,
  };
}

type Range = Pick<AssetQuery, 'limit' | 'sort' | 'cursor'>;

export function toRequest(operation: Operation): BatchOperation {
  if (operation.action === 'delete') return operation;
  const { action, by, asset } = operation;
  return action === 'create' ? { action, asset } : { action, by, asset };
}

export function toResult(outcome: OperationOutcome): OperationResult {
  if (outcome.kind === 'refused') return { outcome: 'refused', refusal: toRefusal(outcome.error) };
  const { effect, id: _id, unresolved } = outcome;
  return {
    outcome: effect,
    _id,
    unresolved: unresolved.map(({ path, reference }) => ({ path, ...reference })),
  };
}

/** Results consist of JSON, which their types do not say. */
const toJson = (results: readonly OperationResult[]) => results as unknown as Json;

/** The stored response was made by `toJson`. */
const fromJson = (response: Json) => response as unknown as readonly OperationResult[];

const isFinal = (response: Json) => !fromJson(response).some(isTransient);

/** The refusal of one operation. */
export function toRefusal(error: DomainError): Refusal {
  // Sent again, such a batch goes on where it has stopped.
  const isTransient = isDomainError(error, 'batch_too_costly') || isStoreError(error);
  return { code: error.code, isTransient, problems: toProblems(error) };
}

function toProblems(error: DomainError): readonly Problem[] {
  const { path, problems } = locateError(error);
  // An operation refers to an asset by its `_id`, so a missing asset is a problem of that member.
  const own = error.code === 'not_found' ? '_id' : path;
  return problems ?? [{ path: own ?? '', message: error.message }];
}
