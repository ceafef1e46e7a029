/** Starting and stopping a server. The contract suites test a running server. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compose, type Instance } from '../../../src/app/compose/compose.ts';
import { type Config, readConfig } from '../../../src/app/config/config.ts';
import { type RunningServer, startServer } from '../../../src/app/server/server.ts';
import { createRequestOrigins } from '../../../src/base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../../src/base/runtime.ts';
import { createRecordingLogger } from '../../support/runtime.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';

let location: StoreLocation;
let config: Config;
let instance: Instance;
let server: RunningServer;

beforeEach(async () => {
  location = sqliteLocation();
  config = { ...readConfig({}), ...location.config, port: 0, shutdownMs: 600_000 };
  instance = await compose(config, {
    logger: silentLogger,
    clock: systemClock,
    ids: randomIds,
    origins: createRequestOrigins(),
  });
  server = await startServer({ instance, config, logger: silentLogger });
});
afterEach(() => server.stop());

const statusAt = async (path: string) => (await fetch(server.url + path)).status;

it('a stopping instance is not ready, but healthy', async () => {
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
  await expect(second).rejects.toMatchObject({
    code: 'bad_config',
    message: expect.stringContaining('EADDRINUSE'),
  });
});

it('an IPv6 address is written in brackets', async () => {
  const second = await startServer({ instance, config: { ...config, host: '::1' }, logger: silentLogger });
  expect(second.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${second.url}/healthz`)).status).toBe(200);
  await second.stop();
});

describe('stopping', () => {
  /** Sends one request on a persistent connection. */
  function ask(agent: Agent): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      request(`${server.url}/healthz`, { agent }, (response) => {
        response.resume().once('end', () => resolve(response.headers.connection));
      })
        .once('error', reject)
        .end();
    });
  }

  it('can be requested repeatedly, with the same result', async () => {
    const { logger, lines } = createRecordingLogger();
    const second = await startServer({ instance, config, logger });
    await Promise.all([second.stop(), second.stop()]);
    await second.stop();
    expect(lines.map(({ message }) => message)).toEqual(['stopping', 'stopped']);
  });

  it('does not wait for idle connections', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const closed = once(socket.resume(), 'close');
    await server.stop();
    expect(await closed).toEqual([false]);
  });

  it('does not wait for a client that keeps sending requests on its connection', async () => {
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
    // After the server has closed the connection, the next request fails.
    expect([undefined, 'ECONNREFUSED', 'ECONNRESET']).toContain(await asking);
    agent.destroy();
  });
});
