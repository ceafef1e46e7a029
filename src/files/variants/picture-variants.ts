/**
 * The variants of pictures: each is made once, when it is first asked for, and then kept.
 *
 * Few are made at a time, in turns of those who ask, and a limited number of each may wait, so that requests for many pictures neither take
 * the processor from other requests nor keep others waiting. The time counts as the work of the sender.
 */

import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { isDomainError, notFound, tooManyRequests } from '../../base/errors.ts';
import { createFairQueue, type QueuedCall, type RunObserver } from '../../base/fair-queue.ts';
import { type Metric, toNumberMetric } from '../../base/metrics/metric.ts';
import type { FileRecord } from '../../content/files/file-record.ts';
import type { ByteRange } from '../../store/file-place.ts';
import type { StoredFiles } from '../stored-files.ts';
import type { MakeVariant } from './picture-variant.ts';
import { type PictureVariant, variantName } from './picture-variant.ts';
import type { VariantCache } from './variant-cache.ts';

/** A variant that is ready; it is opened once, or closed. */
interface ReadyVariant {
  readonly bytes: number;
  open(range?: ByteRange): Readable;
  close(): Promise<void>;
}

/** A variant of a picture that somebody asks for; `sender` is the name of `nameSender`. */
export interface VariantRequest {
  readonly file: FileRecord;
  readonly variant: PictureVariant;
  readonly sender: string;
}

export type PictureVariants = ReturnType<typeof createPictureVariants>;

/** Leaves a core to the requests. */
const maxAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
/** How many variants of one sender may wait. */
const maxWaiting = 100;

/** For how long a picture that could not be decoded is refused without another attempt, and how many are remembered. */
const refusals = { max: 1000, ttl: 600_000 };

/** Creates the variants. `cache` is absent where none are kept; `onRun` receives for how long each was made, and for whom. */
export function createPictureVariants({
  files,
  make,
  cache,
  onRun,
}: {
  files: Pick<StoredFiles, 'open'>;
  make: MakeVariant;
  cache: VariantCache | undefined;
  onRun?: RunObserver | undefined;
}) {
  const making = new Map<string, Making<Buffer>>();
  const refused = new LRUCache<string, Error>(refusals);
  const turns = createVariantTurns({ maxRunning: maxAtOnce, maxWaiting, onRun });
  let made = 0;

  async function makeNow(file: FileRecord, variant: PictureVariant): Promise<Buffer> {
    const known = refused.get(file.hash);
    if (known) throw known;
    try {
      const source = await files.open(file);
      if (!source) throw notFound(file.hash, 'file');
      const bytes = await make(source, file, variant);
      made++;
      await cache?.keep(file.hash, variantName(variant), bytes);
      return bytes;
    } catch (error) {
      if (isDomainError(error, 'invalid_parameter')) refused.set(file.hash, error);
      throw error;
    }
  }

  /** Makes a variant in the sender's turn, or waits with others for it. */
  async function makeOnce({ file, variant, sender }: VariantRequest): Promise<Buffer> {
    const known = refused.get(file.hash);
    if (known) throw known;
    const key = `${file.hash}/${variantName(variant)}`;
    const begun = making.get(key);
    begun?.join(sender);
    if (begun) return begun.result;
    const one = turns.begin(sender, () => makeNow(file, variant));
    making.set(key, one);
    try {
      return await one.result;
    } finally {
      making.delete(key);
    }
  }

  return {
    /**
     * Returns a variant of a picture, which it makes unless it is kept. Errors: not_supported, too_many_requests when too many of the sender
     * wait, invalid_parameter for a picture that cannot be decoded, not_found when its bytes are gone, that of `damagedFile` when they are damaged.
     */
    async get(request: VariantRequest): Promise<ReadyVariant> {
      const handle = await cache?.open(request.file.hash, variantName(request.variant));
      if (!handle) return toReady(await makeOnce(request));
      const { size } = await handle.stat();
      return { bytes: size, open: (range) => handle.createReadStream(range), close: () => handle.close() };
    },
    remove: async (hash: string): Promise<void> => cache?.remove(hash),
    collect: (): Metric[] => [
      toNumberMetric({
        name: 'colophon_picture_variants_total',
        help: 'Variants of pictures that were made.',
        type: 'counter',
        combine: 'sum',
        value: made,
      }),
      toNumberMetric({
        name: 'colophon_picture_variants_waiting',
        help: 'Variants of pictures that wait to be made.',
        type: 'gauge',
        combine: 'sum',
        value: turns.waiting(),
      }),
    ],
  };
}

function toReady(bytes: Buffer): ReadyVariant {
  return {
    bytes: bytes.length,
    open: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)]),
    close: async () => {},
  };
}

// Decides which variant of a picture is made next. Senders take turns, so that one who asks for many pictures delays no other by more than
// the variant that is being made.
//
// Several senders may wait for one variant. It is made in the turn that comes first, and counts as the work of that sender.

/** A variant that waits or is being made. */
interface Making<Result> {
  readonly result: Promise<Result>;
  /** Makes it in a turn of this sender if that comes first. */
  join(sender: string): void;
}

/** The turns of a process. */
export type VariantTurns = ReturnType<typeof createVariantTurns>;

interface TurnRules {
  /** How many tasks run at once. */
  readonly maxRunning: number;
  /** How many turns of one sender may wait. */
  readonly maxWaiting: number;
  /** Receives how long each task has run. */
  readonly onRun?: RunObserver | undefined;
}

interface Turn extends QueuedCall {
  readonly start: (turn: Turn) => void;
}

export function createVariantTurns({ maxRunning, maxWaiting, onRun }: TurnRules) {
  const queue = createFairQueue<Turn>(maxWaiting, onRun);
  let running = 0;
  let waiting = 0;

  function dispatch(): void {
    for (; running < maxRunning; running++) {
      const turn = queue.take();
      if (!turn) return;
      turn.start(turn);
    }
  }

  /** Runs a task in a turn of the sender. Errors: too_many_requests when too many of its tasks wait. */
  function begin<Result>(sender: string, task: () => Promise<Result>): Making<Result> {
    const { promise: result, resolve } = Promise.withResolvers<Result>();
    let turns: readonly Turn[] | undefined = [];

    async function run(turn: Turn): Promise<Result> {
      try {
        return await task();
      } finally {
        queue.finish(turn);
        running--;
        dispatch();
      }
    }

    function start(turn: Turn): void {
      for (const other of turns ?? []) if (other !== turn) queue.remove(other);
      turns = undefined;
      waiting--;
      resolve(run(turn));
    }

    function join(client: string): boolean {
      if (!turns || turns.some((turn) => turn.client === client)) return true;
      const turn = { client, isPreempted: false, start };
      turns = [...turns, turn];
      return queue.add(turn);
    }

    if (!join(sender)) throw tooManyRequests();
    waiting++;
    dispatch();
    // A sender with a full queue waits for the turns of the others.
    return { result, join: (client) => void join(client) };
  }

  return { begin /** Returns how many tasks wait. */, waiting: () => waiting };
}
