/**
 * Runs all checks of an installation, each as far as those before it allow.
 */

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isDomainError } from '../../base/errors.ts';
import { readVersion } from '../../base/package-root.ts';
import type { Clock } from '../../base/runtime.ts';
import { checkPlace } from '../../store/file-place.ts';
import { adapterOf, openFilePlace } from '../../store/open-store.ts';
import { isSound } from '../../transfer/backup/damage.ts';
import { openToRead } from '../compose/compose-commands.ts';
import { composeProvider } from '../compose/compose-openid.ts';
import { examineFile } from '../compose/readable-store.ts';
import type { Runtime } from '../compose/runtime.ts';
import { type Config, readConfig } from '../config/config.ts';
import { listSettings, type Setting } from '../config/list-settings.ts';
import { checkPublicUrl, type Recognition } from './check-public-url.ts';
import { checkStore } from './check-store.ts';
import { type Finding, findingsOf, textOf } from './finding.ts';

/** The findings, and the settings with their sources. */
interface Examination {
  readonly settings: readonly Setting[];
  readonly findings: readonly Finding[];
}

/** Examines the installation that the environment configures. Writes nothing but a small file, which it deletes. */
export async function examine(
  environment: Readonly<Record<string, string | undefined>>,
  runtime: Runtime,
): Promise<Examination> {
  const { config, settings, findings } = checkConfiguration(environment);
  if (!config) return { settings, findings: [...findings, ...checkVersions()] };
  const { folder } = adapterOf(config);
  const store = await examineStore(config, runtime);
  return {
    settings,
    findings: [
      ...findings,
      ...checkVersions(),
      ...(folder === undefined ? [] : checkDataFolder(folder)),
      ...store.findings,
      ...(await checkFiles(config)),
      ...(await checkPublicUrl(config, store.recognition, runtime.clock)),
      ...(await checkOpenid(config, runtime.clock)),
    ],
  };
}

async function examineStore(
  config: Config,
  runtime: Runtime,
): Promise<{ findings: readonly Finding[]; recognition?: Recognition }> {
  const { warning, error } = findingsOf('store');
  try {
    if (!adapterOf(config).exists())
      return { findings: [warning('there is no store yet; the first start creates it')] };
    const { fault, damage } = await examineFile(config, { withLog: true });
    // Without what the store has, which may be wrong.
    if (fault !== undefined || !isSound(damage)) return { findings: [error(describeDamage(fault))] };
    const store = await openToRead(config, runtime);
    try {
      await store.ping();
      const findings = await checkStore(store, runtime.clock);
      const clientIds = (await store.clients.list()).map(({ clientId }) => clientId);
      const { adminClientId: id, adminClientSecret: secret } = config;
      const credentials = id !== undefined && secret !== undefined ? { credentials: { id, secret } } : {};
      return { findings, recognition: { clientIds, ...credentials } };
    } finally {
      await store.close();
    }
  } catch (reason) {
    return { findings: [error(textOf(reason))] };
  }
}

const describeDamage = (fault: string | undefined) =>
  `the database file is damaged${fault === undefined ? '' : ` (${fault.replaceAll('\n', '; ')})`}: \`colophon verify\` says what is damaged, and \`colophon backup create\` saves what can be read`;

/** Checks the place of files, by a small object that it writes, reads and deletes. */
async function checkFiles(config: Config): Promise<Finding[]> {
  const { ok, error } = findingsOf('files');
  if (!adapterOf(config).exists()) return [];
  try {
    const place = await openFilePlace(config);
    try {
      await checkPlace(place);
      return [ok(`${place.description} can be written and read`)];
    } finally {
      await place.close();
    }
  } catch (reason) {
    return [error(`the place of files cannot be used: ${textOf(reason)}`)];
  }
}

/** The checked configuration; `config` is absent when it is invalid. */
interface CheckedConfiguration {
  readonly config?: Config;
  readonly settings: readonly Setting[];
  readonly findings: readonly Finding[];
}

