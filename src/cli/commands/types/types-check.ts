/**
 * `colophon types check`: what a change of content types breaks, before it is deployed. It reads the configured store, or asks the
 * server that `--url` names, and changes nothing.
 */
import { toCatalog } from '../../../app/chosen-types.ts';
import { checkTypesOfStore } from '../../../app/compose/compose-types-check.ts';
import { readConfig } from '../../../app/config/config.ts';
import { checkFailed, usage } from '../../../base/errors.ts';
import type { TypesReport } from '../../../mapping/types-check/types-report.ts';
import type { TypeSource } from '../../../model/types/type-sources.ts';
import type { CommandCall } from '../../command.ts';
import { printJson } from '../../output.ts';
import { printReport } from '../../types-check/print-report.ts';
import { readSources, readSourcesAnywhere } from '../../types-check/read-sources.ts';
import { writeJunit } from '../../types-check/write-junit.ts';
import { createAdminSender } from '../admin-server.ts';
import { createRuntime } from '../command-runtime.ts';

/** Runs `colophon types check`. */
export async function checkTypes(call: CommandCall): Promise<void> {
  const types = call.option('types');
  if (!types) throw usage('types check needs --types');
  const sources = readSources(types, '--types');
  const place = call.option('against');
  const against = place === undefined ? undefined : await readSourcesAnywhere(call, place, '--against');
  const url = call.option('url');
  const report =
    url === undefined
      ? await checkStore(call, { sources, against })
      : await askServer(call, { url, sources, against });
  const junit = call.option('junit');
  if (junit !== undefined) writeJunit(junit, report);
  if (call.has('json')) printJson(report);
  else printReport(report);
  if (report.counts.breaking > 0) throw checkFailed('The change of content types breaks something');
}

/** The new types, and those to compare with if they are given. */
interface ComparedSources {
  readonly sources: readonly TypeSource[];
  readonly against: readonly TypeSource[] | undefined;
}

async function checkStore(call: CommandCall, { sources, against }: ComparedSources): Promise<TypesReport> {
  const config = readConfig(process.env);
  const change = {
    ...(against && { before: load(against) }),
    after: load(sources),
  };
  const { report, hasStore } = await checkTypesOfStore(config, createRuntime(call), change);
  if (!hasStore)
    console.error(
      'colophon: there is no store; mappings, webhooks, stored content and API clients are not checked',
    );
  return report;
}

const load = (sources: readonly TypeSource[]) => toCatalog({ sources, folder: '', areShipped: false });

async function askServer(
  call: CommandCall,
  { url, sources, against }: ComparedSources & { url: string },
): Promise<TypesReport> {
  const send = await createAdminSender(call, url);
  const response = await send('/types/check', { sources, ...(against && { against }) });
  // The document of the admin API describes the body.
  return (await response.json()) as TypesReport;
}
