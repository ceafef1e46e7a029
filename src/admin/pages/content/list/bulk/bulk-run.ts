/**
 * The run of what a user does with many assets at once: its name, its end, and how it is undone.
 */
import type { QueryClient } from '@tanstack/react-query';
import { ApiProblem, type Asset, admin, answer, answerWithTag, type Run } from '../../../../api.ts';
import { isWithoutLog } from '../../../../parts/problems/problem-alert.tsx';
import { releaseList } from '../../../../parts/releases/release-data.ts';
import { inRelease } from '../../../../parts/releases/work-release.ts';

/** What each request of a bulk action sends: the release that the user works in, otherwise a run. */
export interface BulkTarget {
  readonly query: { release?: string };
  readonly headers: { 'X-Run'?: string };
}

/** Returns the target of a new bulk action. Drafts belong to no run, and a store without a change log has no runs. */
export async function newTarget(client: QueryClient): Promise<BulkTarget> {
  const query = inRelease();
  if (query.release !== undefined || !(await isLogged(client))) return { query, headers: {} };
  return { query, headers: { 'X-Run': newRunName() } };
}

/** Closes a run, so that it can be undone two seconds later. Errors: ApiProblem. */
export const closeRun = (run: string): Promise<Run> => answer(admin.closeRun({ path: { run } }));

const pollMs = 500;
const maxTries = 12;

/** Closes a run, reverts it and waits for the end; `onProgress` receives each state before. Errors: ApiProblem. */
export async function undoRun(run: string, onProgress: (state: Run) => void): Promise<Run> {
  await closeRun(run);
  let state = await startRevert(run);
  while (state.revert?.state === 'running') {
    onProgress(state);
    await wait();
    state = await answer(admin.getRun({ path: { run } }));
  }
  return state;
}

/** Starts the revert, as soon as no server can permit a write in the run any more. */
async function startRevert(run: string): Promise<Run> {
  for (let tries = 1; ; tries++) {
    try {
      const started = await answer(admin.revertRun({ path: { run }, body: {} }));
      // Only a dry run returns a plan.
      return 'name' in started ? started : await answer(admin.getRun({ path: { run } }));
    } catch (error) {
      const isEarly = error instanceof ApiProblem && error.code === 'run_active';
      if (!isEarly || tries === maxTries) throw error;
      await wait();
    }
  }
}

const wait = () => new Promise((resolve) => setTimeout(resolve, pollMs));

async function isLogged(client: QueryClient): Promise<boolean> {
  try {
    await client.fetchQuery({ ...releaseList, staleTime: 60_000 });
    return true;
  } catch (error) {
    return !isWithoutLog(error);
  }
}

function newRunName(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(6))];
  const random = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `edit-${random}`;
}

/** Reads the asset, and writes the fields that `change` returns. Errors: ApiProblem; those of `change`. */
export async function updateFresh({
  id,
  target: { query, headers },
  change,
}: {
  id: string;
  target: BulkTarget;
  change: (stored: Asset) => Record<string, unknown>;
}): Promise<unknown> {
  const path = { id };
  const { data, tag } = await answerWithTag(admin.getContent({ path, query }));
  const condition = tag === undefined ? {} : { 'If-Match': tag };
  return answer(
    admin.updateContent({ path, query, body: change(data), headers: { ...headers, ...condition } }),
  );
}
