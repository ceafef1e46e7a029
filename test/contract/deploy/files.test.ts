/**
 * The files of `deploy/`, as far as they can be tried without a container engine and without systemd as the first process: what they say of
 * each other and of Colophon, nginx with its configuration, and the unit by `systemd-analyze`. `test/long/image.test.ts` tries the Containerfile.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../../src/app/config/config.ts';
import { packageRoot } from '../../../src/base/package-root.ts';
import { parseContainerfile } from '../../support/container-file.ts';
import { deployedNginx } from '../../support/deployed-nginx.ts';
import { findFreePort } from '../../support/free-port.ts';
import { readPage } from '../../support/guide.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { checkNginx, describeBehindNginx, type NginxProcess, startNginxWith } from '../../support/nginx.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { sqliteLocation } from '../../support/stores.ts';

const defaults = readConfig({});

/** A service of the compose file, as far as the tests read it. */
interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

describe('deploy/compose.yaml', () => {
  const compose = parse(readPage('deploy/compose.yaml'), { merge: true });
  const services: Readonly<Record<string, Service>> = compose.services;
  const [image] = parseContainerfile(readPage('deploy/Containerfile')).slice(-1);
  const service = (name: string): Service => {
    const found = services[name];
    if (!found) throw new Error(`There is no service ${name}`);
    return found;
  };
  const named = (prefix: string) => Object.keys(services).filter((name) => name.startsWith(prefix));
  const networksOf = ({ networks }: Service) => (Array.isArray(networks) ? networks : Object.keys(networks));
  const addressOf = ({ networks }: Service) => ('web' in networks ? networks.web?.ipv4_address : undefined);

  it('has a replica set, two instances and a proxy, with fixed versions and known parts', () => {
    expect(Object.keys(services)).toEqual([
      ...['mongo-1', 'mongo-2', 'mongo-3'],
      ...['colophon-1', 'colophon-2', 'proxy'],
    ]);
    for (const [name, { image, depends_on = [], volumes = [], ...one }] of Object.entries(services)) {
      if (!name.startsWith('colophon')) expect(image).toMatch(/^docker\.io\/library\/\w+:\d/);
      for (const network of networksOf(one as Service)) expect(compose.networks).toHaveProperty(network);
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) expect(existsSync(join(packageRoot, 'deploy', source))).toBe(true);
        else expect(compose.volumes).toHaveProperty(source);
      }
      const conditions = Array.isArray(depends_on)
        ? depends_on.map((on) => [on, ''])
        : Object.entries(depends_on).map(([on, { condition }]) => [on, condition]);
      for (const [on, condition] of conditions)
        if (condition === 'service_healthy') expect(service(on)).toHaveProperty('healthcheck');
        else expect(services).toHaveProperty(on);
    }
  });

  it('has instances that differ in their address only, with settings that the server takes', () => {
    const instances = named('colophon-').map(service);
    for (const { networks, depends_on, ...same } of instances) {
      const { networks: _networks, depends_on: _dependsOn, ...first } = service('colophon-1');
      expect(same).toEqual(first);
      expect([Object.keys(networks), Object.keys(depends_on ?? {})[0]]).toEqual([
        ['database', 'web'],
        'mongo-1',
      ]);
    }
    const { environment = {}, build, stop_grace_period = '' } = service('colophon-1');
    const settings = Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\w+:-(.*?)\}/g, '$1'),
    ]);
    const config = readConfig(Object.fromEntries(settings));
    const mongo = new URL(`${config.mongodbUrl}`.replace(/,[^/]*/, ''));
    expect(mongo.searchParams.get('replicaSet')).toBe('rs0');
    expect(config.mongodbUrl).toContain(named('mongo-').join(','));
    expect(Number.parseInt(stop_grace_period, 10) * 1_000).toBeGreaterThan(defaults.shutdownMs);
    expect(existsSync(join(packageRoot, 'deploy', `${build?.context}`, `${build?.dockerfile}`))).toBe(true);
  });

  it('asks each instance whether it is ready, with the program of the image', () => {
    const [, ...words] = service('colophon-1').healthcheck?.test ?? [];
    expect(words).toEqual([...(image?.settings.healthcheck ?? []).slice(0, -1), 'readyz']);
    expect(image?.steps).toContainEqual({
      kind: 'copy',
      sources: ['deploy/check-health.mjs'],
      target: './',
    });
  });

  it('lets nobody reach the database and the instances but by the proxy', () => {
    expect(compose.networks.database).toEqual({ internal: true });
    for (const name of named('mongo-')) expect(networksOf(service(name))).toEqual(['database']);
    expect(networksOf(service('proxy'))).toEqual(['web']);
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['proxy', ['127.0.0.1:8080:80']]]);
  });

  it('has the addresses of nginx.conf, and the instances trust that of the proxy', () => {
    const addresses = named('colophon-').map((name) => addressOf(service(name)));
    const upstream = [...readPage('deploy/nginx.conf').matchAll(/^ +server ([\d.]+):(\d+) /gm)];
    expect(upstream.map(([, address]) => address)).toEqual(addresses);
    for (const [, , port] of upstream) expect(Number(port)).toBe(image?.settings.port);
    expect(service('colophon-1').environment?.COLOPHON_TRUST_PROXY).toBe(addressOf(service('proxy')));
    const [{ subnet }] = compose.networks.web.ipam.config;
    expect(subnet).toBe('172.28.0.0/24');
    for (const address of [...addresses, addressOf(service('proxy'))])
      expect(address).toMatch(/^172\.28\.0\.\d+$/);
  });

  it('creates the replica set that it starts', () => {
    for (const name of named('mongo-')) expect(service(name).command).toContain('--replSet=rs0');
    const script = `${service('mongo-1').healthcheck?.test.at(-1)}`.replaceAll('$$', '$');
    // It is JavaScript; only mongosh can run it.
    expect(() => new Script(script)).not.toThrow();
    expect(script).toContain("_id: 'rs0'");
    expect(named('mongo-')).toEqual([1, 2, 3].map((n) => `mongo-${n}`));
  });
});

