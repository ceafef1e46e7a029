/** The settings of the library: every environment variable has one, and bad ones are refused by name. */
import { describe, expect, it } from 'vitest';
import { variables } from '../../../../src/app/config/config.ts';
import { readSettings, settingVariables } from '../../../../src/app/library/read-settings.ts';

/** Variables without a setting: of several processes, of the command line's log, and of commands that call a server. */
const unset = ['WORKERS', 'WORKER', 'LOG_LEVEL', 'ADMIN_CLIENT_ID', 'ADMIN_CLIENT_SECRET'];

const toSetting = (variable: string) =>
  variable
    .replace('COLOPHON_', '')
    .toLowerCase()
    .replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());

describe('readSettings', () => {
  it('knows every environment variable by its name in camel case', () => {
    const settable = Object.keys(variables).filter((name) => !unset.includes(name.replace('COLOPHON_', '')));
    expect(settable.length).toBeGreaterThan(15);
    expect(settingVariables).toEqual(Object.fromEntries(settable.map((name) => [toSetting(name), name])));
  });

  it('reads texts, numbers and booleans, and leaves out what is undefined', () => {
    const config = readSettings({ port: 0, cmaEnabled: false, dataDir: 'here', publicUrl: undefined });
    expect(config).toMatchObject({ port: 0, cmaEnabled: false, dataDir: 'here', host: '127.0.0.1' });
  });

  it('refuses all wrong settings together, by their own names', () => {
    const wrong = { port: 'tcp://1.2.3.4:5', queryMs: 1, dataDir: '', types: ['a'], workers: 2, hsts: null };
    expect(() => readSettings(wrong)).toThrow(
      expect.objectContaining({
        code: 'bad_config',
        details: {
          problems: expect.arrayContaining(
            ['port', 'queryMs', 'dataDir', 'types', 'workers', 'hsts'].map((path) =>
              expect.objectContaining({ path }),
            ),
          ),
        },
      }),
    );
  });
});
