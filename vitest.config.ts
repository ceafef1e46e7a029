import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { bundledThreads } from './test/support/bundled-threads.ts';
import { compileCache } from './test/support/compile-cache.ts';
import { SlowFilesFirst } from './test/support/slow-files-first.ts';

const mongoServer = 'test/support/mongo-server.ts';
const builtAdmin = 'test/support/built-admin.ts';
const builtCommandLine = 'test/support/built-command-line.ts';
const closeOpened = 'test/support/close-opened.ts';

/** Suites that run on each store run on SQLite in these lanes, and those of `onMongodb` on MongoDB in their own. */
const onSqlite = { ...compileCache, COLOPHON_TEST_STORES: 'SQLite' };

/** What of `test/integration` and `test/property` listens, generates code, ends threads, or takes long: it runs with the contract tests. */
const besideUnit = [
  'test/integration/{app,cli,client,codegen,store/sqlite,access/idempotency,mapping/routes}/**/*.test.ts',
  'test/integration/http/{base-path,health}.test.ts',
  'test/integration/mapping/{endpoint-races,describe/route-openapi}.test.ts',
  'test/property/{any-document*,cache-tags,change-log,feed,feed-predicates,graphql-execution}.test.ts',
  'test/property/{pages-*,selections,stores-agree,webhook-order}.test.ts',
];

/** Drills that `npm run test:long` alone runs: they kill processes many times, load the server, or compare times. */
export const drills = [
  'test/contract/deploy/rolling.test.ts',
  'test/contract/http/limits/{attacks,route-attacks,costly-*,held-bodies,large-*,types-check}.test.ts',
  'test/contract/http/workers/death-rounds.test.ts',
  'test/contract/http/webhooks/{kill,lease-lost}.test.ts',
  'test/contract/http/operating/{usage-after-kill,schedules-killed}.test.ts',
  'test/contract/cli/{costly-searches,kill-keyed,kill-often,publication-killed}.test.ts',
  'test/contract/transfer/{stored-values,two-imports,workers}.test.ts',
  'test/integration/store/mongo/drills/*.test.ts',
];

/** What `npm run test:more` runs besides `onMongodb`: a new test belongs here if one of the reasons applies. */
const more = [
  // The tools of others: generators of clients, Schemathesis, Varnish, nginx, and what is deployed with them.
  'test/contract/{generators,schemathesis}/**/*.test.ts',
  'test/contract/deploy/files.test.ts',
  'test/contract/front-ends/*.test.ts',
  'test/contract/client/breaking-change.test.ts',
  'test/contract/http/cache-tags/varnish.test.ts',
  'test/browser/{behind-nginx,other-origin,openid-sign-in}.test.ts',
  // The guide, followed to its end.
  'test/contract/guide.test.ts',
  'test/contract/cli/types-walkthrough.test.ts',
  'test/browser/guide*.test.ts',
  // Instances that break one promise each, and whole runs of the contract suite.
  'test/contract/contract-suite/**/*.test.ts',
  // Several processes on one store, processes that are killed, and clocks that only real time moves.
  'test/contract/http/processes/**/*.test.ts',
  'test/contract/http/workers/*.test.ts',
  'test/contract/http/graphql/several-processes.test.ts',
  'test/contract/http/limits/sign-in-limits.test.ts',
  'test/contract/http/operating/{full-disk,removed-file}.test.ts',
  'test/contract/http/webhooks/purge.test.ts',
  'test/contract/cli/{kill,types-of-store,bundle,bundled-packages,below-path,serve-deployed}.test.ts',
  'test/contract/store/crash.test.ts',
  'test/contract/files/s3.test.ts',
  'test/contract/transfer/{resume,interrupted,faulty-target}.test.ts',
  'test/contract/backup/**/*.test.ts',
  // Clients that send garbage, or requests ahead of their answers.
  'test/contract/http/connections/{garbage,pipelining}.test.ts',
  'test/browser/{first-paint,page-code,weight}.test.ts',
  // Every page at every size and colour, and pages where something fails: a session, a server, two who write at once.
  'test/browser/{broken-query,content-types,day-of-an-editor,drafts,every-page,live-routes}.test.ts',
  'test/browser/{many-at-once,merging,releases,type-page}.test.ts',
  'test/browser/rich-text-failures.test.ts',
  // Pages of administrators, and what becomes of an asset over time; contract tests cover what they ask of the server.
  'test/browser/{audit,history,people,runs,saved-views}.test.ts',
  'test/browser/{session-ends,submitted-twice,unfit-content}.test.ts',
  'test/browser/webhook-{deliveries,failures}.test.ts',
  // Stores that fail, other runtimes, and whole commands whose parts other tests cover.
  'test/contract/http/{admin,cma}/failing-store.test.ts',
  'test/contract/client/{anywhere,retry}.test.ts',
  'test/contract/cli/{doctor,files,history,private-files,runs,user,webhook}.test.ts',
  'test/contract/transfer/{any-order,closed-run,files,modes,prune,selected,terminal}.test.ts',
  'test/contract/http/files/erased-files.test.ts',
  'test/integration/mapping/endpoint-races.test.ts',
  'test/integration/store/sqlite/searchable.test.ts',
  'test/integration/content/files/unused-files.test.ts',
  'test/contract/importers/*.test.ts',
  'test/browser/try-it.test.ts',
  'test/integration/{cli/new-space,codegen/{contributing,drift}}.test.ts',
  'test/property/any-documents.test.ts',
  // Whole suites on a store that has former names.
  'test/contract/store/renames/renamed-sqlite.test.ts',
];

