/**
 * The inputs of an import, and how they become those of a dry run.
 */
import { readFolder, toCatalog } from '../../../app/chosen-types.ts';
import type { Config } from '../../../app/config/config.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { shippedTypesFolder } from '../../../model/types/type-sources.ts';
import type { FileImport } from '../../../transfer/files/target-files.ts';
import type { ImportSettings } from '../../../transfer/import/import-content.ts';
import type { Input } from '../../../transfer/import/input.ts';
import type { PruneTerms } from '../../../transfer/import/prune.ts';
import type { ContentTarget } from '../../../transfer/target/content-target.ts';
import { createDryRunTarget } from '../../../transfer/target/dry-run-target.ts';
import { createPlannedContent } from '../../../transfer/target/planned-content.ts';
import type { RetryPolicy } from '../../../transfer/target/retry-policy.ts';
import type { CommandCall } from '../../command.ts';
import type { ImportFiles } from './import-options.ts';

/** The inputs of one import. */
export interface Run {
  readonly call: CommandCall;
  readonly config: Config;
  readonly input: Input;
  readonly target: ContentTarget;
  readonly catalog?: Catalog | undefined;
  readonly settings: ImportSettings;
  readonly pruning: PruneTerms | undefined;
  readonly files: ImportFiles;
  readonly signal: AbortSignal;
  readonly policy: RetryPolicy;
  readonly uploads?: FileImport;
}

/**
 * Turns an import into a dry run: sequential batches, a target that writes nothing, and a journal in memory. `hasFile` tells whether there is
 * a file, or the import would upload it.
 */
export function asDryRun(run: Run, hasFile: (hash: string) => Promise<boolean>): Run {
  const { call, config, target, files, settings } = run;
  const { journal: _, ...kept } = files;
  const dryRun = createDryRunTarget({
    target,
    pending: createPlannedContent(),
    siteOwnerRequired: config.siteOwnerRequired,
    ids: randomIds,
    clock: systemClock,
    catalog: run.catalog ?? shippedTypes(),
    hasFile,
    forDrafts: call.option('release') !== undefined,
  });
  return { ...run, target: dryRun, files: kept, settings: { ...settings, concurrency: 1 } };
}

/** The shipped types, for a server whose types are unknown. */
function shippedTypes(): Catalog {
  console.error(
    'colophon: no --types and no COLOPHON_TYPES: checking against the types that come with Colophon, which the server may not have',
  );
  return toCatalog(readFolder(shippedTypesFolder));
}
