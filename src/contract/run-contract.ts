/**
 * The whole suite: puts an instance to the cases of each API, then to the ledger of what is documented and was never answered,
 * and takes away what it made, however the run ends.
 */
import { usage } from '../base/errors.ts';
import type { JsonObject } from '../model/content-type.ts';
import { createAdminUnderTest } from './apis/admin-under-test.ts';
import type { ApiUnderTest } from './apis/api-under-test.ts';
import { type CmaUnderTest, createCmaUnderTest, type InstanceRules } from './apis/cma-under-test.ts';
import { readContractDocument } from './apis/contract-document.ts';
import { createLimitedClient } from './apis/limited-client.ts';
import type { SignIn } from './apis/own-session.ts';
import type { CaseResult } from './case.ts';
import { assertReachable } from './reachable.ts';
import { createConcealer } from './report/redact.ts';
import type { Reporter } from './report/report-tap.ts';
import { type Credentials, createSender, type Sender } from './responses/send-request.ts';
import { runCases, type Selection } from './run-cases.ts';
import { createDraw } from './samples/random-generator.ts';
import { type ApisUnderTest, selectGroups } from './select-groups.ts';

/** What is put to the test, and how. */
export interface ContractRun {
  /** The address of the server. */
  readonly origin: string;
  /** The CMA's document, bundled for the instance's content types and moved to its base path. */
  readonly document: JsonObject;
  /** Of a client with the scopes cma:read and cma:write. */
  readonly credentials: Credentials;
  /** The admin API's document, and a client with the scope admin; absent leaves that API alone. */
  readonly admin?: {
    readonly document: JsonObject;
    readonly credentials: Credentials;
    /** Who signs in; absent leaves out what needs a session. */
    readonly user?: SignIn;
  };
  /** Example assets, for what cannot be made up. */
  readonly examples: readonly JsonObject[];
  /** All that the run makes up follows from it. */
  readonly seed: string;
  readonly rules: InstanceRules;
  /** The cases to which it is restricted. */
  readonly only?: Selection;
  /** Ends the run early; what it made is taken away all the same. */
  readonly signal: AbortSignal;
  readonly reporters: readonly Reporter[];
  readonly timeoutMs: number;
}

/** How a run ended; one that ends early has one failure more. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Runs the suite.
 *
 * Errors: usage, of a document that is no CMA's or an operation that is in none; what fails in a case is reported, and counted.
 */
export async function runContract(run: ContractRun): Promise<Tally> {
  const apis = createApis(run);
  const { cma, admin } = apis;
  if (run.only) assertKnown(run.only.operation, apis);
  const { only, signal } = run;
  const concealer = createConcealer(secretsOf(run));
  const each = (tell: (reporter: Reporter) => void) => run.reporters.forEach(tell);
  const tally = { passed: 0, failed: 0, skipped: 0 };
  function report(given: CaseResult): void {
    const result = concealer.result(given);
    tally[result.failure ? 'failed' : result.skipped === undefined ? 'passed' : 'skipped']++;
    each((reporter) => reporter.report(result));
  }

  each((reporter) => reporter.begin(intentions(run, cma)));
  const reasons: string[] = [];
  try {
    await assertReachable(cma, apis.send);
    await runCases({
      groups: selectGroups(apis, only),
      draw: cma.draw,
      signal,
      report,
      ...(only ? { only } : {}),
    });
    if (signal.aborted) reasons.push('interrupted');
  } catch (error) {
    reasons.push(error instanceof Error ? error.message : String(error));
  }
  // The assets last: they are there for as long as anything may refer to them.
  const left = [...((await admin?.own.deleteAll()) ?? []), ...(await cma.own.deleteAll())];
  if (left.length > 0) reasons.push(`could not be deleted: ${left.join(' ')}`);
  const reason = reasons.length > 0 ? concealer.text(reasons.join('; ')) : undefined;
  each((reporter) => reporter.end(reason));
  return reason === undefined ? tally : { ...tally, failed: tally.failed + 1 };
}

interface Apis extends ApisUnderTest {
  readonly send: Sender;
}

function createApis({ document, admin, seed, examples, rules, ...server }: ContractRun): Apis {
  const draw = createDraw(seed);
  const send = createSender(server);
  // The one client without rights serves both APIs, and the admin API makes it.
  let limited: ApiUnderTest['limited'] = async () => noAdmin;
  const shared = { draw, limited: () => limited() };
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

const noAdmin = 'needs a client without the right, which a client with the scope admin would make';

function secretsOf({ credentials, admin }: ContractRun): string[] {
  const given = [credentials.clientSecret, admin?.credentials.clientSecret, admin?.user?.password];
  return given.filter((secret) => secret !== undefined);
}

function assertKnown(operation: string, { cma, admin }: Apis): void {
  const known = [cma, ...(admin ? [admin] : [])].flatMap(({ document }) => document.operations);
  if (known.some(({ id }) => id === operation)) return;
  throw usage(`there is no operation "${operation}"; there are ${known.map(({ id }) => id).join(', ')}`);
}

function intentions({ origin, seed, admin }: ContractRun, cma: CmaUnderTest): string[] {
  const types = cma.types.types.length;
  return [
    `${cma.document.title} at ${origin}${cma.path}`,
    `Creates, changes and deletes assets of its own, of ${types} content types; touches no others.`,
    admin
      ? 'Makes API clients, GraphQL and REST endpoints; revokes the clients, which stay listed, and deletes the rest.'
      : 'Leaves the admin API alone: there is no client with the scope admin.',
    `seed ${seed}`,
  ];
}
