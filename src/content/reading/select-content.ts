/**
 * Selects what a response has of the assets found: only some fields, and further assets that they refer to.
 */
import { getType } from '../../model/catalog.ts';
import type { Catalog } from '../../model/content-type.ts';
import { type FieldSelection, selectFields } from '../../query/select-fields.ts';
import type { ContentStore, StoredText } from '../../store/port.ts';
import { createNullWriter } from './explicit-nulls.ts';
import { type Caller, isTextVisible } from './find-assets.ts';
import { includeAssets, type PageWithIncluded } from './include-assets.ts';
import { type IncludeStep, resolveIncludes } from './include-paths.ts';
import type { OpenPage } from './read-chunks.ts';

/** Which fields a response has. */
export interface WantedFields {
  /** Their paths; absent means all. */
  readonly fields?: readonly string[] | undefined;
  /** Whether it has null for absent values that creating the asset would fill. */
  readonly nulls?: boolean | undefined;
}

/** The part of the content service that selects what a response has. */
export interface ContentSelector {
  /** Selects fields of assets `from` a type. Errors: unknown_type, unknown_field, invalid_parameter. */
  selectFields(from: string, wanted: WantedFields): FieldSelection;
  /** Checks the references to follow from assets of a type. Errors: unknown_type, unknown_field, invalid_parameter. */
  resolveIncludes(from: string, include: readonly string[]): readonly IncludeStep[];
  /** Finds the assets that a page refers to and the caller may see. Errors: invalid_parameter. */
  include(
    page: OpenPage<StoredText>,
    steps: readonly IncludeStep[],
    caller: Caller,
  ): Promise<PageWithIncluded>;
}

const everything: FieldSelection = { pick: (asset) => asset, covers: () => true };

/** Creates the selector of one catalog. */
export function createContentSelector({
  catalog,
  store: { texts },
}: {
  catalog: Catalog;
  store: ContentStore;
}): ContentSelector {
  const isVisible = (text: StoredText, caller: Caller) =>
    catalog.types.has(text.type) && isTextVisible(text, caller);

  const addNulls = createNullWriter(catalog);

  function selectWanted(from: string, { fields, nulls = false }: WantedFields): FieldSelection {
    const classes = classesOf(from);
    const selected = fields ? selectFields(catalog, { from, classes, fields }) : everything;
    return nulls ? { ...selected, pick: (asset) => selected.pick(addNulls(asset)) } : selected;
  }

  function classesOf(from: string): readonly string[] {
    return catalog.concrete(getType(catalog, from, 'from'));
  }

  return {
    selectFields: selectWanted,
    resolveIncludes: (from, include) => resolveIncludes(catalog, { from, classes: classesOf(from), include }),
    include: (page, steps, caller) => includeAssets({ texts, isVisible }, { page, steps, caller }),
  };
}
