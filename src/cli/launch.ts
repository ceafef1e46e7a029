#!/usr/bin/env node
/**
 * What the published `colophon` starts: the command line, on the Node.js that it needs and with the cache of compiled code.
 *
 * The host's Node.js runs this file. When that one is too old, the one from the package `node`, an optional peer, runs the command line
 * instead, as a child that gets every signal and whose end is this process's end. So this file keeps to what Node.js 20 knows, and
 * loads the command line only where it can run.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheCompiledCode } from './compile-cache.ts';
import { mainFile } from './main-file.ts';

const oldestMajor = 24;
const require = createRequire(import.meta.url);

if (isNewEnough(process.versions.node)) {
  cacheCompiledCode();
  void import('./main.ts');
} else {
  const manifestFile = findNodePackage();
  const program = manifestFile && findProgram(manifestFile);
  if (program) runOn(program);
  else refuse(manifestFile ? 'npm rebuild node' : `npm install node@${testedVersion()}`);
}

function isNewEnough(version: string): boolean {
  return Number.parseInt(version, 10) >= oldestMajor;
}

/** Finds the manifest of the package `node`, if a version that can run Colophon is installed. */
function findNodePackage(): string | undefined {
  try {
    const manifestFile = require.resolve('node/package.json');
    return isNewEnough(require(manifestFile).version) ? manifestFile : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the package's program; absent when its installation script has not run. */
function findProgram(manifestFile: string): string | undefined {
  const program = join(dirname(manifestFile), require(manifestFile).bin.node);
  return existsSync(program) ? program : undefined;
}

/** The version of the package `node` with which Colophon is developed and tested. */
function testedVersion(): string {
  return require('colophon/package.json').devDependencies.node;
}

function refuse(remedy: string): void {
  console.error(
    `colophon: needs Node.js ${oldestMajor} or later, and this is ${process.version}. Install Node.js ${oldestMajor}, or run ` +
      `${remedy}, which adds it to this folder alone.`,
  );
  process.exitCode = 1;
}

function runOn(program: string): void {
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
