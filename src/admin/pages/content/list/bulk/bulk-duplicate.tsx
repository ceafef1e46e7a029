/**
 * Duplicates the selected assets.
 */
import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiProblem, type Asset, admin, answer, type ContentType } from '../../../../api.ts';
import { fullLabelOf } from '../../../../parts/data/field-label.ts';
import { countOf } from '../../../../parts/data/number-words.ts';
import { distinctFields, toCopy } from '../../draft/to-copy.ts';
import type { SelectedAsset } from '../use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkTarget } from './bulk-run.ts';
import { type BulkProps, useBulk } from './use-bulk.ts';

/** How many values of unique fields are tried. */
const maxTries = 9;

/** The dialog. */
export function BulkDuplicate({ type, selection, onClose }: BulkProps) {
  const [items] = useState(selection.items);
  const bulk = useBulk(({ asset }: SelectedAsset, target) => duplicate(asset._id, type, target), type);
  const distinct = distinctFields(type);
  const unique = type.fields.filter(({ name }) => distinct.has(name));
  return (
    <BulkDialog
      title={`Duplicate ${countOf(items.length, 'asset')}?`}
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
          {unique.map(fullLabelOf).join(', ')} must be unique: the copies have the same value with{' '}
          <Code>-copy</Code> behind it, or <Code>-copy-2</Code> and so on.
        </Text>
      )}
    </BulkDialog>
  );
}

async function duplicate(id: string, type: ContentType, { query, headers }: BulkTarget): Promise<Asset> {
  const original = await answer(admin.getContent({ path: { id }, query }));
  for (let tries = 1; ; tries++) {
    try {
      return await answer(
        admin.createContent({
          body: { ...toCopy(original, type, tries), _type: original._type },
          query,
          headers,
        }),
      );
    } catch (error) {
      if (!isInUse(error) || tries === maxTries) throw error;
    }
  }
}

const isInUse = (error: unknown) => error instanceof ApiProblem && error.status === 409;
