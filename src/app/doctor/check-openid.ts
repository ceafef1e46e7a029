/**
 * Checks the OpenID Connect provider: whether it can be reached, and is the one that is configured.
 */
import type { Clock } from '../../base/runtime.ts';
import { composeProvider } from '../compose/compose-openid.ts';
import type { Config } from '../config/config.ts';
import { type Finding, findingsOf, textOf } from './finding.ts';

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
