/**
 * Checks the configuration: every setting with its source, and settings that do not fit together.
 */
import { isDomainError } from '../../base/errors.ts';
import { type Config, readConfig } from '../config.ts';
import { listSettings, type Setting } from '../list-settings.ts';
import { type Finding, findingsOf } from './finding.ts';

/** The checked configuration; `config` is absent when it is invalid. */
export interface CheckedConfiguration {
  readonly config?: Config;
  readonly settings: readonly Setting[];
  readonly findings: readonly Finding[];
}

/** Checks the environment variables. */
export function checkConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): CheckedConfiguration {
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

function checkSecretKey({ mongodbUrl, secretKey }: Config): Finding[] {
  if (mongodbUrl === undefined || secretKey !== undefined) return [];
  return [
    findingsOf('configuration').warning(
      'COLOPHON_SECRET_KEY is not set: on MongoDB, no webhook can be created without it, because its secret is stored encrypted',
    ),
  ];
}
