/**
 * The lines of a backup file: a header, the assets, the entries of the change log, and the end.
 */
import { readVersion } from '../../base/package-root.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../store/copy/store-copy.ts';

/** The first line. */
export interface BackupHeader extends CopiedFacts {
  /** When the backup began, in milliseconds since 1970. */
  readonly createdAtMs: number;
  /** The version of Colophon that wrote it. */
  readonly writtenBy: string;
}

/** How many records a backup has. */
export interface BackupTotals {
  /** By class name. */
  readonly assets: Readonly<Record<string, number>>;
  readonly entries: number;
}

export type BackupLine =
  | { readonly header: BackupHeader }
  | { readonly asset: Omit<CopiedAsset, 'text'> & { readonly document: object } }
  | { readonly entry: CopiedEntry }
  | { readonly end: BackupTotals };

export const toHeader = (facts: CopiedFacts, createdAtMs: number): BackupHeader => ({
  ...facts,
  createdAtMs,
  writtenBy: readVersion(),
});

/** Returns the line of an asset; its document, which is JSON text already, is not parsed. */
export function toAssetLine({ text, isMisplaced: _, ...asset }: CopiedAsset): string {
  return `{"asset":${JSON.stringify(asset).slice(0, -1)},"document":${text}}}`;
}

/** Returns the line of any other record. */
export const toLine = (line: Exclude<BackupLine, { asset: unknown }>): string => JSON.stringify(line);

export const parseLine = (line: string): BackupLine =>
  // Safe: the checksum of its block says that Colophon wrote it.
  JSON.parse(line) as BackupLine;

export const fromAssetLine = ({
  asset: { document, ...asset },
}: Extract<BackupLine, { asset: unknown }>): CopiedAsset => ({ ...asset, text: JSON.stringify(document) });
