/**
 * Lists the groups of cases for each API in order: samples first, since every other case uses them, and last the ledger of
 * documented responses that were never received.
 */
import type { AdminUnderTest } from './apis/admin-under-test.ts';
import type { ApiUnderTest } from './apis/api-under-test.ts';
import type { CmaUnderTest } from './apis/cma-under-test.ts';
import { type CaseGroup, toCase, Violation } from './case.ts';
import { adminLifeCases, adminSampleCases } from './cases/admin/admin-lifecycle.ts';
import { roleCases } from './cases/admin/roles.ts';
import { sessionCases, signInCases } from './cases/admin/sessions.ts';
import { assetFieldCases } from './cases/assets/asset-fields.ts';
import { assetLifeCases, sampleCases } from './cases/assets/asset-lifecycle.ts';
import { feedCases } from './cases/assets/feed.ts';
import { historyCases } from './cases/assets/history.ts';
import { idempotencyCases } from './cases/assets/idempotency.ts';
import { pagingCases } from './cases/assets/paging.ts';
import { releaseCases } from './cases/assets/releases.ts';
import { selectionCases } from './cases/assets/selections.ts';
import { versionCases } from './cases/assets/versions.ts';
import { writeHeaderCases } from './cases/assets/write-headers.ts';
import { batchCases } from './cases/batch/batch.ts';
import { uploadCases, uploadSampleCases } from './cases/files/files.ts';
import { predicateCases } from './cases/predicates/predicates.ts';
import { wrongPredicateCases } from './cases/predicates/wrong-predicates.ts';
import { bodyCases, memberCases } from './cases/requests/bodies.ts';
import { credentialCases, forbiddenCases } from './cases/requests/credentials.ts';
import { parameterCases } from './cases/requests/parameters.ts';
import { routeCases } from './cases/requests/routes.ts';
import { validRequestCases } from './cases/requests/valid-requests.ts';
import { unseenReason } from './responses/unseen-reason.ts';
import type { Selection } from './run-cases.ts';

/** The APIs that a run tests. */
export interface ApisUnderTest {
  readonly cma: CmaUnderTest;
  readonly admin: AdminUnderTest | undefined;
}

/**
 * Yields the groups of a run, in their order.
 *
 * Errors: one when no sample could be created, since the other cases need them.
 */
export function* selectGroups(
  { cma, admin }: ApisUnderTest,
  only: Selection | undefined,
): Iterable<CaseGroup> {
  yield uploadSampleCases(cma);
  yield sampleCases(cma);
  if (cma.samples.kept().length === 0) throw new Error('no asset could be created');
  yield* groupsOfAnyApi(cma);
  yield assetLifeCases(cma);
  yield assetFieldCases(cma);
  yield versionCases(cma);
  yield historyCases(cma);
  yield releaseCases(cma);
  yield feedCases(cma);
  yield pagingCases(cma);
  yield selectionCases(cma);
  yield writeHeaderCases(cma);
  yield predicateCases(cma);
  yield wrongPredicateCases(cma);
  yield batchCases(cma);
  yield idempotencyCases(cma);
  yield validRequestCases(cma);
  yield ledgerCases(cma, only);
  if (!admin) return;
  yield adminSampleCases(admin);
  yield signInCases(admin);
  yield* groupsOfAnyApi(admin);
  yield sessionCases(admin);
  yield roleCases(admin);
  yield validRequestCases(admin);
  yield adminLifeCases(admin);
  yield ledgerCases(admin, only);
}

/** Yields the groups that apply to any API with a document. */
export function* groupsOfAnyApi(api: ApiUnderTest): Iterable<CaseGroup> {
  yield credentialCases(api);
  yield forbiddenCases(api);
  yield routeCases(api);
  yield parameterCases(api);
  yield bodyCases(api);
  yield memberCases(api);
  yield uploadCases(api);
}

/** Yields one case for each documented response that no case received. */
export function* ledgerCases(api: ApiUnderTest, only: Selection | undefined): CaseGroup {
  for (const response of api.validator.unseen()) {
    const { operation, status } = response;
    if (only && operation.id !== only.operation) continue;
    yield toCase(operation.id, `${status} is documented`, async () => {
      const skipped = await unseenReason(response, api);
      if (skipped !== undefined) return { skipped };
      throw new Violation({ message: 'the document has this response, but no case received it' });
    });
  }
}
