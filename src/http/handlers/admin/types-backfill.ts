/**
 * The handler of the state of the backfill of renamed fields.
 */
import type { RenamedField, TypesBackfill } from '../../../../generated/server/admin.ts';
import { type AdminHandlers, ok } from './responses.ts';

/** What the handler needs. */
export interface TypesBackfillServices {
  readonly backfill: BackfillReader;
}

/** Describes the backfill of a store. */
export interface BackfillReader {
  /** Reads the status. Errors: store_busy, store_failure. */
  read(): Promise<BackfillStatus>;
}

/** Where the backfill of a store is, and what comes next. */
export interface BackfillStatus {
  readonly phase: TypesBackfill['phase'];
  /** The renamed fields; in the phase `none`, those stored under former names. */
  readonly fields: readonly RenamedField[];
  readonly types: readonly { readonly type: string; readonly assets: number }[];
  /** Why no command can do what comes next now. */
  readonly obstacle?:
    | { readonly kind: 'servers'; readonly count: number; readonly folders: readonly string[] }
    | { readonly kind: 'running' };
  /** What a command would do next; absent when nothing is left to do. */
  readonly next?: NonNullable<TypesBackfill['next']>;
  /** Absent while the phase needs no work. */
  readonly progress?: BackfillProgress;
}

/** How far a phase is; `type` is the class name of the content type under way. */
interface BackfillProgress {
  readonly type?: string;
  readonly visited: number;
  readonly rewritten: number;
  readonly total: number;
  readonly startedMs: number;
}

/** Creates the handler. */
export function createTypesBackfillHandlers({
  backfill,
}: TypesBackfillServices): Pick<AdminHandlers, 'getTypesBackfill'> {
  return { getTypesBackfill: async () => ok(toResource(await backfill.read())) };
}

function toResource({ phase, fields, types, obstacle, next, progress }: BackfillStatus): TypesBackfill {
  return {
    phase,
    fields: [...fields],
    types: types.map(({ type, assets }) => ({ type, assets })),
    isRunning: obstacle?.kind === 'running',
    ...(next && { next }),
    ...(progress && { progress: toProgress(progress) }),
    ...(obstacle?.kind === 'servers' && {
      blockedBy: { servers: obstacle.count, folders: [...obstacle.folders] },
    }),
  };
}

const toProgress = ({ type, visited, rewritten, total, startedMs }: BackfillProgress) => ({
  ...(type !== undefined && { type }),
  visited,
  rewritten,
  total,
  startedAt: startedMs,
});
