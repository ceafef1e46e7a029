/**
 * The input of a block: an embedded value of one of several kinds. It can be folded to one line.
 */
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { type ReactNode, use, useState } from 'react';
import { wordsOfName } from '../../../../text/words-of-name.ts';
import { labelOf } from '../../../parts/data/field-label.ts';
import { kindsOf } from '../../../parts/data/scalar-views.ts';
import { ClosedIcon, OpenIcon } from '../../../parts/layout/icons.ts';
import { type DraftObject, isDraftObject, toNewDraft } from '../draft/draft.ts';
import { describeHint, FormContext, type InputProps, toSentence } from '../draft/form-context.ts';
import { useRemoval } from '../draft/use-removal.tsx';
import { GroupFrame } from './field-grid.tsx';

/** Edits a block. `renderMembers` renders the inputs of its fields. */
export function BlockInput({
  field,
  path,
  draft,
  onChange,
  itemLabel,
  itemActions,
  renderMembers,
}: InputProps & { renderMembers: (props: Omit<InputProps, 'draft'> & { draft: DraftObject }) => ReactNode }) {
  const { shapes, messageAt, hasMessageWithin, target } = use(FormContext);
  const [isFolded, setFolded] = useState(false);
  const [reached, setReached] = useState(target);
  if (target !== reached) {
    setReached(target);
    if (target?.path.startsWith(`${path}.`)) setFolded(false);
  }
  const label = itemLabel ?? labelOf(field);
  const { askToRemove, question } = useRemoval(path, () => onChange(undefined));
  const hint = itemLabel === undefined ? describeHint(field) : undefined;
  if (!isDraftObject(draft)) {
    return (
      <GroupFrame
        name={label}
        path={path}
        hint={hint}
        message={toSentence(label, messageAt(path))}
        actions={itemActions}
      >
        <KindButtons
          label={label}
          kinds={kindsOf(field, shapes) ?? []}
          onChoose={(kind) => onChange(toNewDraft(field, shapes, kind))}
        />
      </GroupFrame>
    );
  }
  const name = `${label}: ${wordsOfName(String(draft._type))}`;
  // What is wrong is never hidden.
  const isOpen = !isFolded || hasMessageWithin?.(path) === true;
  const fold = `${isOpen ? 'Fold' : 'Unfold'} ${name}`;
  return (
    <GroupFrame
      name={name}
      path={path}
      hint={hint}
      message={toSentence(label, messageAt(path))}
      isLined
      actions={
        <Group gap="xs" wrap="nowrap">
          <ActionIcon
            variant="default"
            aria-expanded={isOpen}
            aria-label={fold}
            title={fold}
            onClick={() => setFolded(isOpen)}
          >
            {isOpen ? <OpenIcon size={16} /> : <ClosedIcon size={16} />}
          </ActionIcon>
          {itemActions ?? (
            <Button
              variant="default"
              size="compact-xs"
              aria-label={`Remove ${label}`}
              onClick={() =>
                askToRemove({
                  key: undefined,
                  name,
                  value: draft,
                  fresh: toNewDraft(field, shapes, String(draft._type)),
                })
              }
            >
              Remove
            </Button>
          )}
        </Group>
      }
    >
      {question}
      {isOpen ? renderMembers({ field, path, draft, onChange }) : <Summary draft={draft} />}
    </GroupFrame>
  );
}

/** A button for each kind of block that can be added. */
export function KindButtons({
  label,
  kinds,
  onChoose,
  path,
}: {
  label: string;
  kinds: readonly string[];
  onChoose: (kind: string) => void;
  /** The path of the list that they add to. */
  path?: string;
}) {
  return (
    <Group gap="xs">
      {kinds.map((kind) => (
        <Button
          key={kind}
          variant="default"
          size="xs"
          data-add={path}
          aria-label={`Add ${wordsOfName(kind)} to ${label}`}
          onClick={() => onChoose(kind)}
        >
          Add {wordsOfName(kind)}
        </Button>
      ))}
    </Group>
  );
}

/** The first text of a folded block, without tags. */
function Summary({ draft }: { draft: DraftObject }) {
  const texts = Object.entries(draft).filter(
    ([name, value]) => name !== '_type' && typeof value === 'string',
  );
  const text = String(texts[0]?.[1] ?? '').replaceAll(/<[^>]*>/g, ' ');
  return (
    <Text size="sm" c="dimmed" truncate dir="auto">
      {text.trim() === '' ? 'No text' : text}
    </Text>
  );
}
