/**
 * Duplicates the selected assets.
 */
import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiProblem, type Asset, admin, answer, type ContentType } from '../../../../api.ts';
import { isSystemField, labelOf } from '../../../../parts/data/field-label.ts';
import { viewOf } from '../../../../parts/data/scalar-views.ts';
import { inRelease } from '../../../../parts/releases/work-release.ts';
import type { SelectedAsset, Selection } from '../use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { useBulk } from './use-bulk.ts';

/** How many values of unique fields are tried. */
const maxTries = 9;

/** The dialog. `type` is the type of all selected assets. */
export function BulkDuplicate({
  type,
  selection,
  onClose,
}: {
  type: ContentType;
  selection: Selection;
  onClose: () => void;
}) {
  const [items] = useState(selection.items);
  const bulk = useBulk(({ asset }: SelectedAsset) => duplicate(asset._id, type), type);
  const distinct = distinctFields(type);
  const unique = type.fields.filter(({ name }) => distinct.has(name));
  return (
    <BulkDialog
      title={items.length === 1 ? 'Duplicate 1 asset?' : `Duplicate ${items.length} assets?`}
      action="Duplicate"
      done="duplicated"
      bulk={bulk}
      selection={selection}
      onRun={() => void bulk.run(items)}
      onClose={onClose}
    >
      <Text size="sm">
        Each copy is a new asset with the values that are stored now. Its dates of publication and of the last
        change are those of its creation.
      </Text>
      {unique.length > 0 && (
        <Text size="sm">
          {unique.map(labelOf).join(', ')} must be unique: the copies have the same value with{' '}
          <Code>-copy</Code> behind it, or <Code>-copy-2</Code> and so on.
        </Text>
      )}
    </BulkDialog>
  );
}

async function duplicate(id: string, type: ContentType): Promise<Asset> {
  const original = await answer(admin.getContent({ path: { id }, query: inRelease() }));
  for (let tries = 1; ; tries++) {
    try {
      return await answer(admin.createContent({ body: toCopy(original, type, tries), query: inRelease() }));
    } catch (error) {
      if (!isInUse(error) || tries === maxTries) throw error;
    }
  }
}

/** The body of a copy; the `tries` before are taken. */
function toCopy(original: Asset, type: ContentType, tries: number): { _type: string } {
  const distinct = distinctFields(type);
  const suffix = tries === 1 ? '-copy' : `-copy-${tries}`;
  const members = type.fields
    .filter((field) => original[field.name] !== undefined && !isDate(field))
    .map(({ name, constraint: { maxLength = Number.POSITIVE_INFINITY } }) => {
      const value = original[name];
      if (!distinct.has(name) || typeof value !== 'string') return [name, value] as const;
      return [name, value.slice(0, maxLength - suffix.length) + suffix] as const;
    });
  return { ...Object.fromEntries(members), _type: original._type };
}

/** The fields in which a copy differs: the unique ones, and the last text of fields that are unique together. */
function distinctFields({ fields, keys = [] }: ContentType): ReadonlySet<string> {
  const single = fields.filter(({ indexed }) => indexed?.unique).map(({ name }) => name);
  const isText = (name: string) =>
    fields.some(
      (field) => field.name === name && field.type.kind === 'scalar' && field.type.name === 'String',
    );
  return new Set([...single, ...keys.flatMap((names) => names.findLast(isText) ?? [])]);
}

/** The dates of publication and of the last change are those of the original. */
const isDate = (field: ContentType['fields'][number]) =>
  isSystemField(field) && viewOf(field.type) === 'date';

const isInUse = (error: unknown) => error instanceof ApiProblem && error.status === 409;
