/**
 * `colophon mirror`: keeps a store or a file equal to the content of a server, from the feed of its changes.
 */

import { composeFiles, type FileParts } from '../../../app/compose/compose-files.ts';
import { openMirrorStore } from '../../../app/compose/compose-mirror.ts';
import { silentLogger, systemClock } from '../../../base/runtime.ts';
import { openHashedFiles } from '../../../transfer/files/hashed-files.ts';
import { createHttpFiles } from '../../../transfer/files/http-files.ts';
import { createStoreFiles } from '../../../transfer/files/store-files.ts';
import { openFileMirror } from '../../../transfer/mirror/file-mirror.ts';
import { type MirrorCounts, runMirror } from '../../../transfer/mirror/mirror.ts';
import { createMirrorFiles, type MirrorFiles } from '../../../transfer/mirror/mirror-files.ts';
import {
  createMirrorSource,
  type FeedTerms,
  type MirrorSource,
} from '../../../transfer/mirror/mirror-source.ts';
import type { MirrorTarget } from '../../../transfer/mirror/mirror-target.ts';
import { grouped, showProgress } from '../../../transfer/progress.ts';
import type { RetryPolicy } from '../../../transfer/target/retry-policy.ts';
import type { CommandCall } from '../../command.ts';
import { type MirrorPlace, readPlace } from '../../mirror/mirror-place.ts';
import { printJson } from '../../output.ts';
import { progressScreen } from '../../progress-screen.ts';
import { tuneGc } from '../../serving/gc-tuning.ts';
import { listenForStopSignals } from '../../serving/stop-signals.ts';
import { readWholeNumber } from '../../whole-number.ts';
import { createRuntime } from '../command-runtime.ts';
import { readServer } from './with-target.ts';

const waits = { firstWaitMs: 500, longestWaitMs: 30_000, longestRetryAfterSeconds: 300 };

const report = (message: string) => console.error(`colophon: ${message}`);

/** Runs `colophon mirror`. */
export async function mirror(call: CommandCall): Promise<void> {
  tuneGc();
  const stopping = listenForStopSignals(() =>
    report('stopping after what is under way; once more ends at once'),
  );
  const ending = new AbortController();
  const signal = AbortSignal.any([stopping.signal, ending.signal]);
  const counts: MirrorCounts = { written: 0, removed: 0, restarts: 0 };
  try {
    const attempts = readWholeNumber(call, 'attempts', { fallback: 8, min: 1, max: 100 });
    const opened = await open(call, { ...waits, attempts, signal });
    try {
      await run(call, { ...opened, counts, signal, stop: () => ending.abort() });
    } finally {
      await opened.storeFiles?.close();
      await opened.target.close();
    }
  } catch (error) {
    if (call.has('once') || !stopping.signal.aborted || error !== stopping.signal.reason) throw error;
    // Stopped before there was a target.
  } finally {
    ending.abort();
    stopping.ignore();
  }
  summarize(call, counts);
}

/** A source and a target that fit. */
interface Opened {
  readonly source: MirrorSource;
  readonly target: MirrorTarget;
  readonly feeds: readonly string[];
  readonly files?: MirrorFiles;
  /** The files of the store that is the target. */
  readonly storeFiles?: FileParts & { close(): Promise<void> };
}

/** Opens the target only when the source has answered for every type, so that nothing is written before. */
async function open(call: CommandCall, policy: RetryPolicy): Promise<Opened> {
  const place = await readPlace(call);
  const { feeds } = place;
  const terms = readTerms(call);
  const [url = ''] = call.positionals;
  const server = await readServer(call, { url, config: place.config, what: '<base url>' });
  const source = createMirrorSource({
    ...server,
    terms,
    // A file is for imports, which create assets; a store has the assets themselves.
    nulls: place.kind === 'file',
    policy,
    isOnce: call.has('once'),
    report,
  });
  for (const feed of feeds) await source.check(feed);
  const order = { source, policy, isReplacing: call.has('replace') };
  const target = await openTarget(place, { ...order, terms: { ...terms, source: source.name, feeds } });
  const folder = call.option('files');
  if (folder === undefined) return { source, target, feeds };
  const parts =
    place.kind === 'store' ? await composeFiles(place.config, createRuntime(call), {}) : undefined;
  const files = createMirrorFiles({
    source: createHttpFiles({
      ...server,
      policy: { ...policy, attempts: call.has('once') ? policy.attempts : Number.POSITIVE_INFINITY },
    }),
    folder: openHashedFiles(folder),
    store: parts && { files: createStoreFiles(parts), recordUses: parts.uses.record },
    report,
  });
  return { source, target, feeds, files, ...(parts && { storeFiles: parts }) };
}

async function openTarget(
  place: MirrorPlace,
  order: Omit<Parameters<typeof openMirrorStore>[1], 'chosen' | 'logger'>,
): Promise<MirrorTarget> {
  if (place.kind === 'file') return openFileMirror({ path: place.path, ...order });
  const { chosen, config } = place;
  const { target, warnings } = await openMirrorStore(config, { ...order, chosen, logger: silentLogger });
  for (const warning of warnings) report(`warning: ${warning}`);
  return target;
}

function readTerms(call: CommandCall): FeedTerms {
  const where = call.option('where');
  const values = call.options('value');
  return { ...(where !== undefined && { where }), ...(values.length > 0 && { values }) };
}

async function run(
  call: CommandCall,
  order: Opened & {
    readonly counts: MirrorCounts;
    readonly signal: AbortSignal;
    readonly stop: () => void;
  },
): Promise<void> {
  const { counts, target, source } = order;
  const isOnce = call.has('once');
  const display = showProgress({ unit: 'assets', screen: progressScreen(), clock: systemClock });
  const onProgress = () => {
    const lines = counts.written + counts.removed;
    display.update({ lines, done: lines });
  };
  const onCaughtUp = () => {
    display.end();
    if (!isOnce) report(`${target.name} has caught up; following ${source.name} until this is stopped`);
  };
  try {
    await runMirror({ ...order, isOnce, onProgress, onCaughtUp, report });
  } finally {
    display.end();
  }
}

function summarize(call: CommandCall, { written, removed, restarts }: MirrorCounts): void {
  if (call.has('json')) printJson({ written, removed, restarts });
  else console.log(`written ${grouped(written)}, removed ${grouped(removed)}`);
}
