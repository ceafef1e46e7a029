/**
 * `npm run bench`: compares requests to Colophon with bare Express routes that make the same store calls by hand, and with constant
 * answers. It prints a table in Markdown for docs/architecture/costs.md, and then what the change log costs (`change-log.ts`) and what
 * followers cost (`followers/`).
 *
 * Environment: BENCH_ROUNDS and BENCH_SECONDS (how often and how long each server is measured in a row), BENCH_ASSETS (how many
 * articles), BENCH_STORE (a folder that `fill-store.ts` has filled, instead of a new store), BENCH_ONLY (rows that contain one
 * of these texts, separated by commas).
 * Machines differ and are noisy: read the ratios. The servers take turns within each round; the median round counts.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareChangeLog } from './change-log.ts';
import { compareServers } from './compare.ts';
import { fillStore } from './fill-store.ts';
import { compareFollowers } from './followers/compare-followers.ts';
import { createRows } from './rows.ts';
import { type Server, type ServerKind, serverKinds, startServer } from './servers/start-server.ts';
import { printHeading, printRow } from './table.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 10);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const assets = Number(process.env.BENCH_ASSETS ?? 10_000);
const only = (process.env.BENCH_ONLY ?? '').split(',');
const isChosen = ({ name }: { readonly name: string }) => only.some((text) => name.includes(text));
const rows = createRows(assets).filter(isChosen);

if (rows.length > 0) await compareRows();
await compareChangeLog({ rounds, isChosen });
await compareFollowers({ rounds, seconds, isChosen });

async function compareRows(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
  const servers = new Map<ServerKind, Server>();
  try {
    await createStores(folder);
    for (const kind of serverKinds) {
      const store = join(folder, kind === 'uncached' ? 'colophon' : kind);
      servers.set(kind, await startServer(kind, store));
    }
    printHeading(assets);
    for (const row of rows) printRow(row, await compareServers(row, { servers, rounds, seconds }));
  } finally {
    for (const server of servers.values()) server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates equal stores for Colophon and for the bare routes. */
async function createStores(folder: string): Promise<void> {
  const filled = process.env.BENCH_STORE ?? join(folder, 'colophon');
  if (process.env.BENCH_STORE === undefined) await fillStore(filled, assets);
  for (const kind of ['colophon', 'bare']) {
    const copy = join(folder, kind);
    if (!existsSync(copy)) cpSync(filled, copy, { recursive: true });
  }
}
