#!/usr/bin/env node
/**
 * What the published `colophon` starts: the command line, on the Node.js that it needs.
 *
 * The host's Node.js runs this file. When that one is too old, the one that the package `node` brings runs the command line instead, as
 * a child that gets every signal and whose end is this process's end. So this file keeps to what Node.js 20 knows, and loads the
 * command line only where it can run.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { mainFile } from './main-file.ts';

const oldestMajor = 24;

if (Number.parseInt(process.versions.node, 10) >= oldestMajor) await import('./main.ts');
else runOn(findBundledNode());

/** The program of the package `node`; absent when its installation script has not run. */
function findBundledNode(): string | undefined {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('node/package.json');
  const { bin } = require(manifest);
  const program = join(dirname(manifest), bin.node);
  return existsSync(program) ? program : undefined;
}

function runOn(program: string | undefined): void {
  if (program === undefined) {
    console.error(
      `colophon: needs Node.js ${oldestMajor} or later, and this is ${process.version}. The package "node", which brings it, is not ` +
        `installed completely: run npm rebuild node, or install Node.js ${oldestMajor}.`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(program, [mainFile, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // At a terminal Ctrl-C reaches the child by itself, and a second one could cut its end short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    console.error(`colophon: ${program} does not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.once('exit', (exitCode, signal) => {
    if (signal === null) process.exit(exitCode ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
