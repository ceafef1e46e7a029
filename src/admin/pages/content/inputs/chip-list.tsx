/**
 * The input of a list of short values: each is a chip, and the next one is typed behind them.
 *
 * The text that is being typed is the last item of the draft already, so that it is saved and kept like the chips.
 */
import { MultiSelect, Pill, TagsInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, use, useState } from 'react';
import { labelOf, wordsOf } from '../../../parts/data/field-label.ts';
import { type ScalarView, viewOf } from '../../../parts/data/scalar-views.ts';
import { type Draft, type DraftItem, isDraftList } from '../draft/draft.ts';
import { FormContext, type InputProps, toSentence, useInputFrame } from '../draft/form-context.ts';
import { LimitCount } from './help.tsx';

const chipViews: readonly (ScalarView | undefined)[] = [
  'text',
  'words',
  'url',
  'wholeNumber',
  'number',
  'decimal',
];

/** The longest text that a chip shows well, and how many chips a field shows before it is better read page by page. */
const [maxLength, maxChips] = [80, 50];

/** Whether the list is shown as chips. It is decided once, except that chips cannot show lines or, of an enum, the same value twice. */
export function useIsChipList({ field, draft }: InputProps): boolean {
  const texts = itemsOf(draft).map(({ value }) => String(value ?? ''));
  const isEnum = field.type.kind === 'enum';
  const cannot = isEnum ? new Set(texts).size < texts.length : texts.some((text) => /[\n\r]/.test(text));
  const [isShort] = useState(
    () =>
      texts.length <= maxChips &&
      texts.every((text) => text.length <= maxLength) &&
      (field.constraint.maxLength ?? 0) <= 200,
  );
  const [wasRefused, setWasRefused] = useState(cannot);
  if (cannot && !wasRefused) setWasRefused(true);
  return (
    field.list && (isEnum || chipViews.includes(viewOf(field.type))) && isShort && !cannot && !wasRefused
  );
}

/** Edits the list. */
export function ChipList(props: InputProps) {
  return props.field.type.kind === 'enum' ? <ChosenChips {...props} /> : <TypedChips {...props} />;
}

function TypedChips(props: InputProps) {
  const { field, path, draft } = props;
  const { keepRemoved } = use(FormContext);
  const label = labelOf(field);
  const items = itemsOf(draft);
  const last = items.at(-1);
  const [typedKey, setTypedKey] = useState<number>();
  const isTyping = last !== undefined && last.key === typedKey;
  const chips = isTyping ? items.slice(0, -1) : items;
  const typed = isTyping ? [last] : [];
  const set = (next: readonly DraftItem[]) =>
    props.onChange(next.length > 0 || field.required ? next : undefined);
  const freeKey = Math.max(-1, ...items.map(({ key }) => key)) + 1;
  const type = (text: string) => {
    const key = isTyping ? last.key : freeKey;
    setTypedKey(key);
    set(text === '' ? chips : [...chips, { key, value: text }]);
  };
  const finish = () => {
    if (!isTyping) return;
    const value = String(last.value).trim();
    setTypedKey(undefined);
    set(value === '' ? chips : [...chips, { key: last.key, value }]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      finish();
    }
    if (event.key === 'Backspace' && !isTyping && last) {
      // The chip becomes text again, all of it selected, so that it can be corrected, or removed by the same key.
      event.preventDefault();
      setTypedKey(last.key);
      const input = event.currentTarget;
      requestAnimationFrame(() => input.select());
    }
  };
  /** Each line of what is pasted becomes a chip. One line is pasted as usual; Mantine would make a chip of it before it is read. */
  const onPasteCapture = (event: ClipboardEvent) => {
    event.stopPropagation();
    const lines = event.clipboardData.getData('text/plain').split(/[\n\r\t]+/);
    const texts = lines.map((line) => line.trim()).filter((line) => line !== '');
    if (lines.length < 2) return;
    event.preventDefault();
    setTypedKey(undefined);
    set([...items, ...texts.map((value, index) => ({ key: freeKey + index, value }))]);
  };
  const view = viewOf(field.type);
  return (
    <TagsInput
      {...useListFrame(props, chips)}
      value={chips.map(({ value }) => String(value ?? ''))}
      onChange={(values) => set([...inOrder(chips, values), ...typed])}
      searchValue={isTyping ? String(last.value) : ''}
      onSearchChange={type}
      onKeyDown={onKeyDown}
      onBlur={finish}
      onPasteCapture={onPasteCapture}
      acceptValueOnBlur={false}
      allowDuplicates
      splitChars={[]}
      withPillsReorder
      renderPill={({ value, onRemove, reorderProps }) => (
        <Pill
          withRemoveButton
          removeButtonProps={{ 'aria-label': `Remove ${value}`, 'aria-hidden': false }}
          onRemove={() => {
            keepRemoved?.(path, `${value} from ${label}`);
            onRemove?.();
          }}
          dir="auto"
          {...reorderProps}
        >
          {value}
        </Pill>
      )}
      {...(view === 'wholeNumber' && { inputMode: 'numeric' as const })}
      {...((view === 'number' || view === 'decimal') && { inputMode: 'decimal' as const })}
      autoComplete="off"
    />
  );
}

