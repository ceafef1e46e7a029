/**
 * Plans the publication of drafts: finds everything that is wrong with them, or the writes that put them live together.
 *
 * Checks are of the state that the publication leads to: the live content with all its drafts carried out. So drafts may refer to each
 * other, and exchange unique values. Live assets are read chunk by chunk, and no more of them is kept than the checks need.
 */

import {
  type DomainError,
  invalidBody,
  locateError,
  type PublicationFinding,
  releaseFull,
  valueInUse,
} from '../../../base/errors.ts';
import { yieldEvery32Steps } from '../../../base/runtime.ts';
import { titleOf } from '../../../model/asset-title.ts';
import type { Asset, Catalog } from '../../../model/content-type.ts';
import { keyName } from '../../../model/field-path.ts';
import type { FoundReference } from '../../../model/values/validate-asset.ts';
import { holderSearches, type UniqueKey, writeKey } from '../../../query/unique-values.ts';
import type { AssetWrite, ContentStore, StoredAsset } from '../../../store/port.ts';
import { limitConflicts } from '../../batch/limit-conflicts.ts';
import type { UniqueKeys } from '../../batch/unique-keys.ts';
import { checkTargets, createKeptCheck, findTargetTypes, type KeptCheck } from '../../check-references.ts';
import { readBase } from '../../merge-changes.ts';
import { openPage, readMany } from '../../reading/read-chunks.ts';
import { isVisible } from '../../reading/site-visibility.ts';
import { createReferrerSearch, nameReferrers } from '../../restricting-references.ts';
import { applyDraft, type DraftRecord, publicationLimits, type StoredDraft, toAssetWrite } from '../draft.ts';
import { findDrafts, findRelease, readDrafts } from '../draft-source.ts';
import { createDraftCheck, type DraftCheckParts } from './check-draft.ts';

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
type PublicationPlanner = (request: PublicationRequest) => Promise<PublicationPlan>;

export function createPublicationPlanner(parts: PublicationPlanParts): PublicationPlanner {
  const { catalog, store, keys, rules } = parts;
  const check = createDraftCheck(parts);
  const referrers = createReferrerSearch({ store, catalog });

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
    const most = publicationLimits;
    if (drafts.length > most.drafts || bytes > most.bytes) throw releaseFull(request.release, most);
    const skipped: NamedDraft[] = [];
    const named = { store, catalog, sites: request.sites };
    const isSeen = ({ record }: StoredDraft) =>
      isVisible({ ...record.set, _id: record.asset, _type: record.type }, request);
    for await (const pairs of pairWithLive(request.only ? [] : withdrawn.filter(isSeen)))
      for (const pair of pairs) skipped.push({ ...(await describeDraft(pair, named)), withdrawn: true });
    return { drafts, skipped, withdrawn: new Set(withdrawn) };
  }

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
    const deleted: DescribedDraft[] = [];
    const changed = new Map<string, Asset | undefined>();
    const findings: PublicationFinding[] = [];
    const items: NamedDraft[] = [];
    const writes: AssetWrite[] = [];
    for await (const pairs of pairWithLive(drafts)) {
      const referring: { item: DescribedDraft; references: readonly FoundReference[]; live?: Asset }[] = [];
      for (const [n, pair] of pairs.entries()) {
        await yieldEvery32Steps(n);
        const item = await describeDraft(pair, { store, catalog, sites: request.sites });
        const { errors, after, write, references } = await check(pair.draft, pair.live, request);
        for (const error of errors) findings.push(toFinding(item, error));
        if (write) writes.push(write);
        if (write?.kind === 'delete') deleted.push(item);
        if (write && referrers.hasRules(item.type)) changed.set(item.asset, after);
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
    for (const item of deleted) {
      const kept = await referrers.find({ id: item.asset, type: item.type }, changed);
      if (kept)
        findings.push(toFinding(item, await nameReferrers(kept, { store, catalog, caller: request })));
    }
    return { stored, drafts, items, skipped, findings: limitFindings(findings), writes };
  };
}

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

