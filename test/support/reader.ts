/**
 * Simulates a reader of README.md and the guide, who pastes their commands in order into a clean checkout.
 *
 * Two things differ for a real reader: packages are shared with this checkout instead of `npm ci`, and a free port replaces
 * port 4000. All servers use the same port, so that two at a time fail as they do for the reader.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.ts';
import { copyCheckout } from './clean-checkout.ts';
import { compileCache } from './compile-cache.ts';
import { findFreePort } from './free-port.ts';
import { hostPath, type Outcome, type Running, startScript, untilServing } from './shell.ts';

/** A simulated reader. */
export interface Reader {
  /** Replaces port 4000 in a text with the port of the reader's servers. */
  here(text: string): string;
  /** Pastes a block of commands. */
  run(block: string): Promise<Outcome>;
  /** Pastes a block that starts a server, and waits until it listens; returns its output so far. */
  serve(block: string): Promise<string>;
  /** Stops the running server, if any, with Ctrl-C. */
  interrupt(): Promise<void>;
  /** Writes a file in the checkout. */
  write(path: string, text: string): void;
  remove(): Promise<void>;
}

/** Creates a clean checkout and its reader. */
export async function createReader(): Promise<Reader> {
  const place = mkdtempSync(join(tmpdir(), 'colophon-reader-'));
  const checkout = join(place, 'colophon');
  copyCheckout(checkout);
  // `npm ci` builds the admin UI for a real reader; here the setup of the tests has built it.
  const built = join(packageRoot, 'dist');
  if (existsSync(built)) symlinkSync(realpathSync(built), join(checkout, 'dist'));
  const port = await findFreePort();
  const environment = {
    ...compileCache,
    HOME: process.env.HOME ?? place,
    PATH: hostPath,
    COLOPHON_PORT: `${port}`,
    COLOPHON_LOG_LEVEL: 'silent',
    // The commands must not need the npm registry.
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
  };
  const here = (text: string) => text.replaceAll(':4000', `:${port}`);
  const start = (block: string) => startScript(here(block), { cwd: checkout, environment });
  let server: Running | undefined;
  return {
    here,
    run: (block) => start(block).ended,
    async serve(block) {
      server = start(block);
      return (await untilServing(server)).output();
    },
    async interrupt() {
      server?.signal('SIGINT', 'all');
      await server?.ended;
      server = undefined;
    },
    write(path, text) {
      mkdirSync(dirname(join(checkout, path)), { recursive: true });
      writeFileSync(join(checkout, path), here(text));
    },
    async remove() {
      server?.signal('SIGKILL', 'all');
      await server?.ended;
      rmSync(place, { recursive: true });
    },
  };
}
