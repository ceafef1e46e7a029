/**
 * Edits a value in its cell of a list: one of few values, a date, or a reference. Other values are edited in the form.
 */
import { Box, Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { type Asset, admin, answerWithTag, type ContentType, type Field } from '../../../api.ts';
import { isSystemField } from '../../../parts/data/field-label.ts';
import { titleOf } from '../../../parts/data/load-titles.ts';
import { isTime, shapesOf, viewOf } from '../../../parts/data/scalar-views.ts';
import { isSameValue } from '../../../parts/difference/same-value.ts';
import { refreshDrafts } from '../../../parts/releases/release-data.ts';
import { inRelease } from '../../../parts/releases/work-release.ts';
import { updateOnTop } from '../asset/save-asset.ts';
import { type Draft, toDraftObject } from '../draft/draft.ts';
import { FormContext } from '../draft/form-context.ts';
import { readField } from '../draft/read-draft.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { FieldInput } from '../inputs/field-input.tsx';
import { messageOf } from './bulk/use-bulk.ts';
import { type Column, nameOfColumn } from './columns.ts';

/** Whether the values of a column are edited in their cells. */
export const isEditable = ({ steps, field }: Column): boolean =>
  steps.length === 1 &&
  !field.list &&
  !isSystemField(field) &&
  (field.type.kind === 'enum' ||
    field.type.kind === 'reference' ||
    viewOf(field.type) === 'yesOrNo' ||
    isTime(field.type));

/** The input in the cell. A choice is saved at once, a date by Enter or by leaving the cell; Escape keeps the value. */
export function EditCell({
  type,
  column,
  asset,
  onClose,
}: {
  type: ContentType;
  column: Column;
  asset: Asset;
  onClose: () => void;
}) {
  const { field } = column;
  const shapes = useMemo(() => shapesOf(type), [type]);
  const [draft, setDraft] = useState(() => toDraftObject([field], asset, shapes)[field.name]);
  const [message, setMessage] = useState<string>();
  const change = useChange(type, column);
  // The cell closes once, whether it is left or Enter is pressed.
  const isDone = useRef(false);
  const save = (next: Draft) => {
    if (isDone.current) return;
    const { value, flaws } = readField(field, next, { path: field.name, shapes });
    const [flaw] = flaws;
    if (flaw) return setMessage(flaw.message);
    isDone.current = true;
    onClose();
    if (!isSameValue(value, asset[field.name])) void change({ asset, to: value });
  };
  const cancel = () => {
    isDone.current = true;
    onClose();
  };
  const isChosen = !isTime(field.type);
  const context = useMemo(() => ({ shapes, messageAt: () => message }), [shapes, message]);
  return (
    <Box
      miw={160}
      maw={280}
      ref={focusFirst}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') cancel();
        else if (event.key === 'Enter' && !isChosen) save(draft);
        else return;
        event.stopPropagation();
      }}
      onBlur={(event) => {
        // A list of offers stands elsewhere in the document, and the browser gives the focus to nothing while it asks for a date.
        if (event.relatedTarget === null || event.currentTarget.contains(event.relatedTarget)) return;
        if (isChosen) cancel();
        else save(draft);
      }}
    >
      <FormContext value={context}>
        <FieldInput
          field={withoutHelp(field)}
          path={field.name}
          itemLabel={nameOfColumn(type, column)}
          draft={draft}
          onChange={(next) => {
            setDraft(next);
            setMessage(undefined);
            if (isChosen) save(next);
          }}
        />
      </FormContext>
    </Box>
  );
}

const withoutHelp = ({ description: _description, ...field }: Field): Field => field;

const focusFirst = (box: HTMLElement | null) => {
  box?.querySelector<HTMLElement>('select, input')?.focus();
};

/** Saves a value, says so and offers to undo it. What someone else has changed meanwhile is not overwritten. */
function useChange(type: ContentType, column: Column) {
  const client = useQueryClient();
  const label = nameOfColumn(type, column);
  const { name } = column.field;
  const change = async ({ asset, to }: { asset: Asset; to: unknown }, isUndo = false): Promise<void> => {
    const title = titleOf(asset, type);
    try {
      const saved = await writeValue({ asset, name, to, label });
      const message = notifications.show({
        color: 'green',
        message: (
          <Group gap="xs" justify="space-between">
            {isUndo ? `${label} of “${title}” is as it was.` : `${label} of “${title}” is changed.`}
            {!isUndo && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => {
                  notifications.hide(message);
                  void change({ asset: { ...asset, [name]: saved.data[name] }, to: asset[name] }, true);
                }}
              >
                Undo
              </Button>
            )}
          </Group>
        ),
      });
    } catch (error) {
      notifications.show({
        color: 'red',
        autoClose: false,
        title: `${label} of “${title}” is not ${isUndo ? 'undone' : 'changed'}`,
        message: messageOf(error, type),
      });
    }
    // Shows also what others have changed.
    await refreshDrafts(client);
  };
  return change;
}

/** Saves the value if the asset still has the one that the list shows. */
async function writeValue({
  asset,
  name,
  to,
  label,
}: {
  asset: Asset;
  name: string;
  to: unknown;
  label: string;
}): Promise<StoredAsset> {
  const place = inRelease();
  const id = asset._id;
  const base = await answerWithTag(admin.getContent({ path: { id }, query: place }));
  const outcome = isSameValue(base.data[name], asset[name])
    ? await updateOnTop(base, { [name]: to ?? null }, place)
    : undefined;
  if (outcome?.kind !== 'saved')
    throw new Error(`Someone else has changed ${label} meanwhile. The list shows their value.`);
  return outcome.stored;
}
