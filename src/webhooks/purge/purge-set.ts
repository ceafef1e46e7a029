/**
 * The cache tags that changes have touched, without repetitions and bounded: when too many assets have changed, the tags of their types
 * stand for those of the assets.
 */
import { anyTag, typeTag } from '../../text/cache-tags.ts';
import { tagsOfEveryPurge } from './purge-template.ts';

/** The tags of one purge. */
export class PurgeSet {
  readonly #maxAssets: number;
  readonly #assets = new Set<string>();
  /** The classes of changed assets. */
  readonly #touched = new Set<string>();
  /** The classes of which all assets count as changed. */
  readonly #whole = new Set<string>();

  constructor(maxAssets: number) {
    this.#maxAssets = maxAssets;
  }

  /** Adds a change of an asset. */
  add({ asset, type }: { readonly asset: string; readonly type: string }): void {
    this.#touched.add(type);
    if (this.#whole.has(type)) return;
    this.#assets.add(asset);
    if (this.#assets.size > this.#maxAssets) this.addWhole(this.#touched);
  }

  /** Adds all assets of some types. */
  addWhole(classes: Iterable<string>): void {
    for (const className of [...classes, ...this.#touched]) {
      this.#touched.add(className);
      this.#whole.add(className);
    }
    this.#assets.clear();
  }

  /** Adds everything of another set. */
  addAll(other: PurgeSet): void {
    for (const className of other.#touched) this.#touched.add(className);
    if (other.#whole.size > 0 || this.#assets.union(other.#assets).size > this.#maxAssets) {
      this.addWhole(other.#touched);
      return;
    }
    for (const asset of other.#assets) this.#assets.add(asset);
  }

  /** Lists the tags. */
  tags(): string[] {
    return [
      ...tagsOfEveryPurge,
      ...[...this.#touched].map(anyTag),
      ...[...this.#whole].map(typeTag),
      ...this.#assets,
    ];
  }
}
