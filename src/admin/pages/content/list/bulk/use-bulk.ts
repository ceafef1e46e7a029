/**
 * Does something with many assets, a few at a time. One that fails does not stop the others; what failed can be tried again.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiProblem, type ContentType } from '../../../../api.ts';
import { sayPattern } from '../../../../parts/data/describe-pattern.ts';
import { labelOfPath } from '../../../../parts/data/field-label.ts';
import { refreshDrafts } from '../../../../parts/releases/release-data.ts';
import type { SelectedAsset, Selection } from '../use-selection.ts';
import { type BulkTarget, closeRun, newTarget } from './bulk-run.ts';

/** What a dialog needs. `type` is the type of all selected assets. */
export interface BulkProps {
  readonly type: ContentType;
  readonly selection: Selection;
  readonly onClose: () => void;
}

/** An asset for which it failed, and why. */
export interface BulkFailure extends SelectedAsset {
  readonly message: string;
}

/** How far it is: before, under way or done. */
export interface BulkState {
  readonly phase: 'ready' | 'running' | 'done';
  readonly total: number;
  /** The assets for which it was done. */
  readonly succeeded: readonly SelectedAsset[];
  readonly failures: readonly BulkFailure[];
  /** The run of what was done; absent without one, and until it has ended. */
  readonly undoable?: string | undefined;
}

const ready: BulkState = { phase: 'ready', total: 0, succeeded: [], failures: [] };

/** Requests at a time: the server has others to serve. */
const atOnce = 4;

/**
 * Runs `act` for assets, all in one run, which is closed at the end; `run` does nothing while it runs already, and returns the failures. Their messages name the fields of
 * `type` as forms do.
 */
export function useBulk<Item extends SelectedAsset>(
  act: (item: Item, target: BulkTarget) => Promise<unknown>,
  type?: ContentType,
) {
  const client = useQueryClient();
  const [state, setState] = useState(ready);
  const isRunning = useRef(false);
  const isStopped = useRef(false);

  async function run(items: readonly Item[]): Promise<readonly BulkFailure[]> {
    if (isRunning.current) return [];
    isRunning.current = true;
    isStopped.current = false;
    const succeeded: SelectedAsset[] = [];
    const failures: BulkFailure[] = [];
    const left = [...items];
    const report = (phase: BulkState['phase'], undoable?: string) =>
      setState({ phase, total: items.length, succeeded: [...succeeded], failures: [...failures], undoable });
    report('running');
    const target = await newTarget(client);
    const name = target.headers['X-Run'];
    const work = async () => {
      for (let item = left.shift(); item; item = left.shift()) {
        if (isStopped.current) {
          failures.push({ ...item, message: 'Not tried' });
          continue;
        }
        try {
          await act(item, target);
          succeeded.push(item);
        } catch (error) {
          failures.push({ ...item, message: messageOf(error, type) });
          // The others would fail as well.
          if (error instanceof ApiProblem && wouldFailForAll(error)) isStopped.current = true;
        }
        report('running');
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    // A run that could not be closed closes by itself after a day, and before that when it is undone.
    if (name !== undefined) await closeRun(name).catch(() => {});
    report('done', succeeded.length > 0 ? name : undefined);
    isRunning.current = false;
    void refreshDrafts(client);
    void client.invalidateQueries({ queryKey: ['runs'] });
    return failures;
  }

  return {
    ...state,
    run,
    stop: () => {
      isStopped.current = true;
    },
  };
}

const wouldFailForAll = ({ status, code }: ApiProblem) =>
  [0, 401].includes(status) || code === 'release_full';

/** Says why a request failed; fields of `type` have their labels. */
export function messageOf(error: unknown, type: ContentType | undefined): string {
  const problems = error instanceof ApiProblem ? error.problems : [];
  if (problems.length > 0) {
    const nameOf = (path: string) => (type ? labelOfPath(type, path) : path);
    return problems.map(({ path, message }) => `${nameOf(path)} ${sayPattern(message)}`).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
