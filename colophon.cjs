/**
 * The command line in a checkout, as `npm start` and `npm run colophon` start it: runs the bundle of the present sources, which starts
 * several times as quickly, and builds it first when there is none.
 *
 * A bundle belongs to the exact sources from which it was built: their paths, sizes and times make the name of its folder. It is never
 * changed, because a running server loads parts of it later. Without the bundler, or when it fails, the sources run. This file is
 * JavaScript, because Node.js would need 18 MB to read TypeScript.
 */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readdirSync, rmSync, statSync, utimesSync } = require('node:fs');
const { join } = require('node:path');

const builds = join(__dirname, 'dist/checkout');
/** What a bundle is made of; the admin UI is built apart. */
const sources = [
  'src',
  'generated/server',
  'package.json',
  'package-lock.json',
  'build-server.ts',
  'bundled-packages.ts',
];
const notBundled = join(__dirname, 'src/admin');
/** Bundles that older sources made and that servers may still run on. */
const keptBuilds = 10;

const build = join(builds, identifySources());
if (existsSync(join(build, 'launch.cjs')) || bundle()) {
  markUsed();
  require(join(build, 'launch.cjs'));
} else import('./src/cli/launch.ts');

/** Returns a hash that every change of a source changes. */
function identifySources() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  const visitFolder = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (path === notBundled) continue;
      if (entry.isDirectory()) visitFolder(path);
      else visit(path);
    }
  };
  for (const source of sources) {
    const path = join(__dirname, source);
    if (statSync(path).isDirectory()) visitFolder(path);
    else visit(path);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds the bundle; returns whether it is there. */
function bundle() {
  if (!existsSync(join(__dirname, 'node_modules/rolldown'))) return false;
  // What it prints goes to standard error, since standard output belongs to the command.
  const built = spawnSync(process.execPath, [join(__dirname, 'build.ts'), '--server', build], {
    stdio: ['ignore', 2, 2],
  });
  if (built.status !== 0) return false;
  for (const old of listBuilds().slice(keptBuilds)) rmSync(old, { recursive: true, force: true });
  return true;
}

/** Lists the bundles, the last used one first. */
function listBuilds() {
  const used = readdirSync(builds).map((name) => ({ path: join(builds, name), ...lastUse(name) }));
  return used.sort((one, other) => other.mtimeMs - one.mtimeMs).map(({ path }) => path);
}

function lastUse(name) {
  return statSync(join(builds, name), { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
}

function markUsed() {
  try {
    utimesSync(build, new Date(), new Date());
  } catch {
    // The checkout may be read-only, or belong to another user.
  }
}
