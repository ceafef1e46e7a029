/**
 * Tells what a backfill would do, and what stands in its way.
 */
import { isDomainError, transferFailed } from '../../base/errors.ts';
import { type Logger, systemClock } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { loadTypes } from '../../model/load-types.ts';
import { readSuppliedSources } from '../../model/types/type-sources.ts';
import type { BackfillPhase, BackfillState, RenamedField } from '../backfill-calls.ts';
import { openNamedStore, type StoreLocation } from '../open-store.ts';
import type { ContentStore } from '../port.ts';
import type { ServedTypes } from '../served-types.ts';
import { type BackfillGoal, nextState } from './backfill-steps.ts';
import type { RecordedNames, StoredNames } from './recorded-names.ts';
import { createRenames, type Renames } from './renames.ts';

/** Why a backfill cannot run now. */
export type BackfillObstacle =
  /** Servers whose types do not have both names: those that cannot follow the phases, or could not start again after the end. */
  | { readonly kind: 'servers'; readonly count: number; readonly folders: readonly string[] }
  /** Another process that works on it. */
  | { readonly kind: 'running'; readonly holder: string };

/** What a backfill would do. */
export interface BackfillPlan {
  /** `none` when no backfill has ever begun. */
  readonly phase: BackfillPhase | 'none';
  /** The fields that it moves, under the stored names of their classes. */
  readonly fields: readonly RenamedField[];
  /** How many assets the classes have. */
  readonly types: readonly { readonly type: string; readonly assets: number }[];
  /** Whether the goal is reached already. */
  readonly isDone: boolean;
  readonly obstacle?: BackfillObstacle;
}

/** Without a report for this time, in milliseconds, the process that worked on a backfill counts as dead. */
const expiryMs = 10_000;

/** Reads what a backfill would do. Errors: transfer_failed when the goal cannot be reached; those of opening a store. */
export async function planBackfill(
  location: StoreLocation,
  { catalog, logger, goal }: { catalog: Catalog; logger: Logger; goal: BackfillGoal },
): Promise<BackfillPlan> {
  const { store, names } = await openNamedStore(location, { catalog, logger, purpose: 'read' });
  try {
    const state = await store.backfill.readState();
    const { movable } = createRenames(
      catalog,
      { names, ...(state && { backfill: state }) },
      { isLenient: true },
    );
    const next = nextState(state, { goal, movable });
    const fields = next === 'work' || next === 'done' ? (state?.fields ?? []) : next.fields;
    const obstacle = next === 'done' ? undefined : await findObstacle(store, { goal, state, fields, names });
    const classes = [...new Set(fields.map(({ type }) => type))].sort();
    const types = classes.map(async (type) => {
      const { count = 0 } = await store.find({ types: [type], offset: 0, limit: 0, withCount: true });
      return { type, assets: count };
    });
    return {
      phase: state?.phase ?? 'none',
      fields,
      types: await Promise.all(types),
      isDone: next === 'done',
      ...(obstacle && { obstacle }),
    };
  } finally {
    await store.close();
  }
}

/** What decides whether a run can begin. */
interface Attempt {
  readonly goal: BackfillGoal;
  readonly state: BackfillState | undefined;
  readonly fields: readonly RenamedField[];
  readonly names: RecordedNames;
  /** The name of this process, if it runs one. */
  readonly holder?: string;
}

/** Finds what stands in the way of a run that moves some fields. */
export async function findObstacle(
  store: ContentStore,
  { goal, state, fields, names, holder }: Attempt,
): Promise<BackfillObstacle | undefined> {
  const working = state?.progress;
  if (working && working.holder !== holder && (await readNow(store)) - working.seenMs < expiryMs) {
    return { kind: 'running', holder: working.holder };
  }
  const servers = await store.backfill.readServing();
  const backfill = { revision: 0, phase: finalPhases[goal], fields, finished: state?.finished ?? [] };
  const needsPresent = goal === 'copy' && state?.phase !== 'copying';
  const isInWay = ({ followsBackfill, sources }: ServedTypes) =>
    !followsBackfill || !canServe(sources, { stored: { names, backfill }, needsPresent });
  const former = servers.filter(isInWay);
  if (former.length === 0) return undefined;
  const folders = [...new Set(former.map(({ folder }) => folder))].sort();
  return { kind: 'servers', count: former.length, folders };
}

/** The phase in which a server must be able to work for a goal. */
const finalPhases: Readonly<Record<BackfillGoal, BackfillPhase>> = {
  copy: 'copying',
  finish: 'removed',
  back: 'restoring',
};

/**
 * Tells whether a server with these types can follow. With `needsPresent` they must have the present names: a server that was started
 * before the copying with former names only writes nothing else. One that is started later knows of the present ones from the state.
 */
function canServe(
  sources: ServedTypes['sources'],
  { stored, needsPresent }: { stored: StoredNames; needsPresent: boolean },
): boolean {
  try {
    const { formerOnly } = createRenames(loadTypes([...readSuppliedSources(), ...sources]), stored);
    return !needsPresent || formerOnly.length === 0;
  } catch (error) {
    if (isDomainError(error, 'bad_config') || isDomainError(error, 'bad_types')) return false;
    throw error;
  }
}

/** Describes an obstacle, and what to do about it. */
export function describeObstacle(obstacle: BackfillObstacle): string {
  if (obstacle.kind === 'running') {
    return `Another process works on the backfill, or did less than ${expiryMs / 1_000} seconds ago`;
  }
  const { count, folders } = obstacle;
  const servers = count === 1 ? 'A server runs' : `${count} servers run`;
  return `${servers} with types that do not have both names of the renamed fields (${folders.join(', ')}). Stop or update them first; a killed server counts for a minute`;
}

/** Throws when the types lack fields that are being moved. Errors: transfer_failed. */
export function assertTypesKnown({ moving }: Renames, fields: readonly RenamedField[]): void {
  const known = new Set(moving.map(textOf));
  const missing = fields.filter((field) => !known.has(textOf(field)));
  if (missing.length === 0) return;
  const names = missing.map(({ type, path, name }) => `${type} ${path.join('.')} (now ${name})`).join(', ');
  throw transferFailed(`The types lack fields that the backfill moves: ${names}`);
}

const textOf = ({ type, path, name }: RenamedField) => JSON.stringify([type, path, name]);

/** Reads the store's clock, in milliseconds since 1970. */
export const readNow = async (store: ContentStore): Promise<number> =>
  (await store.readClock()) ?? systemClock.nowMs();