/** A draft, and its asset if that is live. */
interface DraftOfAsset {
  readonly draft: StoredDraft;
  readonly live?: StoredAsset | undefined;
}

/** The asset of a draft, as findings name it. */
export type DescribedDraft = Pick<PublicationFinding, 'asset' | 'type' | 'title' | 'action' | 'live'>;

/** A draft in a list. */
export interface NamedDraft extends DescribedDraft {
  /** Set for a creation that keeps an asset which was withdrawn. */
  readonly withdrawn?: true;
}

/** Describes the asset of a draft. `sites` are those that the sender is restricted to. */
export async function describeDraft(
  { draft, live }: DraftOfAsset,
  {
    store,
    catalog,
    sites,
  }: {
    readonly store: Pick<ContentStore, 'changes'>;
    readonly catalog: Catalog;
    readonly sites?: readonly string[] | undefined;
  },
): Promise<DescribedDraft> {
  const { asset, type, action } = draft.record;
  const drafted = applyDraft(toAssetWrite(draft), live)?.asset ?? live?.asset;
  const former = drafted ? undefined : await readFormer(draft.record, store);
  const known = former && isVisible(former, { sites }) ? former : undefined;
  const title = titleOf(drafted ?? known ?? { _id: asset, _type: type }, catalog.types.get(type));
  return { asset, type, title, action, ...(live && { live: live.version }) };
}

/** Reads what is known of a live asset that is gone: its values when the draft was written last, and those of the draft. */
async function readFormer(
  { asset: _id, type: _type, live, before, set }: DraftRecord,
  store: Pick<ContentStore, 'changes'>,
): Promise<Asset> {
  const former = live === undefined ? undefined : await readBase(store, { id: _id, version: live });
  return { ...former, ...before, ...set, _id, _type };
}

export function toFinding(described: DescribedDraft, error: DomainError): PublicationFinding {
  const { code, message } = error;
  const { problems, conflicts, referrers } = locateError(error);
  const { asset, type, action } = described;
  // The sender may not see an asset of another site.
  const named = code === 'forbidden' ? { asset, type, title: asset, action } : described;
  return {
    ...named,
    code,
    message,
    ...(problems && { problems }),
    ...(conflicts && { conflicts }),
    ...(referrers && { referrers }),
  };
}

/** Leaves out values of conflicts that would make the list too large for a response. */
function limitFindings(findings: readonly PublicationFinding[]): readonly PublicationFinding[] {
  if (findings.length === 0) return findings;
  const limited = limitConflicts(findings.flatMap(({ conflicts = [] }) => conflicts));
  return findings.map((finding) => {
    const { conflicts } = finding;
    return conflicts ? { ...finding, conflicts: limited.splice(0, conflicts.length) } : finding;
  });
}

// Tells the drafts of withdrawn assets from those of new ones: both are creations. A withdrawn asset goes live only when somebody names it.

type Reads = Pick<ContentStore, 'changes' | 'getTypes'>;

/**
 * Checks whether a draft keeps an asset that was withdrawn. Records that do not say so are those of creations by other versions: there, a
 * history of the live asset tells it.
 */
export async function isWithdrawn(store: Reads, { action, asset, withdrawn }: DraftRecord): Promise<boolean> {
  if (action !== 'create') return false;
  if (withdrawn !== undefined) return withdrawn;
  if ((await store.getTypes([asset])).has(asset)) return false;
  const { entries } = await store.changes.history({ asset, limit: 1 });
  return entries.length > 0;
}

/** Divides drafts into those of withdrawn assets and the others. */
async function divideWithdrawn(store: Reads, drafts: readonly StoredDraft[]) {
  const [withdrawn, others]: [StoredDraft[], StoredDraft[]] = [[], []];
  for (const draft of drafts) ((await isWithdrawn(store, draft.record)) ? withdrawn : others).push(draft);
  return { withdrawn, others };
}
