/**
 * The calls that the content service and the content of a release have in common.
 */
import type { Catalog } from '../model/content-type.ts';
import type { BatchWriter } from './batch/write-batch.ts';
import type { AssetFinder } from './reading/find-assets.ts';
import type { ContentSelector } from './reading/select-content.ts';
import type { UnfitContent } from './unfit/unfit-content.ts';
import type { AssetWriter } from './write-asset.ts';

/** Reads and writes the content of one catalog. */
export interface ContentCalls extends AssetFinder, ContentSelector, AssetWriter, BatchWriter {
  readonly catalog: Catalog;
  readonly unfit: UnfitContent;
  /** Creates a finder that knows a part of the catalog only. That of the content service reads the release that a caller names. */
  finderOf(catalog: Catalog): AssetFinder;
  /** Returns the shape of a content type by its class name, for ETags. */
  shapeOf(className: string): string;
  /** Returns a text that changes whenever any process has written an asset of one of these classes. */
  revision(...classNames: string[]): Promise<string>;
  /**
   * Returns a text that determines what reads of these classes return to one caller: it covers their writes by any process, and
   * whether stored assets are known not to fit their type. `undefined` if the store keeps no change log.
   */
  stateOf(classNames: readonly string[]): Promise<string | undefined>;
}