describeBehindNginx('deploy/nginx.conf', () => {
  let instance: TestInstance;
  let nginx: NginxProcess<string>;
  let url: string;

  beforeAll(async () => {
    instance = await startInstance(sqliteLocation(), { trustedProxies: 1 });
    const [listen, unused] = [await findFreePort(), await findFreePort()];
    const text = deployedNginx({ listen, instances: [unused, Number(new URL(instance.url).port)] });
    checkNginx(text);
    nginx = await startNginxWith(text, listen);
    url = `http://127.0.0.1:${listen}`;
  });
  afterAll(() => nginx?.stop());

  const create = (name: string) =>
    fetch(`${url}/api/rest/cma/contents`, {
      method: 'POST',
      headers: { ...instance.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ _type: 'com.colophon.cms.db.Text', name }),
    });

  it('is refused by the check when it has a mistake', () => {
    expect(() => checkNginx('upstream colophon { server; }')).toThrow(/invalid number of arguments/);
  });

  it('sends every request, also writes, to the instance that listens', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        n % 2 === 0 ? (await create(`Text ${n}`)).status : (await fetch(`${url}/readyz`)).status,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('passes on bodies as large as the server accepts', async () => {
    expect((await create('x'.repeat(defaults.maxBodyBytes - 1_000))).status).toBe(200);
  });

  it('passes on files as large as the server accepts, and its errors', async () => {
    const upload = (bytes: number, name: string, headers = {}) =>
      fetch(`${url}/api/rest/cma/contents/files?name=${name}`, {
        method: 'POST',
        headers: { ...instance.headers, ...headers },
        body: new Uint8Array(bytes),
      });
    const { result } = Object(await (await upload(defaults.maxFileBytes, 'largest.bin')).json());
    const served = await fetch(`${url}/files/${result.hash}/largest.bin`);
    expect((await served.arrayBuffer()).byteLength).toBe(defaults.maxFileBytes);
    expect((await upload(50_000_000, '..')).status).toBe(400);
    expect((await upload(50_000_000, 'x', { 'X-Client-Secret': 'wrong' })).status).toBe(401);
    expect((await upload(defaults.maxFileBytes + 1, 'x')).status).toBe(413);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('passes on the error of the server for a large body that the server does not read', async () => {
    const statuses = [];
    for (let n = 0; n < 20; n++) {
      const refused = await create('x'.repeat(n % 2 === 0 ? defaults.maxBodyBytes : 10_000_000));
      statuses.push(refused.status);
      expect(await refused.json()).toMatchObject({ error: { code: 'body_too_large' } });
    }
    expect(new Set(statuses)).toEqual(new Set([413]));
  });
});

describe('deploy/colophon.service', () => {
  const unit = readPage('deploy/colophon.service');
  const values = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  it('starts the program of the package, with settings that the server takes', () => {
    const { name, bin } = JSON.parse(readPage('package.json'));
    expect(values('ExecStart')).toEqual([
      `/usr/bin/node /opt/colophon/node_modules/${name}/${bin.colophon} serve`,
    ]);
    const environment = Object.fromEntries(values('Environment').map((line) => line.split('=')));
    expect(readConfig(environment)).toMatchObject({ dataDir: expect.stringContaining('/colophon') });
    expect(Number(values('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(defaults.shutdownMs);
  });

  const isMissing = spawnSync('systemd-analyze', ['--version']).status !== 0;
  describe.skipIf(isMissing)(
    isMissing ? 'systemd-analyze (skipped: it is missing)' : 'systemd-analyze',
    () => {
      const folder = temporaryFolder();

      /** Runs it on a unit whose program exists on this machine. */
      function analyze(words: readonly string[], text: string): string {
        const path = join(folder, 'colophon.service');
        writeFileSync(path, text.replace('/usr/bin/node', process.execPath));
        const { status, stdout, stderr } = spawnSync('systemd-analyze', [...words, path], {
          encoding: 'utf8',
        });
        return `${status} ${stderr || stdout}`;
      }

      it('accepts it, and not one with an unknown setting', () => {
        expect(analyze(['verify', '--man=no'], unit)).toBe('0 ');
        expect(analyze(['verify', '--man=no'], unit.replace('ProtectHome', 'ProtectHouse'))).toContain(
          'ProtectHouse',
        );
      });

      it('rates its exposure as at most 2 of 10', () => {
        const rate = (text: string) =>
          analyze(['security', '--offline=true', '--threshold=20', '--no-pager'], text);
        expect(rate(unit)).toMatch(/^0 /);
        expect(rate(unit.replaceAll(/^(Protect|Restrict|SystemCall).*\n/gm, ''))).toMatch(/^1 /);
      });
    },
  );
});
