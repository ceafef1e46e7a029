/**
 * The whole suite: runs the cases of each API against an instance, then reports documented responses that were never received,
 * and deletes what it created, however the run ends.
 */
import { randomUUID } from 'node:crypto';
import { usage } from '../base/errors.ts';
import type { JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { createAdminUnderTest } from './apis/admin-under-test.ts';
import { type ApiUnderTest, memberOf } from './apis/api-under-test.ts';
import { type CmaUnderTest, createCmaUnderTest, type InstanceRules } from './apis/cma-under-test.ts';
import { readContractDocument } from './apis/contract-document.ts';
import { createLimitedClient } from './apis/limited-client.ts';
import type { SignIn } from './apis/own-session.ts';
import type { CaseResult } from './case.ts';
import { createRedactor } from './report/redact.ts';
import type { Reporter } from './report/report-tap.ts';
import type { ReceivedResponse } from './responses/response-validator.ts';
import { type Credentials, createSender, type Sender } from './responses/send-request.ts';
import { runCases, type Selection } from './run-cases.ts';
import { createRandomGenerator } from './samples/random-generator.ts';
import { type ApisUnderTest, selectGroups } from './select-groups.ts';

/** The instance under test, and the options of a run. */
export interface ContractRun {
  /** The address of the server. */
  readonly origin: string;
  /** The CMA's document, bundled for the instance's content types and moved to its base path. */
  readonly document: JsonObject;
  /** The credentials of a client with the scopes cma:read and cma:write. */
  readonly credentials: Credentials;
  /** The admin API's document, and a client with the scope admin; without them that API is not tested. */
  readonly admin?: {
    readonly document: JsonObject;
    readonly credentials: Credentials;
    /** The user who signs in; without it the suite omits the cases that need a session. */
    readonly user?: SignIn;
  };
  /** Example assets, for values that cannot be generated from a schema. */
  readonly examples: readonly JsonObject[];
  /** All generated values follow from it. */
  readonly seed: string;
  readonly rules: InstanceRules;
  /** The cases to run; absent runs all. */
  readonly only?: Selection;
  /** Whether to list what the documents have and no case has tested. */
  readonly listsUntested?: boolean;
  /** Ends the run early; what it created is still deleted. */
  readonly signal: AbortSignal;
  readonly reporters: readonly Reporter[];
  readonly timeoutMs: number;
}

/** The counts of a run. A run that ends early has one failure more. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Runs the suite.
 *
 * Errors: usage, when the document is not of a CMA or the operation is unknown. A failing case is reported and counted.
 */
export async function runContract(run: ContractRun): Promise<Tally> {
  const apis = createApis(run);
  const { cma, admin } = apis;
  if (run.only) assertKnownOperation(run.only.operation, apis);
  const { only, signal } = run;
  const redactor = createRedactor(secretsOf(run));
  const each = (send: (reporter: Reporter) => void) => run.reporters.forEach(send);
  const tally = { passed: 0, failed: 0, skipped: 0 };
  function report(given: CaseResult): void {
    const result = redactor.result(given);
    tally[result.failure ? 'failed' : result.skipped === undefined ? 'passed' : 'skipped']++;
    each((reporter) => reporter.report(result));
  }

  each((reporter) => reporter.begin(describeRun(run, cma)));
  const reasons: string[] = [];
  try {
    await assertReachable(cma, apis.send);
    await runCases({
      groups: selectGroups(apis, only),
      random: cma.random,
      signal,
      report,
      ...(only ? { only } : {}),
    });
    if (signal.aborted) reasons.push('interrupted');
  } catch (error) {
    reasons.push(error instanceof Error ? error.message : String(error));
  }
  // Assets are deleted last, because endpoints may refer to them.
  const left = [...((await admin?.own.deleteAll()) ?? []), ...(await cma.own.deleteAll())];
  if (left.length > 0) reasons.push(`could not delete ${left.join(' ')}`);
  if (run.listsUntested) each((reporter) => reporter.comment(describeUntested(apis, only)));
  const reason = reasons.length > 0 ? redactor.text(reasons.join('; ')) : undefined;
  each((reporter) => reporter.end(reason));
  return reason === undefined ? tally : { ...tally, failed: tally.failed + 1 };
}

interface Apis extends ApisUnderTest {
  readonly send: Sender;
}

function createApis({ document, admin, seed, examples, rules, ...server }: ContractRun): Apis {
  const random = createRandomGenerator(seed);
  const send = createSender(server);
  // Both APIs use one client without rights, which the admin API creates.
  let limited: ApiUnderTest['limited'] = async () => noAdmin;
  const shared = { random, limited: () => limited() };
  const cma = createCmaUnderTest({
    ...shared,
    document: readContractDocument(document),
    send,
    credentials: server.credentials,
    examples,
    rules,
  });
  if (!admin) return { send, cma, admin: undefined };
  const { credentials, user } = admin;
  const sendAsAdmin = createSender({ ...server, credentials });
  const api = createAdminUnderTest({
    ...shared,
    document: readContractDocument(admin.document),
    send: sendAsAdmin,
    credentials,
    ...(user ? { user } : {}),
    cma,
  });
  limited = createLimitedClient({ send: sendAsAdmin, own: api.own, adminPath: api.path, path: cma.path });
  return { send, cma, admin: api };
}

const noAdmin = 'needs a client with the scope admin, to create a client without the right';

function secretsOf({ credentials, admin }: ContractRun): string[] {
  const given = [credentials.clientSecret, admin?.credentials.clientSecret, admin?.user?.password];
  return given.filter((secret) => secret !== undefined);
}

function assertKnownOperation(operation: string, { cma, admin }: Apis): void {
  const known = [cma, ...(admin ? [admin] : [])].flatMap(({ document }) => document.operations);
  if (known.some(({ id }) => id === operation)) return;
  throw usage(
    `there is no operation "${operation}"; the operations are ${known.map(({ id }) => id).join(', ')}`,
  );
}

function describeRun({ origin, seed, admin }: ContractRun, cma: CmaUnderTest): string[] {
  const types = cma.types.types.length;
  return [
    `${cma.document.title} at ${origin}${cma.path}`,
    `Creates, changes and deletes its own assets, of ${types} content types; changes no others.`,
    admin
      ? 'Creates API clients, GraphQL endpoints and REST endpoints; revokes the clients, which stay listed, and deletes the rest.'
      : 'Does not test the admin API: no client with the scope admin is given.',
    `seed ${seed}`,
  ];
}

function describeUntested({ cma, admin }: Apis, only: Selection | undefined): string[] {
  const parts = [cma, ...(admin ? [admin] : [])].flatMap(({ coverage }) =>
    coverage.untested(only?.operation),
  );
  return [
    ...parts.map((part) => `not tested: ${part}`),
    `${parts.length} parts of the documents are not tested`,
  ];
}

/** Throws with the reason when the instance cannot be tested. */
async function assertReachable(cma: CmaUnderTest, send: Sender): Promise<void> {
  const unknown: string[] = [];
  for (const { class: from } of cma.types.types) {
    const response = await send(cma.find({ from, limit: 0 }));
    const reason = unreachableReason(response);
    if (reason !== undefined) throw new Error(`GET ${cma.path} ${reason}`);
    if (memberOf(response.body, 'error', 'code') === 'unknown_type') unknown.push(from);
  }
  // No asset has this `_id`, so nothing is deleted, whatever the client may do.
  const { status } = await send({ method: 'DELETE', path: cma.pathOf(randomUUID()) });
  if (status === 403) throw new Error(`DELETE ${cma.path} ${lacksScopes}`);
  if (unknown.length === 0) return;
  const advice = "name the instance's own types by COLOPHON_TYPES or --document";
  throw new Error(`the instance has no content type ${unknown.join(', ')}; ${advice}`);
}

const lacksScopes =
  'refuses the client with status 403: the suite needs one with the scopes cma:read and cma:write';

function unreachableReason({ status, headers, body }: ReceivedResponse): string | undefined {
  if (status >= 300 && status < 400)
    return `redirects to ${headers.location ?? 'nowhere'}; give that address`;
  if (status === 401) return 'refuses the credentials with status 401';
  if (status === 403) return lacksScopes;
  if (status === 404) return 'answers 404: the content management API is switched off, or has another path';
  if (status === 429 || status >= 500) return `answers ${status}`;
  if (isJsonObject(body)) return undefined;
  return `answers with ${headers['content-type'] ?? 'no media type'}, not with JSON`;
}
