/** How a server begins and ends; what it does in between is for the contract suites. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compose, type Instance } from '../../../src/app/compose.ts';
import { type Config, readConfig } from '../../../src/app/config.ts';
import { type RunningServer, startServer } from '../../../src/app/server.ts';
import { randomIds, silentLogger, systemClock } from '../../../src/base/runtime.ts';
import { createRecordingLogger } from '../../support/runtime.ts';
import { type StorePlace, sqlitePlace } from '../../support/stores.ts';

let place: StorePlace;
let config: Config;
let instance: Instance;
let server: RunningServer;

beforeEach(async () => {
  place = sqlitePlace();
  config = { ...readConfig({}), ...place.config, port: 0, shutdownMs: 600_000 };
  instance = await compose(config, { logger: silentLogger, clock: systemClock, ids: randomIds });
  server = await startServer({ instance, config, logger: silentLogger });
});
afterEach(async () => {
  await server.stop();
  await place.remove();
});

const statusAt = async (path: string) => (await fetch(server.url + path)).status;

it('an instance that is about to stop is not ready, but healthy', async () => {
  expect(await statusAt('/readyz')).toBe(200);
  instance.startStopping();
  expect(await statusAt('/readyz')).toBe(503);
  expect(await statusAt('/healthz')).toBe(200);
});

it('an instance without its store is not ready', async () => {
  await instance.close();
  expect(await statusAt('/readyz')).toBe(503);
});

it('a port in use is an error of the operating system', async () => {
  const port = Number(new URL(server.url).port);
  const second = startServer({ instance, config: { ...config, port }, logger: silentLogger });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('an address of IPv6 stands in brackets', async () => {
  const second = await startServer({ instance, config: { ...config, host: '::1' }, logger: silentLogger });
  expect(second.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${second.url}/healthz`)).status).toBe(200);
  await second.stop();
});

describe('stopping', () => {
  /** One request on a connection that is kept. */
  function ask(agent: Agent): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      request(`${server.url}/healthz`, { agent }, (response) => {
        response.resume().once('end', () => resolve(response.headers.connection));
      })
        .once('error', reject)
        .end();
    });
  }

  it('waits for the same end however often it is asked for', async () => {
    const { logger, lines } = createRecordingLogger();
    const second = await startServer({ instance, config, logger });
    await Promise.all([second.stop(), second.stop()]);
    await second.stop();
    expect(lines.map(({ message }) => message)).toEqual(['stopping', 'stopped']);
  });

  it('does not wait for a connection on which nothing is asked', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const closed = once(socket.resume(), 'close');
    await server.stop();
    expect(await closed).toEqual([false]);
  });

  it('does not wait for a caller that keeps its connection and goes on asking', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask(agent)).toBe('keep-alive');
    let isStopped = false;
    const goOn = async (): Promise<unknown> => {
      while (!isStopped) await ask(agent);
      return undefined;
    };
    const asking = goOn().catch((error) => error.code);
    await server.stop();
    isStopped = true;
    // Once the server has ended the connection, the next request finds nobody, or none was under way.
    expect([undefined, 'ECONNREFUSED', 'ECONNRESET']).toContain(await asking);
    agent.destroy();
  });
});
