/** A real Varnish with its module xkey in front of a server. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { findFreePort } from './free-port.ts';

const program = '/usr/sbin/varnishd';

/** A running Varnish. */
export interface Varnish {
  readonly url: string;
  stop(): Promise<void>;
}

/** Describes tests that need Varnish: where it is missing they are skipped visibly, and fail under CI. */
export function describeBehindVarnish(name: string, define: () => void): void {
  const isMissing = !existsSync(program);
  if (isMissing && process.env.CI) throw new Error(`${program} is missing: .ci/install-varnish`);
  describe.skipIf(isMissing)(isMissing ? `${name} (skipped: no ${program})` : name, define);
}

/** Starts Varnish in front of a server; `declarations` is VCL without its version and its backend. */
export async function startVarnish(backendUrl: string, declarations: string): Promise<Varnish> {
  const { hostname, port: backendPort } = new URL(backendUrl);
  const folder = mkdtempSync(join(tmpdir(), 'colophon-varnish-'));
  const file = join(folder, 'default.vcl');
  const backend = `backend default { .host = "${hostname}"; .port = "${backendPort}"; }`;
  writeFileSync(file, `vcl 4.1;\n${backend}\n${declarations}`);
  const port = await findFreePort();
  const place = ['-a', `127.0.0.1:${port}`, '-n', join(folder, 'work'), '-f', file];
  const child = spawn(program, ['-F', ...place, '-j', 'none', '-T', 'none', '-s', 'default,16m'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`Varnish ended: ${errors}`);
    await sleep(50);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
