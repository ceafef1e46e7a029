/** The admin API of a listening server; every response must be documented in openapi/admin.yaml. */
import { beforeAll, expect, it } from 'vitest';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { keepsHistory, needsHistory } from '../../../support/history.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { describeActivity } from './activity-cases.ts';
import { createAdminContext } from './admin-caller.ts';
import { describeApiClients } from './api-client-cases.ts';
import { describeChanges } from './change-cases.ts';
import { describeChecks } from './check-cases.ts';
import { describeConfiguration } from './configuration-cases.ts';
import { describeContent } from './content-cases.ts';
import { describeDashboard } from './dashboard-cases.ts';
import { describeDrafts } from './draft-cases.ts';
import { describeDryRuns } from './dry-run-cases.ts';
import { describeEditing } from './editing-cases.ts';
import { describeEverywhere } from './everywhere-cases.ts';
import { describeFiles, maxFileBytes } from './file-cases.ts';
import { describeGraphqlEndpoints } from './graphql-endpoint-cases.ts';
import { describeHistory } from './history-cases.ts';
import { describeMappings } from './mapping-cases.ts';
import { describePresence } from './presence-cases.ts';
import { describeReferences } from './reference-cases.ts';
import { describeReleases } from './release-cases.ts';
import { describeRestEndpoints } from './rest-endpoint-cases.ts';
import { describeRoundTrips } from './round-trip-cases.ts';
import { describeRouteChanges } from './route-change-cases.ts';
import { describeRuns } from './run-cases.ts';
import { describeRunning } from './running-cases.ts';
import { describeSearch } from './search-cases.ts';
import { describeSessions } from './session-cases.ts';
import { describeTrying } from './trying-cases.ts';
import { describeTypesCheck } from './types-check-cases.ts';
import { describeUnfit } from './unfit-cases.ts';
import { describeUsage } from './usage-cases.ts';
import { describeUsers } from './user-cases.ts';
import { describeViews } from './view-cases.ts';
import { describeWarnings } from './warning-cases.ts';
import { describeTrimmedWebhooks, describeWebhooks } from './webhook-cases.ts';

describeOnEachStore('the admin API', (locations, { isWhole }) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let client: ClientHeaders;
  const contract = createContractAssertions(readAdminDocument());
  const context = createAdminContext({ instance: () => instance, client: () => client, contract });

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(location, {
      maxBodyBytes: 100_000,
      maxFileBytes,
      cmaPath: '/contents',
      webhookPrivate: true,
      secretKey: 'a key that only these tests have',
    });
    client = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
  });

  describeContent(context);
  describeEditing(context);
  describeDrafts(context);
  describeActivity(context);
  describeViews(context);
  describeApiClients(context);
  describeGraphqlEndpoints(context);
  describeRestEndpoints(context);
  describeReferences(context);
  describeFiles(context);
  describeSearch(context);
  describeUnfit(context);
  describeUsage(context);
  describeDashboard(context);
  if (isWhole) {
    describeEverywhere(context);
    describeSessions(context);
    describeUsers(context);
    describeRunning(context);
    describeTrying(context);
    describeMappings(context);
    describeChecks(context);
    describeRoundTrips(context);
    describeConfiguration(context);
    describeWarnings(context);
    describeDryRuns(context);
    describeRouteChanges(context);
    describeRuns(context);
    describeChanges(context);
    describeTypesCheck(context);
    describeWebhooks(context);
  }
  // Last: these cases remove all history.
  describePresence(context, () => location);
  describeReleases(context, () => location);
  describeHistory(context, () => location);
  if (isWhole) describeTrimmedWebhooks(context, () => location);

  it.runIf(isWhole)(
    'has given every documented response, except for a failing store and a slow body',
    async () => {
      const isKept = await keepsHistory(instance);
      const unseen = contract
        .unseen()
        .filter((response) => !/ (408|429|50[0137])$/.test(response))
        .filter((response) => !ofOpenid.test(response))
        .filter((response) => isKept || !needsHistory(response));
      expect(unseen).toEqual([]);
    },
  );
});

/** Those that depend on a provider; `openid.test.ts` has one. */
const ofOpenid = /^(listSignInMethods|beginOpenidSignIn|finishOpenidSignIn) |^changeOwnPassword 409$/;
