/**
 * The installation whose configuration a command reads and changes: a server with `--url`, otherwise the configured store.
 */
import type * as api from '../../../generated/server/admin.ts';
import { composeConfiguration, type SendConfiguration } from '../../app/compose/compose-configuration.ts';
import type { Problem } from '../../base/problems.ts';
import type { CommandCall } from '../command.ts';
import { createAdminCaller, refusalOf } from '../commands/admin-server.ts';
import { createRuntime } from '../commands/command-runtime.ts';
import type { Purpose } from '../commands/content/with-target.ts';
import { assertSame, chooseTypesFor, readConfigFor } from '../commands/types/types-option.ts';

/** An installation. */
export interface ConfigurationTarget {
  /** The API client of the call; absent for a store. */
  readonly callerId?: string;
  /** Errors: transfer_failed. */
  read(): Promise<api.InstallationConfiguration>;
  /** Returns the problems of a configuration that is refused before anything has changed. Errors: transfer_failed. */
  apply(
    body: api.ConfigurationApply,
  ): Promise<{ readonly result: api.ConfigurationResult } | { readonly problems: readonly Problem[] }>;
}

/** Runs `work` on the installation that the call names. Errors: usage, transfer_failed, those of the store. */
export async function withConfiguration<Outcome>(
  call: CommandCall,
  purpose: Purpose,
  work: (target: ConfigurationTarget) => Promise<Outcome>,
): Promise<Outcome> {
  const url = call.option('url');
  if (url !== undefined) {
    const { clientId: callerId, send } = await createAdminCaller(call, url);
    const target = createTarget((path, body) => send(`/configuration${path}`, body));
    return work({ ...target, callerId });
  }
  const config = readConfigFor(call);
  const chosen = await chooseTypesFor(config, { isCompared: true });
  if (purpose === 'write') assertSame(chosen);
  const isReadOnly = purpose === 'read';
  const opened = await composeConfiguration(config, createRuntime(call), { ...chosen, isReadOnly });
  try {
    return await work(createTarget(opened.send));
  } finally {
    await opened.close();
  }
}

function createTarget(send: SendConfiguration): ConfigurationTarget {
  return {
    async read() {
      const answer = await send('');
      if (answer.status !== 200) throw refusalOf(answer);
      // The document says so.
      return answer.body as api.InstallationConfiguration;
    },
    async apply(body) {
      const { status, body: response } = await send('/apply', body);
      // The document says so.
      if (status === 200) return { result: response as api.ConfigurationResult };
      const { problems } = Object(response);
      if (status === 400 && Array.isArray(problems)) return { problems };
      throw refusalOf({ status, body: response });
    },
  };
}
