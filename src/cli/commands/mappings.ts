/**
 * `colophon mappings check`: whether every stored mapping still fits the content types, so that a changed SDL is found out in CI.
 */
import { checkFailed } from '../../base/errors.ts';
import type { Command } from '../command.ts';
import { printJson } from '../output.ts';
import { withEndpoints } from './with-store.ts';

const check: Command = {
  name: 'mappings check',
  synopsis: '[--json]',
  summary: 'check every stored mapping against the content types of COLOPHON_TYPES; fails when one is broken',
  positionals: 0,
  options: { json: { type: 'boolean' } },
  async run(call) {
    await withEndpoints(async ({ checkMappings }) => {
      const report = await checkMappings();
      if (call.has('json')) printJson(report);
      else {
        for (const { restEndpoint, mapping, state, problems } of report.broken) {
          for (const { line, column, message } of problems) {
            console.log(`${restEndpoint} / ${mapping} (${state}) ${line}:${column} ${message}`);
          }
        }
        console.log(`checked ${report.checked}, broken ${report.broken.length}`);
      }
      if (report.broken.length > 0) throw checkFailed('Some mappings no longer fit the content types');
    });
  },
};

/** The commands about mappings. */
export const commands = [check];
