/**
 * The run that an import writes in, so that it can be reverted as a whole. A target without a change log is written to without one.
 */
import { runClosed, runForeign } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { Batch, BatchResponse, ContentTarget, OperationResult } from '../target/content-target.ts';
import type { Journal } from './journal.ts';

/** The parts that the run of an import needs. */
export interface ImportRunParts {
  readonly journal: Pick<Journal, 'run' | 'setRun'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** The name that the caller chose; absent means that the import chooses one. */
  readonly chosen?: string;
  /** Called with the name after the first write in a run, since a run begins with it; `closed` is the run that it follows. */
  readonly onRun: (run: string, closed?: string) => void;
}

/** How often a run may turn out to be closed. */
const maxRenames = 3;

/**
 * Returns the target with batches that belong to the run of the import: the one that the journal has, or a new one. When that is
 * closed, because the import was interrupted for a day or was reverted, another follows it.
 *
 * Errors: run_foreign; run_closed when the caller has chosen the run.
 */
export function writeInRun(target: ContentTarget, parts: ImportRunParts): ContentTarget {
  const { journal, clock, ids, chosen, onRun } = parts;
  let renames = 0;
  let run = chosen ?? journal.run() ?? newName();
  let follows: string | undefined;
  let isAnnounced = false;
  if (run !== '') use(run);

  function newName(): string {
    const date = new Date(clock.nowMs()).toISOString().slice(0, 10);
    return `import-${date}-${ids.version().slice(0, 8)}`;
  }

  function use(name: string, closed?: string): void {
    [run, follows, isAnnounced] = [name, closed, false];
    journal.setRun(name);
  }

  function announce(response: BatchResponse): void {
    if (isAnnounced || response.kind === 'refused' || !response.results.some(isWrite)) return;
    isAnnounced = true;
    onRun(run, follows);
  }

  /** Decides how to go on after a run was refused. Returns whether to send the batch again. */
  function goOn(used: string, code: string): boolean {
    if (code !== 'run_closed' && code !== 'run_foreign' && code !== 'not_supported') return false;
    // Another batch has found out already.
    if (run !== used) return true;
    if (code === 'not_supported') use('');
    else if (code === 'run_foreign') throw runForeign(used);
    else if (chosen !== undefined || ++renames > maxRenames) throw runClosed(used);
    else use(newName(), used);
    return true;
  }

  async function batch(wanted: Batch): Promise<BatchResponse> {
    for (;;) {
      const used = run;
      const response = await target.batch(used === '' ? wanted : { ...wanted, run: used });
      if (used === '') return response;
      if (used === run) announce(response);
      if (response.kind !== 'refused') return response;
      if (!goOn(used, response.refusal.code)) return response;
    }
  }

  return { ...target, batch };
}

const isWrite = ({ outcome }: OperationResult) => outcome !== 'refused' && outcome !== 'unchanged';
