/**
 * The whole suite: puts an instance to the cases of each API, then to the ledger of what is documented and was never answered,
 * and takes away what it made, however the run ends.
 */
import type { JsonObject } from '../model/content-type.ts';
import { type AdminUnderTest, createAdminUnderTest } from './admin-under-test.ts';
import { type ApiUnderTest, memberOf } from './api-under-test.ts';
import { type CaseGroup, type CaseResult, toCase, Violation } from './case.ts';
import { adminLifeCases, adminSampleCases } from './cases/admin-life.ts';
import { assetFieldCases } from './cases/asset-fields.ts';
import { assetLifeCases, sampleCases } from './cases/asset-life.ts';
import { batchCases } from './cases/batch.ts';
import { bodyCases } from './cases/bodies.ts';
import { credentialCases, forbiddenCases } from './cases/credentials.ts';
import { idempotencyCases } from './cases/idempotency.ts';
import { memberCases } from './cases/members.ts';
import { pagingCases } from './cases/paging.ts';
import { parameterCases } from './cases/parameters.ts';
import { predicateCases } from './cases/predicates.ts';
import { routeCases } from './cases/routes.ts';
import { versionCases } from './cases/versions.ts';
import { wrongPredicateCases } from './cases/wrong-predicates.ts';
import { type CmaUnderTest, createCmaUnderTest } from './cma-under-test.ts';
import { readContractDocument } from './contract-document.ts';
import { createDraw } from './draw.ts';
import { whyUnseen } from './ledger.ts';
import { createLimitedClient } from './limited-client.ts';
import type { Reporter } from './report-tap.ts';
import { runCases, type Tally } from './run-cases.ts';
import { type Credentials, createSender } from './send-request.ts';

/** What is put to the test, and how. */
export interface ContractRun {
  /** The address of the server. */
  readonly origin: string;
  /** The CMA's document, bundled for the instance's content types and moved to its base path. */
  readonly document: JsonObject;
  /** Of a client with the scopes cma:read and cma:write. */
  readonly credentials: Credentials;
  /** The admin API's document, and a client with the scope admin; absent leaves that API alone. */
  readonly admin?: { readonly document: JsonObject; readonly credentials: Credentials };
  /** Example assets, for what cannot be made up. */
  readonly examples: readonly JsonObject[];
  /** All that the run makes up follows from it. */
  readonly seed: string;
  /** The operation whose cases alone are run. */
  readonly only?: string;
  /** Ends the run early; what it made is taken away all the same. */
  readonly signal: AbortSignal;
  readonly reporters: readonly Reporter[];
  readonly timeoutMs: number;
}

/**
 * Runs the suite.
 *
 * Errors: those of a document that is no CMA's; what fails in a case is reported, and counted in the tally.
 */
export async function runContract(run: ContractRun): Promise<Tally> {
  const { cma, admin } = createApis(run);
  const each = (tell: (reporter: Reporter) => void) => run.reporters.forEach(tell);
  each((reporter) => reporter.begin(intentions(run, cma)));
  let tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  let reason: string | undefined;
  try {
    await assertReachable(cma);
    const { only, signal } = run;
    const groups = selectGroups({ cma, admin, only });
    const report = (result: CaseResult) => each((reporter) => reporter.report(result));
    tally = await runCases({ groups, signal, report, ...(only === undefined ? {} : { only }) });
    if (signal.aborted) reason = 'interrupted';
  } catch (error) {
    reason = error instanceof Error ? describeError(error) : String(error);
  }
  // The assets last: they are there for as long as anything may refer to them.
  const left = [...((await admin?.own.deleteAll()) ?? []), ...(await cma.own.deleteAll())];
  if (left.length > 0) reason = `could not be deleted: ${left.join(' ')}`;
  each((reporter) => reporter.end(reason));
  return reason === undefined ? tally : { ...tally, failed: tally.failed + 1 };
}

