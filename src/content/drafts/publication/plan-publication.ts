/**
 * Plans the publication of drafts: finds everything that is wrong with them, or the writes that put them live together.
 *
 * Checks are of the state that the publication leads to: the live content with all its drafts carried out. So drafts may refer to each
 * other, and exchange unique values. Live assets are read chunk by chunk, and no more of them is kept than the checks need.
 */
import {
  invalidBody,
  notFound,
  type PublicationFinding,
  releaseFull,
  valueInUse,
} from '../../../base/errors.ts';
import { yieldEvery32Steps } from '../../../base/runtime.ts';
import type { Asset } from '../../../model/content-type.ts';
import { keyName } from '../../../model/field-path.ts';
import type { FoundReference } from '../../../model/values/validate-asset.ts';
import { holderSearches, type UniqueKey, writeKey } from '../../../query/unique-values.ts';
import type { AssetWrite, ContentStore, StoredAsset } from '../../../store/port.ts';
import type { UniqueKeys } from '../../batch/unique-keys.ts';
import { checkTargets, createKeptCheck, findTargetTypes, type KeptCheck } from '../../check-references.ts';
import { openPage, readMany } from '../../reading/read-chunks.ts';
import { isVisible } from '../../reading/site-visibility.ts';
import {
  publicationLimits,
  type ReleaseLimits,
  releaseId,
  type StoredDraft,
  standingRelease,
} from '../draft-record.ts';
import { findDrafts, readDrafts } from '../draft-source.ts';
import { createDraftCheck, type DraftCheckParts } from './check-draft.ts';
import {
  type DescribedDraft,
  type DraftOfAsset,
  describeDraft,
  limitFindings,
  type NamedDraft,
  toFinding,
} from './finding.ts';
import { divideWithdrawn } from './withdrawn-drafts.ts';

/** Which drafts to publish. */
export interface PublicationRequest {
  /** The name of the release. */
  readonly release: string;
  /** The `_id`s of the assets whose drafts are published; absent means all of the release. */
  readonly only?: readonly string[] | undefined;
  /** The sites that the sender is restricted to. */
  readonly sites?: readonly string[] | undefined;
  /** Publishes only if the release is still scheduled for this time. */
  readonly scheduledAt?: number | undefined;
}

/** A plan. With findings, nothing can be published. */
export interface PublicationPlan {
  /** The record of the release before the drafts were read; absent for the standing one before its first write. */
  readonly stored: StoredAsset | undefined;
  readonly drafts: readonly StoredDraft[];
  /** What is published. */
  readonly items: readonly NamedDraft[];
  /** The drafts of withdrawn assets, which are published only when the request names them. */
  readonly skipped: readonly NamedDraft[];
  readonly findings: readonly PublicationFinding[];
  /** The writes of live assets. */
  readonly writes: readonly AssetWrite[];
}

/** The parts that planning needs. */
export interface PublicationPlanParts extends DraftCheckParts {
  readonly keys: UniqueKeys;
}

/** Plans the publication of drafts. Errors: not_found, invalid_body for an asset without a draft, release_full. */
export type PublicationPlanner = (request: PublicationRequest) => Promise<PublicationPlan>;