/** Checks the environment variables. */
function checkConfiguration(environment: Readonly<Record<string, string | undefined>>): CheckedConfiguration {
  const { ok, warning, error } = findingsOf('configuration');
  const settings = listSettings(environment);
  try {
    const config = readConfig(environment);
    const given = settings.filter(({ source }) => source === 'environment').length;
    const ignored = config.ignoredVariables.map((name) =>
      warning(`${name} is ignored, because Kubernetes sets it for a service`),
    );
    const findings = [
      ok(`${given} of ${settings.length} settings are given, the others have their defaults`),
      ...ignored,
      ...checkProxies(config),
      ...checkSecretKey(config),
      ...checkDeletions(config),
    ];
    return { config, settings, findings };
  } catch (reason) {
    if (!isDomainError(reason, 'bad_config')) throw reason;
    const { problems } = reason.details;
    return { settings, findings: problems.map(({ path, message }) => error(`${path} ${message}`)) };
  }
}

function checkProxies({ publicUrl, trustedProxies }: Config): Finding[] {
  if (!publicUrl?.startsWith('https:') || trustedProxies !== undefined) return [];
  return [
    findingsOf('configuration').warning(
      'COLOPHON_PUBLIC_URL is https, so a proxy is in front, but COLOPHON_TRUST_PROXY is not set: all requests seem to come from the proxy',
    ),
  ];
}

function checkSecretKey(config: Config): Finding[] {
  const { name, folder } = adapterOf(config);
  if (folder !== undefined || config.secretKey !== undefined) return [];
  return [
    findingsOf('configuration').warning(
      `COLOPHON_SECRET_KEY is not set: on ${name}, no webhook can be created without it, because its secret is stored encrypted`,
    ),
  ];
}

function checkDeletions({ erasesDeletions }: Config): Finding[] {
  if (!erasesDeletions) return [];
  return [
    findingsOf('configuration').warning(
      'COLOPHON_DELETE is erase: a deletion cannot be taken back, by whatever way it comes, and a run that deletes cannot be reverted',
    ),
  ];
}

/** The versions of the programs that take part. */
function checkVersions(): Finding[] {
  const { node, sqlite } = process.versions;
  return [findingsOf('versions').ok(`Colophon ${readVersion()}, Node.js ${node}, SQLite ${sqlite}`)];
}

/** Below this, writes may soon fail. */
const minFreeBytes = 1_000_000_000;
const minFreeShare = 0.05;

/** Checks that the folder of the data can be written, has room, and is on a disk of this machine. */
function checkDataFolder(dataDir: string): Finding[] {
  const { ok, warning, error } = findingsOf('data folder');
  const folder = resolve(dataDir);
  const present = findPresent(folder);
  if (!statSync(present).isDirectory()) return [error(`${present} is not a folder`)];
  try {
    accessSync(present, constants.W_OK | constants.X_OK);
  } catch (reason) {
    return [error(textOf(reason))];
  }
  const { type, bavail, blocks, bsize } = statfsSync(present);
  const free = bavail * bsize;
  const room = `${Math.floor(free / 1e6)} MB free`;
  const isFull = free < minFreeBytes || free < blocks * bsize * minFreeShare;
  return [
    isFull ? warning(`${folder} has only ${room}`) : ok(`${folder} can be written and has ${room}`),
    ...(isNetworkFilesystem(type)
      ? [warning(`${folder} is on a network filesystem, whose locks SQLite cannot rely on; use a local disk`)]
      : []),
  ];
}

/** The folder itself, or the nearest one above it that exists, in which a server creates it. */
function findPresent(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : findPresent(dirname(folder));
}

/** The magic numbers of network filesystems in Linux: NFS, SMB, CIFS, SMB2, 9P, Ceph, AFS, FUSE (such as sshfs). */
const networkTypes: readonly number[] = [
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x65735546,
];

/** Tells whether the type that `statfs` reports is that of a network filesystem. */
export function isNetworkFilesystem(type: number): boolean {
  // Linux reports the number with a sign on some machines.
  return networkTypes.includes(type >>> 0);
}

/** Checks the provider; there is nothing to check without one. */
export async function checkOpenid(
  config: Pick<Config, 'openid' | 'webhookPrivate'>,
  clock: Clock,
): Promise<Finding[]> {
  const { ok, error } = findingsOf('OpenID Connect');
  if (!config.openid) return [];
  const { issuer, redirectUri } = config.openid;
  try {
    await composeProvider(config, config.openid, clock).check();
    return [ok(`the provider ${issuer} answers; its client needs the redirect URI ${redirectUri}`)];
  } catch (reason) {
    return [error(`the provider ${issuer} cannot be used: ${textOf(reason)}`)];
  }
}
