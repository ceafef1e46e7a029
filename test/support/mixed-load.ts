/** Clients that create, update, read and delete assets and send batches, and remember what was acknowledged. */
import type { Agent } from 'node:http';
import { expect } from 'vitest';
import type { ServingProcess } from './command-line.ts';
import { cmaPath } from './two-servers.ts';
import { send, type WorkerRequest } from './workers.ts';

/** What the responses of a load have promised. */
export interface Promised {
  /** The name of each asset by its ID; `undefined` for one that was deleted. Without those whose last request had no response. */
  readonly names: Map<string, string | undefined>;
  /** The name that all assets of an atomic batch have, and whether the batch had a response. */
  readonly batches: Map<string, boolean>;
}

/** The number of operations of each batch. */
const batchSize = 3;

/** A load of one client. */
export interface MixedLoad {
  readonly serving: ServingProcess;
  /** The content type, whose field `name` the load sets. */
  readonly type: string;
  /** Begins each name. */
  readonly label: string;
  /** The connection to use; absent means a new one for each request. */
  readonly agent?: Agent | undefined;
  readonly promised: Promised;
}

/** What a load has seen. */
export interface LoadResult {
  /** How many requests had no response. */
  readonly failures: number;
  /** Whether the kept connection was renewed, because this process was too slow to use it. */
  readonly isRenewed: boolean;
}

/** A server closes a connection that is idle for 5 s. One that is idle for this long may be closed already. */
const maxIdleMs = 3_000;

/** Sends requests until `isOver`. Each that has a response must succeed. */
export async function runMixedLoad(load: MixedLoad, isOver: () => boolean): Promise<LoadResult> {
  let failures = 0;
  let isRenewed = false;
  let usedMs = performance.now();
  const use = () => {
    if (performance.now() - usedMs > maxIdleMs) {
      load.agent?.destroy();
      isRenewed = true;
    }
  };
  const used = () => {
    usedMs = performance.now();
  };
  for (let n = 0; !isOver(); n++) {
    try {
      await runCycle({ ...load, use, used }, n);
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
      failures++;
      used();
    }
  }
  return { failures, isRenewed };
}

/** A load with the functions to call before and after each request. */
interface TimedLoad extends MixedLoad {
  use(): void;
  used(): void;
}

async function runCycle(load: TimedLoad, n: number): Promise<void> {
  const { serving, type, label, agent, promised, use, used } = load;
  const { names, batches } = promised;
  const ask = async (request: WorkerRequest) => {
    use();
    const response = await send(serving, { ...request, ...(agent && { agent }) });
    used();
    expect(response.status).toBeLessThan(300);
    return response.body?.result;
  };
  const name = `${label} ${n}`;
  const { _id: id } = await ask({ method: 'POST', path: cmaPath, body: { _type: type, name } });
  const path = `${cmaPath}/${id}`;
  const changed = `${name} changed`;
  await ask({ method: 'PUT', path, body: { name: changed } });
  names.set(id, changed);
  expect(await ask({ path })).toMatchObject({ name: changed });
  if (n % 3 === 0) {
    names.delete(id);
    await ask({ method: 'DELETE', path });
    names.set(id, undefined);
  }
  if (n % 4 === 0) {
    const asset = { _type: type, name: `${name} batch` };
    batches.set(asset.name, false);
    const operations = Array.from({ length: batchSize }, () => ({ action: 'create', asset }));
    await ask({ method: 'POST', path: `${cmaPath}/batch`, body: { operations, atomic: true } });
    batches.set(asset.name, true);
  }
}

/** Compares stored assets with what was promised; returns the names and IDs that differ. */
export function findBroken(
  stored: readonly { readonly _id: string; readonly name: string }[],
  { names, batches }: Promised,
): string[] {
  const byId = new Map(stored.map(({ _id, name }) => [_id, name]));
  const counts = Map.groupBy(stored, ({ name }) => name);
  const lost = [...names].filter(([id, name]) => byId.get(id) !== name).map(([id]) => id);
  const partial = [...batches].filter(([name, isAcknowledged]) => {
    const count = counts.get(name)?.length ?? 0;
    return count !== batchSize && (isAcknowledged || count !== 0);
  });
  return [...lost, ...partial.map(([name]) => name)];
}
