/**
 * Runs all checks of an installation, each as far as those before it allow.
 */
import { hasStore, openToRead } from '../compose-doctor.ts';
import type { Runtime } from '../compose-records.ts';
import type { Config } from '../config.ts';
import type { Setting } from '../list-settings.ts';
import { checkConfiguration } from './check-configuration.ts';
import { checkDataFolder, checkVersions } from './check-machine.ts';
import { checkOpenid } from './check-openid.ts';
import { checkPublicUrl, type Recognition } from './check-public-url.ts';
import { checkStore } from './check-store.ts';
import { type Finding, findingsOf, textOf } from './finding.ts';

/** The findings, and the settings with their sources. */
export interface Examination {
  readonly settings: readonly Setting[];
  readonly findings: readonly Finding[];
}

/** Examines the installation that the environment configures. Writes nothing. */
export async function examine(
  environment: Readonly<Record<string, string | undefined>>,
  runtime: Runtime,
): Promise<Examination> {
  const { config, settings, findings } = checkConfiguration(environment);
  if (!config) return { settings, findings: [...findings, ...checkVersions()] };
  const store = await examineStore(config, runtime);
  return {
    settings,
    findings: [
      ...findings,
      ...checkVersions(),
      ...checkDataFolder(config),
      ...store.findings,
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
    if (!hasStore(config))
      return { findings: [warning('there is no store yet; the first start creates it')] };
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
