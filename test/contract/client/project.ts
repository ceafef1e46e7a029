/** A user's project in a temporary folder, with the client as its only package: compiled by TypeScript, run by any Node. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A project. */
export interface Project {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Compiles the written files into `built/`; returns the compiler's messages, empty on success. */
  compile(moduleResolution: 'nodenext' | 'bundler'): Promise<string>;
  /** Runs a module of the folder; returns its output. */
  run(node: string, words: readonly string[]): Promise<string>;
  remove(): void;
}

/** The strictest compiler settings a user can choose. */
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  verbatimModuleSyntax: true,
  target: 'es2022',
  types: [],
  outDir: 'built',
};

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** Creates a project. `client` is the folder of a package to copy into it, when none will be installed. */
export function createProject(client?: string): Project {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-project-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('package.json', '{"name":"project","private":true,"type":"module"}');
  if (client) cpSync(client, join(folder, 'node_modules/colophon-client'), { recursive: true });
  return {
    folder,
    write,
    async compile(moduleResolution) {
      const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext';
      const compilerOptions = { ...strictest, module, moduleResolution };
      write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts', '*.cts'] }));
      return (await execute(process.execPath, [tsc, '-p', folder], folder)).output;
    },
    async run(node, words) {
      const { output, failed } = await execute(node, words, folder);
      if (failed) throw new Error(`${node} ${words[0]} failed: ${output}`);
      return output;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function execute(file: string, words: readonly string[], cwd: string) {
  return new Promise<{ output: string; failed: boolean }>((resolve) => {
    execFile(file, [...words], { cwd }, (error, stdout, stderr) => {
      resolve({ output: stdout + stderr, failed: error !== null });
    });
  });
}

/** Returns a source of this suite as a user would write it, importing the client by package name instead of by path. */
export function asUser(name: string): string {
  const text = readFileSync(join(import.meta.dirname, name), 'utf8');
  return text
    .replaceAll("'../../../generated/client/lib/index.js'", "'colophon-client'")
    .replaceAll("'../../../generated/client/lib/admin.js'", "'colophon-client/admin'");
}

/** Finds the Node installed on the machine, other than the one that runs the tests; those of npm packages do not count. */
export function findHostNode(): string | undefined {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file));
}
