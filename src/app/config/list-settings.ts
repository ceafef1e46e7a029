/**
 * Lists the settings for people, who should see where each comes from and no secret.
 */
import { type Environment, variables } from './config.ts';

/** A setting, with its value as text. Secrets are not shown. */
export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly source: 'environment' | 'default';
}

/** Lists all settings of users, valid or not. */
export function listSettings(environment: Environment): Setting[] {
  return Object.entries(variables)
    .filter(([name]) => name !== 'COLOPHON_WORKER')
    .map(([name, { fallback }]) => {
      const given = environment[name] || (name === 'COLOPHON_PORT' ? environment.PORT : undefined);
      if (given === undefined || given === '')
        return { name, value: String(fallback ?? ''), source: 'default' };
      // The URL of a database may contain a password.
      const shown = given.replace(/\/\/[^@/]*@/, '//…@');
      return { name, value: /SECRET|PASSWORD/.test(name) ? '…' : shown, source: 'environment' };
    });
}
