/** Runs the suite against a running instance: by the command line in a separate process, or within the test process. */
import { randomUUID } from 'node:crypto';
import { parse } from 'yaml';
import type { InstanceRules } from '../../../src/contract/apis/cma-under-test.ts';
import type { CaseResult } from '../../../src/contract/case.ts';
import type { Selection } from '../../../src/contract/run-cases.ts';
import { type ContractRun, runContract } from '../../../src/contract/run-contract.ts';
import { bundleDocument, readCmaDocument } from '../../../src/documents/openapi-document.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { loadTypes } from '../../../src/types/load-types.ts';
import { readTypeSources } from '../../../src/types/type-sources.ts';
import { credentialsOf, type Environment, startCommand } from '../../support/command-line.ts';
import type { ClientHeaders, TestInstance } from '../../support/instance.ts';
import { parseTap } from './tap.ts';

/** Bundles the CMA's document for a folder of types. */
export function documentFor(typesDir: string): JsonObject {
  const catalog = loadTypes(readTypeSources(typesDir));
  return bundleDocument({ source: readCmaDocument(), catalog }) as unknown as JsonObject;
}

/** Returns the environment variables with the credentials. */
export function environmentFor(client: ClientHeaders, admin?: ClientHeaders): Environment {
  return {
    ...credentialsOf(client),
    ...(admin && {
      COLOPHON_ADMIN_CLIENT_ID: admin['X-Client-Id'],
      COLOPHON_ADMIN_CLIENT_SECRET: admin['X-Client-Secret'],
    }),
  };
}

/** Runs `colophon contract` to its end. */
export async function runContractCommand(words: readonly string[], environment: Environment) {
  const outcome = await startCommand(['contract', ...words], environment, { timeoutMs: 580_000 }).ended;
  return { ...outcome, tap: () => parseTap(outcome.stdout, (block) => parse(block)) };
}

/** Reads all assets of an instance, type by type. */
export async function readAssets(instance: TestInstance): Promise<unknown[]> {
  const classes = [...instance.services.content.catalog.types.keys()];
  const pages = classes.map(async (from) => {
    const url = `${instance.cmaUrl}?from=${from}&limit=1000`;
    return (await fetch(url, { headers: instance.headers })).json();
  });
  return Promise.all(pages);
}

/** Runs the suite within the test process; returns the result of each case. */
export async function runSuite({
  instance,
  client = instance.headers,
  origin = instance.url,
  document,
  only,
  rules = {},
  timeoutMs = 20_000,
  seed = randomUUID(),
  admin,
  signal = new AbortController().signal,
  onResult = () => {},
}: {
  instance: TestInstance;
  client?: ClientHeaders;
  origin?: string;
  document: JsonObject;
  only?: Selection;
  rules?: Partial<InstanceRules>;
  timeoutMs?: number;
  seed?: string;
  admin?: ContractRun['admin'];
  signal?: AbortSignal;
  onResult?: (result: CaseResult) => void;
}) {
  const results: CaseResult[] = [];
  const comments: string[] = [];
  let reason: string | undefined;
  const reporter = {
    begin: () => {},
    comment: (lines: readonly string[]) => void comments.push(...lines),
    report(result: CaseResult) {
      results.push(result);
      onResult(result);
    },
    end: (given?: string) => {
      reason = given;
    },
  };
  const tally = await runContract({
    origin,
    document,
    credentials: {
      clientId: client['X-Client-Id'],
      clientSecret: client['X-Client-Secret'],
    },
    examples: [],
    rules: { referencesChecked: true, siteOwnerRequired: false, ...rules },
    seed,
    ...(admin ? { admin } : {}),
    ...(only === undefined ? {} : { only }),
    signal,
    reporters: [reporter],
    timeoutMs,
    listsUntested: true,
  });
  const failed = results
    .filter(({ failure }) => failure)
    .map(({ operation, title }) => `${operation} ${title}`);
  return { results, failed, tally, reason, comments };
}