/** Tests of what only MongoDB has. */
const onMongodbAlone = ['test/integration/store/mongo/**/*.test.ts', 'test/contract/files/grid-fs.test.ts'];

/** Suites that run on MongoDB in `npm run test:more`. `npm run test:long` runs all others there. */
const onMongodb = [
  ...onMongodbAlone,
  'test/property/{stores-agree,change-log}.test.ts',
  'test/integration/content/{batch,changes,drafts}/*.test.ts',
  'test/contract/store/renames/{renames,defaults,dropped-fields}.test.ts',
  'test/contract/http/files/files.test.ts',
  'test/contract/http/cma/{cma,erasing-deletions}.test.ts',
  'test/contract/backup/round-trip.test.ts',
];

/** Files that use the published package, in a clean checkout. */
const published = ['test/contract/published/**/*.test.ts'];

/**
 * The lanes of the tests. `npm test` runs the lanes unit, contract, browser and published; `npm run test:more` the lanes more and mongodb.
 */
export default defineConfig({
  plugins: [bundledThreads],
  test: {
    env: onSqlite,
    setupFiles: closeOpened,
    sequence: { sequencer: SlowFilesFirst },
    // Tests often wait: for the processes that they start, and for time limits to pass.
    maxWorkers: availableParallelism() + 2,
    // On a busy machine everything can take ten times as long for a while.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/{unit,architecture,integration,property}/**/*.test.ts'],
          exclude: [...besideUnit, ...onMongodbAlone],
          globalSetup: builtCommandLine,
          // These files share no state, so they can share threads and load each module once.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts', ...besideUnit],
          exclude: [...published, ...more, ...onMongodbAlone, ...drills],
          globalSetup: [mongoServer, builtCommandLine],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: more,
          globalSetup: [builtAdmin, builtCommandLine],
        },
      },
      { extends: true, test: { name: 'published', include: published } },
      {
        extends: true,
        test: {
          name: 'more',
          include: more,
          exclude: drills,
          globalSetup: [mongoServer, builtAdmin, builtCommandLine],
        },
      },
      {
        extends: true,
        test: {
          name: 'mongodb',
          include: onMongodb,
          exclude: drills,
          env: { ...compileCache, COLOPHON_TEST_STORES: 'MongoDB' },
          globalSetup: [mongoServer, builtCommandLine],
        },
      },
    ],
  },
});
