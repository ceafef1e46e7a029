/**
 * `colophon mappings check`: whether every stored mapping still fits the content types, so that a changed SDL is found out in CI.
 * It does the same with trusted documents. It also prints warnings of endpoints, which do not make it fail.
 */
import { checkFailed } from '../../base/errors.ts';
import type { ReportedWarning } from '../../mapping/checks/check-drift.ts';
import type { CommandCall } from '../command.ts';
import { printJson } from '../output.ts';
import { withEndpoints } from './store/with-store.ts';

export async function check(call: CommandCall): Promise<void> {
  await withEndpoints(call, async ({ checkMappings }) => {
    const report = await checkMappings();
    const { documents } = report;
    if (call.has('json')) printJson(report);
    else {
      for (const { restEndpoint, mapping, state, problems } of report.broken) {
        for (const { line, column, message } of problems) {
          console.log(`${restEndpoint} / ${mapping} (${state}) ${line}:${column} ${message}`);
        }
      }
      for (const { graphqlEndpoint, name, documentId, problems } of documents.broken) {
        for (const { line, column, message } of problems) {
          console.log(
            `${graphqlEndpoint} / ${name ?? documentId} (trusted document) ${line}:${column} ${message}`,
          );
        }
      }
      for (const warning of report.warnings) console.log(`warning: ${describeWarning(warning)}`);
      console.log(`checked ${report.checked}, broken ${report.broken.length}`);
      if (documents.checked > 0)
        console.log(`trusted documents: checked ${documents.checked}, broken ${documents.broken.length}`);
    }
    if (report.broken.length > 0) throw checkFailed('Some mappings no longer fit the content types');
    if (documents.broken.length > 0)
      throw checkFailed('Some trusted documents no longer fit the content types');
  });
}

function describeWarning(warning: ReportedWarning): string {
  const { graphqlEndpoint, restEndpoint, mapping, state, message } = warning;
  const where = restEndpoint === undefined ? graphqlEndpoint : `${restEndpoint} / ${mapping} (${state})`;
  return `${where}: ${message}`;
}
