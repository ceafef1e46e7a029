/**
 * The handlers of the configuration as a whole.
 */
import type { Configurations } from '../../../mapping/configuration/configurations.ts';
import { type AdminHandlers, authorOf, ok } from './responses.ts';

/** The services that the handlers use. */
export interface ConfigurationServices {
  readonly configurations: Configurations;
  /** Apply changes in all processes that serve the same port. Neither rejects. */
  readonly refreshEndpoints: () => Promise<void>;
  readonly refreshClients: () => Promise<void>;
}

export function createConfigurationHandlers({
  configurations,
  refreshEndpoints,
  refreshClients,
}: ConfigurationServices): Pick<AdminHandlers, 'readConfiguration' | 'applyConfiguration'> {
  return {
    async readConfiguration() {
      return ok(await configurations.read());
    },

    async applyConfiguration({ body, principal }) {
      const { prune = false, force = false, dryRun = false, ...lists } = body;
      const callerId = principal.kind === 'client' ? { callerId: principal.client.clientId } : {};
      const options = { prune, force, dryRun, by: authorOf(principal), ...callerId };
      const result = await configurations.apply(lists, options);
      if (!dryRun) await Promise.all([refreshEndpoints(), refreshClients()]);
      return ok(result);
    },
  };
}
