/**
 * What a check of a store has found: each kind of finding once, with how often it occurs and a few of the assets.
 */

/** What was checked. */
export type CheckedPart =
  | 'database'
  | 'assets'
  | 'totals'
  | 'indexes'
  | 'words'
  | 'log'
  | 'references'
  | 'files'
  | 'types';

/** A kind of finding. */
export interface Finding {
  readonly part: CheckedPart;
  /** Whether the store is wrong. What users may have caused is no fault: a reference without a target, an asset that no longer fits. */
  readonly isFault: boolean;
  readonly message: string;
  readonly count: number;
  /** The `_id`s of some of the assets. */
  readonly ids: readonly string[];
}

/** Collects findings. */
export type Findings = ReturnType<typeof createFindings>;

/** How often, and in which asset. */
export interface Occurrence {
  readonly id?: string;
  readonly ids?: readonly string[];
  readonly count?: number;
}

const maxIds = 10;
/** The most kinds of findings that are kept. */
const maxKinds = 1_000;

/** Creates an empty collection. */
export function createFindings() {
  const kinds = new Map<string, Finding & { count: number; ids: string[] }>();
  const add = (
    { part, isFault, message }: Pick<Finding, 'part' | 'isFault' | 'message'>,
    { id, ids = id === undefined ? [] : [id], count = 1 }: Occurrence,
  ) => {
    const key = `${part} ${message}`;
    const kind = kinds.get(key) ?? { part, isFault, message, count: 0, ids: [] };
    if (kinds.size < maxKinds) kinds.set(key, kind);
    kind.count += count;
    kind.ids.push(...ids.slice(0, maxIds - kind.ids.length));
  };
  return {
    /** Adds something that is wrong. */
    fault: (part: CheckedPart, message: string, about: Occurrence = {}) =>
      add({ part, isFault: true, message }, about),
    /** Adds something that the user should know. */
    notice: (part: CheckedPart, message: string, about: Occurrence = {}) =>
      add({ part, isFault: false, message }, about),
    /** Adds a finding of another collection. */
    add: (finding: Finding) => add(finding, finding),
    list: (): readonly Finding[] => [...kinds.values()],
  };
}
