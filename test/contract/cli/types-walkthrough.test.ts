/**
 * Does what docs/types-walkthrough.md says, from the top: writes its files, starts and stops its servers, runs its commands as
 * written, and compares what follows a command with its output.
 *
 * `npx` is this checkout's command line.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandLine } from '../../support/command-line.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { findFreePort } from '../../support/free-port.ts';
import { isOutput, readPage, type Step, stepsOf } from '../../support/guide.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { hostPath, type Serving, startScript, untilServing } from '../../support/shell.ts';

const page = readPage('docs/types-walkthrough.md');

vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
/** The ports of this machine, by those of the page. */
const ports = new Map<string, number>();
/** The servers by the ports of the page. */
const servers = new Map<string, Serving>();

beforeAll(async () => {
  for (const port of ['4000', '4001']) ports.set(port, await findFreePort());
  const npx = `#!/bin/sh
shift
exec '${process.execPath}' '${commandLine}' "$@"
`;
  write('bin/npx', npx);
  chmodSync(join(folder, 'bin/npx'), 0o755);
});
afterAll(async () => {
  for (const server of servers.values()) server.signal('SIGKILL', 'all');
  await Promise.all([...servers.values()].map(({ ended }) => ended));
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Runs a text of the page with the ports of this machine. */
function start(text: string) {
  const here = [...ports].reduce((left, [shown, port]) => left.replaceAll(shown, `${port}`), text);
  const environment = {
    ...compileCache,
    PATH: [join(folder, 'bin'), hostPath].join(delimiter),
    COLOPHON_PORT: `${ports.get('4000')}`,
    COLOPHON_LOG_LEVEL: 'silent',
  };
  return startScript(here, { cwd: folder, environment });
}

/** A step of the page, after the servers that the text before it stops. */
type Act = { readonly stops: string } | Step;

/** The steps of the page, and the servers that the reader stops, in order. */
function actsOf(text: string): Act[] {
  const parts = text.split(/(?=Stop the server on port \d+)/);
  return parts.flatMap((part, n): Act[] => {
    const [, stops] = /^Stop the server on port (\d+) with Ctrl-C/.exec(part) ?? [];
    if (n > 0 && stops === undefined) throw new Error(`Unclear: ${part.slice(0, 80)}`);
    return [...(stops === undefined ? [] : [{ stops }]), ...stepsOf(part).map(toServe)];
  });
}

/** A server that the page starts, unless the page shows that it does not start. */
const toServe = (step: Step): Step =>
  step.kind === 'run' && / npx colophon serve [^|]*$|^npx colophon serve [^|]*$/.test(step.command)
    ? { kind: 'serve', command: step.command }
    : step;

async function take(act: Act): Promise<void> {
  if ('stops' in act) {
    servers.get(act.stops)?.signal('SIGINT', 'all');
    const ended = await servers.get(act.stops)?.ended;
    expect(ended?.output).not.toContain('rror');
    servers.delete(act.stops);
    return;
  }
  if (act.kind === 'write') return write(act.path, `${act.text}\n`);
  if (act.kind === 'serve') {
    const [, port = '4000'] = /COLOPHON_PORT=(\d+)/.exec(act.command) ?? [];
    expect(servers.has(port)).toBe(false);
    servers.set(port, await untilServing(start(act.command)));
    return;
  }
  if (!isRepeatable(act.command)) return runAndCompare(act);
  await vi.waitFor(() => runAndCompare(act), { timeout: 20_000 });
}

async function runAndCompare({ command, output }: Extract<Step, { kind: 'run' }>): Promise<void> {
  const ended = await start(command).ended;
  expect(ended).toEqual({ exitCode: 0, output: ended.output });
  if (output && !isOutput(output, ended.output)) expect(ended.output).toBe(output.text);
}

/** A server notices within a second what another process has changed, so its answers may be asked for again. */
const isRepeatable = (command: string) => command.startsWith('curl -sG ');

const nameOf = (act: Act) => {
  if ('stops' in act) return `stop the server on port ${act.stops}`;
  return act.kind === 'write' ? `write ${act.path}` : act.command;
};

describe('docs/types-walkthrough.md', () => {
  let hasFailed = false;
  it.for(actsOf(page).map((act) => [nameOf(act), act] as const))('%s', async ([, act], { skip }) => {
    // Each step needs those before it.
    if (hasFailed) skip('a step before failed');
    hasFailed = true;
    await take(act);
    hasFailed = false;
  });
});