interface Apis {
  readonly cma: CmaUnderTest;
  readonly admin: AdminUnderTest | undefined;
}

function createApis({ origin, document, credentials, admin, timeoutMs, seed, examples }: ContractRun): Apis {
  const draw = createDraw(seed);
  const send = createSender({ origin, credentials, timeoutMs });
  // The one client without rights serves both APIs, and the admin API makes it.
  let limited: ApiUnderTest['limited'] = async () => noAdmin;
  const shared = { draw, limited: () => limited() };
  const cma = createCmaUnderTest({
    ...shared,
    document: readContractDocument(document),
    send,
    credentials,
    examples,
  });
  if (!admin) return { cma, admin: undefined };
  const sendAsAdmin = createSender({ origin, credentials: admin.credentials, timeoutMs });
  const adminDocument = readContractDocument(admin.document);
  const setup = {
    ...shared,
    document: adminDocument,
    send: sendAsAdmin,
    credentials: admin.credentials,
    cma,
  };
  const api = createAdminUnderTest(setup);
  limited = createLimitedClient({ send: sendAsAdmin, own: api.own, adminPath: api.path, path: cma.path });
  return { cma, admin: api };
}

const noAdmin = 'needs a client without the right, which a client with the scope admin would make';

function intentions({ origin, seed, admin }: ContractRun, cma: CmaUnderTest): string[] {
  const types = cma.types.types.length;
  return [
    `${cma.document.title} at ${origin}${cma.path}`,
    `Creates, changes and deletes assets of its own, of ${types} content types; touches no others.`,
    ...(admin
      ? [
          'Makes API clients, GraphQL and REST endpoints; revokes the clients, which stay listed, and deletes the rest.',
        ]
      : []),
    `seed ${seed}`,
  ];
}

/** What is wrong with an answer is for the cases to find; here is asked whether there is one, and one to these credentials. */
async function assertReachable(cma: CmaUnderTest): Promise<void> {
  const [type] = cma.types.types;
  const status = await cma.call(cma.find({ from: type?.class ?? '', limit: 0 })).then(
    (answer) => answer.status,
    (error: unknown) => {
      if (!(error instanceof Violation)) throw error;
      return memberOf(error.failure.received, 'status');
    },
  );
  if (status === 401 || status === 403) throw new Error(`the credentials are refused with status ${status}`);
}

/** The samples come first, since every other case works with them. */
function* selectGroups({ cma, admin, only }: Apis & { only: string | undefined }): Iterable<CaseGroup> {
  yield sampleCases(cma);
  yield* groupsOfAny(cma);
  yield assetLifeCases(cma);
  yield assetFieldCases(cma);
  yield versionCases(cma);
  yield pagingCases(cma);
  yield predicateCases(cma);
  yield wrongPredicateCases(cma);
  yield batchCases(cma);
  yield idempotencyCases(cma);
  yield ledgerCases(cma, only);
  if (!admin) return;
  yield adminSampleCases(admin);
  yield* groupsOfAny(admin);
  yield memberCases(admin);
  yield adminLifeCases(admin);
  yield ledgerCases(admin, only);
}

/** What holds of any API that has a document. */
function* groupsOfAny(api: ApiUnderTest): Iterable<CaseGroup> {
  yield credentialCases(api);
  yield forbiddenCases(api);
  yield routeCases(api);
  yield parameterCases(api);
  yield bodyCases(api);
}

/** One case for each documented answer that no case met. */
function* ledgerCases(api: ApiUnderTest, only: string | undefined): CaseGroup {
  for (const answer of api.judge.unseen()) {
    if (only !== undefined && answer.operation.id !== only) continue;
    yield toCase(answer.operation.id, `${answer.status} is documented`, async () => {
      const skipped = await whyUnseen(answer, api);
      if (skipped !== undefined) return { skipped };
      throw new Violation({ message: 'this answer is documented, and no case was answered with it' });
    });
  }
}

function describeError(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