function ChosenChips(props: InputProps) {
  const { field, draft, onChange } = props;
  const { type } = field;
  const items = itemsOf(draft);
  const chosen = items.map(({ value }) => String(value ?? ''));
  const choices = type.values ?? [];
  // What is stored already can be seen, even if it is no choice.
  const others = chosen.filter((value) => !choices.includes(value));
  const nameOf = (value: string) => {
    const words = choices.includes(value) ? wordsOf(type, value) : value;
    return type.deprecated?.[value] === undefined ? words : `${words} (deprecated)`;
  };
  return (
    <MultiSelect
      {...useListFrame(props, items)}
      value={chosen}
      onChange={(values) =>
        onChange(values.length > 0 || field.required ? inOrder(items, values) : undefined)
      }
      data={[...choices, ...others].map((value) => ({ value, label: nameOf(value) }))}
      searchable
      hidePickedOptions
      withPillsReorder
      nothingFoundMessage="No other value"
    />
  );
}

/** The label, the help, the number of items and the first message of the list or one of its items. */
function useListFrame(props: InputProps, items: readonly DraftItem[]) {
  const { field, path } = props;
  const { messageAt } = use(FormContext);
  const { required: _, error, description, ...frame } = { required: false, ...useInputFrame(props) };
  const label = labelOf(field);
  const all = itemsOf(props.draft);
  const messages = all.map((item, index) =>
    toSentence(`${label} ${index + 1} (${String(item.value ?? '')})`, messageAt(`${path}[${index}]`)),
  );
  const { maxItems } = field.constraint;
  return {
    ...frame,
    error: error ?? messages.find((message) => message !== undefined),
    description:
      maxItems === undefined ? (
        description
      ) : (
        <>
          {description} <LimitCount count={all.length} limit={maxItems} unit="items" />
        </>
      ),
    placeholder: items.length === 0 ? 'Enter adds a value' : '',
  };
}

const itemsOf = (draft: Draft): readonly DraftItem[] => (isDraftList(draft) ? draft : []);

/** The items in the order of their texts, which keep their keys; a text without an item is a new one. */
function inOrder(items: readonly DraftItem[], texts: readonly string[]): DraftItem[] {
  const left = [...items];
  let freeKey = Math.max(-1, ...items.map(({ key }) => key)) + 1;
  return texts.map((text) => {
    const index = left.findIndex(({ value }) => String(value ?? '') === text);
    const [item] = index === -1 ? [] : left.splice(index, 1);
    return item ?? { key: freeKey++, value: text };
  });
}
