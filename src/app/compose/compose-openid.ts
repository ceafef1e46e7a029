/**
 * Builds the sign-in by OpenID Connect.
 */
import { createFinishedSignIns } from '../../access/openid/begun-sign-ins.ts';
import { createOpenidProvider, type OpenidProvider } from '../../access/openid/openid-provider.ts';
import type { OpenidSettings } from '../../access/openid/openid-settings.ts';
import { createOpenidSignIn, noOpenidSignIn, type OpenidSignIn } from '../../access/openid/openid-sign-in.ts';
import { createOpenidUsers } from '../../access/openid/openid-users.ts';
import type { Sessions } from '../../access/users/sessions.ts';
import { createFailedAttempts } from '../../access/users/sign-in-limiter.ts';
import type { Users } from '../../access/users/users.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { createOutbound } from '../../outbound/send-outbound.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './runtime.ts';

/** Builds the service; without a provider, it refuses. */
export function composeOpenid({
  config,
  runtime,
  system,
  users,
  sessions,
}: {
  config: Config;
  runtime: Runtime;
  system: ContentService;
  users: Users;
  sessions: Sessions;
}): OpenidSignIn {
  const { openid: settings } = config;
  if (!settings) return noOpenidSignIn;
  const { clock, ids, origins } = runtime;
  return createOpenidSignIn({
    settings,
    provider: composeProvider(config, settings, clock),
    users: createOpenidUsers({ system, users, origins }),
    sessions,
    finished: createFinishedSignIns({ system, clock }),
    attempts: createFailedAttempts({ system, clock }),
    clock,
    ids,
  });
}

/** Builds the provider of the settings. */
export function composeProvider(
  { webhookPrivate: allowsPrivate }: Pick<Config, 'webhookPrivate'>,
  settings: OpenidSettings,
  clock: Clock,
): OpenidProvider {
  return createOpenidProvider({ settings, send: createOutbound({ allowsPrivate }), clock });
}