/** Creates the planner. */
export function createPublicationPlanner(parts: PublicationPlanParts): PublicationPlanner {
  const { catalog, store, keys, rules } = parts;
  const check = createDraftCheck(parts);

  async function readChosen({ release, only }: PublicationRequest): Promise<readonly StoredDraft[]> {
    const found = only
      ? [...(await findDrafts(store, release, { assets: only, catalog })).values()]
      : await readDrafts(store, release, { catalog });
    const ids = new Set(found.map(({ record }) => record.asset));
    const problems = (only ?? []).flatMap((id, n) =>
      ids.has(id) ? [] : [{ path: `only[${n}]`, message: 'has no draft in the release' }],
    );
    if (problems.length > 0) throw invalidBody(problems);
    return found;
  }

  /** Leaves out the drafts of withdrawn assets, unless the request names them. Errors: release_full for what is left. */
  async function choose(request: PublicationRequest) {
    const found = await readChosen(request);
    const { withdrawn, others } = await divideWithdrawn(store, found);
    const drafts = request.only ? found : others;
    const bytes = drafts.reduce((sum, { record }) => sum + record.bytes, 0);
    if (exceeds({ drafts: drafts.length, bytes })) throw releaseFull(request.release, publicationLimits);
    const skipped: NamedDraft[] = [];
    const holder = request.sites ? { sites: request.sites } : {};
    const isSeen = ({ record }: StoredDraft) =>
      isVisible({ ...record.set, _id: record.asset, _type: record.type }, holder);
    for await (const pairs of pairWithLive(request.only ? [] : withdrawn.filter(isSeen)))
      for (const pair of pairs) skipped.push({ ...(await describe(pair, request)), withdrawn: true });
    return { drafts, skipped, withdrawn: new Set(withdrawn) };
  }

  const describe = (pair: DraftOfAsset, { sites }: PublicationRequest) =>
    describeDraft(pair, { store, catalog, sites });

  async function* pairWithLive(drafts: readonly StoredDraft[]): AsyncGenerator<readonly DraftOfAsset[]> {
    const left = new Map(drafts.map((draft) => [draft.record.asset, draft]));
    for await (const found of readMany(store, [...left.keys()])) {
      yield [...found].flatMap(([id, live]) => {
        const draft = left.get(id);
        left.delete(id);
        return draft ? [{ draft, live }] : [];
      });
    }
    yield [...left.values()].map((draft) => ({ draft }));
  }

  /** Finds the assets without drafts that have unique values which the published ones take. */
  async function findHolders(
    claims: ReturnType<typeof createClaims>,
    drafted: ReadonlySet<string>,
  ): Promise<void> {
    const note = (assets: readonly Asset[]) => {
      for (const asset of assets) if (!drafted.has(asset._id)) claims.noteHolder(asset);
    };
    for (const search of holderSearches(claims.taken())) {
      const { first, rest } = await openPage(store, search, () => true);
      note(first);
      if (rest) for await (const chunk of rest) note(chunk);
    }
  }

  return async (request) => {
    const stored = await findRelease(store, request.release);
    const { drafts, skipped, withdrawn } = await choose(request);
    const typesAfter = createTypesAfter(drafts);
    const claims = createClaims(keys);
    const findings: PublicationFinding[] = [];
    const items: NamedDraft[] = [];
    const writes: AssetWrite[] = [];
    for await (const pairs of pairWithLive(drafts)) {
      const referring: { item: DescribedDraft; references: readonly FoundReference[]; live?: Asset }[] = [];
      for (const [n, pair] of pairs.entries()) {
        await yieldEvery32Steps(n);
        const item = await describe(pair, request);
        const { errors, after, write, references } = await check(pair.draft, pair.live, request);
        for (const error of errors) findings.push(toFinding(item, error));
        if (write) writes.push(write);
        if (after) claims.add(item, { live: pair.live?.asset, after });
        referring.push({ item, references, ...(pair.live && { live: pair.live.asset }) });
        items.push(withdrawn.has(pair.draft) ? { ...item, withdrawn: true } : item);
      }
      if (!rules.referencesChecked) continue;
      const targets = referring.flatMap(({ references }) =>
        references.map(({ reference }) => reference._ref),
      );
      const types = await findTargetTypes([...new Set(targets)], { store, catalog, caller: request });
      for (const { item, references, live } of referring) {
        const isThere = live && createKeptCheck(live);
        // A reference that the publication itself would break is a problem even where the asset has it already.
        const isKept: KeptCheck = (found) =>
          isThere?.(found) === true && types.get(found.reference._ref) !== found.reference._type;
        const typeOf = (id: string) => typesAfter(id, types.get(id));
        const problems = checkTargets({ references, isKept }, typeOf);
        if (problems.length > 0) findings.push(toFinding(item, invalidBody(problems)));
      }
    }
    await findHolders(claims, new Set(drafts.map(({ record }) => record.asset)));
    for (const { item, key } of claims.repeated())
      findings.push(toFinding(item, valueInUse(keyName(key.paths), writeKey(key))));
    return { stored, drafts, items, skipped, findings: limitFindings(findings), writes };
  };
}

/** Finds the record of a release; the standing one may have none yet. Errors: not_found. */
export async function findRelease(store: Pick<ContentStore, 'get'>, release: string) {
  const stored = await store.get(releaseId(release));
  if (!stored && release !== standingRelease) throw notFound(release, 'release');
  return stored;
}

const exceeds = ({ drafts, bytes }: ReleaseLimits) =>
  drafts > publicationLimits.drafts || bytes > publicationLimits.bytes;

/** Returns the function that tells the class of an asset after the publication; `undefined` for one that is not live then. */
function createTypesAfter(drafts: readonly StoredDraft[]) {
  const recordOf = new Map(drafts.map(({ record }) => [record.asset, record]));
  return (id: string, present: string | undefined): string | undefined => {
    const record = recordOf.get(id);
    if (record?.action === 'create') return present ?? record.type;
    return record?.action === 'delete' && present === record.type ? undefined : present;
  };
}

interface Claim {
  readonly item: DescribedDraft;
  readonly key: UniqueKey;
}

/** Collects the unique values that the published assets have. */
function createClaims(keys: UniqueKeys) {
  const claimed = new Map<string, Claim & { readonly isKept: boolean }>();
  const twice: Claim[] = [];
  const held = new Set<string>();
  return {
    add(item: DescribedDraft, { live, after }: { live: Asset | undefined; after: Asset }) {
      const own = new Set(live ? keys.of(live).map(({ text }) => text) : []);
      for (const key of keys.of(after)) {
        if (claimed.has(key.text)) twice.push({ item, key });
        else claimed.set(key.text, { item, key, isKept: own.has(key.text) });
      }
    },
    /** Returns the values that the assets did not have before. */
    taken: () => [...claimed.values()].flatMap(({ key, isKept }) => (isKept ? [] : [key])),
    noteHolder(asset: Asset) {
      for (const { text } of keys.of(asset)) held.add(text);
    },
    repeated: (): Claim[] => [...twice, ...[...claimed.values()].filter(({ key }) => held.has(key.text))],
  };
}
