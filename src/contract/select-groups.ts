/**
 * Which groups of cases there are for each API, and in which order: the samples come first, for every other case works with them, and
 * the ledger of what is documented and was never answered comes last.
 */
import type { AdminUnderTest } from './apis/admin-under-test.ts';
import type { ApiUnderTest } from './apis/api-under-test.ts';
import type { CmaUnderTest } from './apis/cma-under-test.ts';
import { type CaseGroup, toCase, Violation } from './case.ts';
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
import { sessionCases, signInCases } from './cases/sessions.ts';
import { versionCases } from './cases/versions.ts';
import { wrongPredicateCases } from './cases/wrong-predicates.ts';
import { whyUnseen } from './responses/ledger.ts';
import type { Selection } from './run-cases.ts';

/** The APIs that a run is about. */
export interface ApisUnderTest {
  readonly cma: CmaUnderTest;
  readonly admin: AdminUnderTest | undefined;
}

/**
 * The groups of a run, in their order.
 *
 * Errors: one when not one sample could be created, since there is nothing to work with.
 */
export function* selectGroups(
  { cma, admin }: ApisUnderTest,
  only: Selection | undefined,
): Iterable<CaseGroup> {
  yield sampleCases(cma);
  if (cma.samples.made().length === 0) throw new Error('not one asset could be created');
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
  yield signInCases(admin);
  yield* groupsOfAny(admin);
  yield memberCases(admin);
  yield sessionCases(admin);
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
function* ledgerCases(api: ApiUnderTest, only: Selection | undefined): CaseGroup {
  for (const answer of api.judge.unseen()) {
    const { operation, status } = answer;
    if (only && operation.id !== only.operation) continue;
    yield toCase(operation.id, `${status} is documented`, async () => {
      const skipped = await whyUnseen(answer, api);
      if (skipped !== undefined) return { skipped };
      throw new Violation({ message: 'this answer is documented, and no case was answered with it' });
    });
  }
}
