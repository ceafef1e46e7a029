/** The usage of routes after a server process was killed: what it had stored stays, and what it had counted since is lost. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { describeKillsOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { cmaPath } from '../../../support/two-servers.ts';
import { createFullClient, credentials, send } from '../../../support/workers.ts';

describeKillsOnEachStore('the usage of routes after a kill', (locations) => {
  let location: StoreLocation;
  let serving: ServingProcess;
  const serve = async () => {
    serving = await startServing({ ...environmentOf(location), COLOPHON_LOG_LEVEL: 'error' });
  };

  beforeEach(async () => {
    location = locations();
    await createFullClient(location);
    await serve();
  });
  afterEach(() => serving.stop());

  const use = async () => expect((await send(serving, { path: `${cmaPath}/none` })).status).toBe(404);
  /** The stored requests for one asset by the API clients. */
  async function report(): Promise<ReadonlyMap<string, number>> {
    const query = new URLSearchParams({ route: `${cmaPath}/{id}`, groupBy: 'client', limit: '1000' });
    const { status, body } = await send(serving, { path: `/api/admin/usage?${query}` });
    expect(status).toBe(200);
    const items: readonly { clientId: string; requests: number }[] = body.items;
    return new Map(items.map(({ clientId, requests }) => [clientId, requests]));
  }

  it('has what was stored before, without what was counted since', async () => {
    for (let n = 0; n < 3; n++) await use();
    // A stopping server stores what it has counted.
    await serving.stop();
    await serve();
    for (let n = 0; n < 2; n++) await use();
    serving.signal('SIGKILL');
    await serving.ended;
    await serve();
    const { 'X-Client-Id': id } = credentials;
    expect(await report()).toEqual(new Map([[id, 3]]));
    await use();
    await serving.stop();
    await serve();
    expect(await report()).toEqual(new Map([[id, 4]]));
  });
});
