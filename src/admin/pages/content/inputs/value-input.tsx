/**
 * The input of a single value that is neither embedded nor a reference.
 */
import { Button, Checkbox, NativeSelect, Stack, Textarea } from '@mantine/core';
import { use, useState } from 'react';
import { wordsOf } from '../../../parts/data/field-label.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';
import { toSlug } from '../../../parts/data/slug.ts';
import { FormContext, type InputProps, useInputFrame } from '../draft/form-context.ts';
import { DateInput, DateTimeInput, DayInput } from './date-inputs.tsx';
import { helpWithCount, lengthOf } from './help.tsx';
import { Line, toText } from './line-input.tsx';
import { RichTextInput } from './rich-text/rich-text-input.tsx';

/** Edits a scalar or an enum. An empty input means that the value is absent. */
export function ValueInput(props: InputProps) {
  const { type } = props.field;
  if (type.kind === 'enum') return <Choice {...props} choices={type.values ?? []} />;
  const view = viewOf(type);
  switch (view) {
    case 'yesOrNo':
      return <YesOrNo {...props} />;
    case 'wholeNumber':
    case 'number':
      return <Line {...props} inputMode={view === 'wholeNumber' ? 'numeric' : 'decimal'} />;
    case 'url':
      return <UrlInput {...props} />;
    case 'date':
      return <DateInput {...props} />;
    case 'day':
      return <DayInput {...props} />;
    case 'dateTime':
      return <DateTimeInput {...props} />;
    case 'decimal':
      return <Line {...props} inputMode="decimal" />;
    case 'richText':
      return <RichTextInput {...props} />;
    case 'json':
      return <Lines {...props} isCode />;
    case 'words':
      return isSlug(props) ? <SlugInput {...props} /> : <Words {...props} />;
    case 'text':
    case undefined:
      return <Line {...props} />;
  }
}

/** Whether the input is that of an asset's own slug, which has no name before it. */
const isSlug = ({ field, path }: InputProps) => field.name === 'slug' && path === 'slug';

/** Text of one line, unless its type allows more than 200 characters or it has several lines, which one line would lose. */
function Words(props: InputProps) {
  const { maxLength = 0 } = props.field.constraint;
  const hasLines = /[\n\r]/.test(toText(props.draft));
  const [wasLong, setWasLong] = useState(maxLength > 200 || hasLines);
  // Once drawn as several lines it stays so, as another input would take the focus from who types.
  if (hasLines && !wasLong) setWasLong(true);
  return wasLong || hasLines ? <Lines {...props} /> : <Line {...props} />;
}

function Lines({ isCode = false, ...props }: InputProps & { isCode?: boolean }) {
  const frame = useInputFrame(props);
  const text = toText(props.draft);
  return (
    <Textarea
      {...frame}
      description={helpWithCount(frame.description, lengthOf(text), props.field.constraint.maxLength)}
      value={text}
      onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
      autosize
      minRows={isCode ? 3 : 1}
      maxRows={16}
      spellCheck={!isCode}
      {...(isCode ? codeInput : {})}
    />
  );
}

/** The look of code, which is written from left to right whatever its texts are. */
const codeInput = {
  styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } },
  attributes: { input: { dir: 'ltr' } },
};

/** A check box for a required value; a choice where there may be none, or where the stored asset lacks one. */
function YesOrNo(props: InputProps) {
  const [wasMissing] = useState(props.draft === undefined);
  if (props.field.required && !wasMissing) return <CheckBox {...props} />;
  return <Choice {...props} choices={['true', 'false']} />;
}

/** A required yes or no; without the mark, since it always has a value. */
function CheckBox(props: InputProps) {
  const { required: _, ...frame } = { required: true, ...useInputFrame(props) };
  return (
    <Checkbox
      {...frame}
      checked={props.draft === true}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}

/** One of several values; a Boolean's are kept as such. What is stored already can be seen, even if it is no choice. */
function Choice({ choices, ...props }: InputProps & { choices: readonly string[] }) {
  const value = toText(props.draft);
  const isBoolean = viewOf(props.field.type) === 'yesOrNo';
  const others = value === '' || choices.includes(value) ? [] : [value];
  const { deprecated } = props.field.type;
  const labelOf = (choice: string) => {
    if (isBoolean) return choice === 'true' ? 'yes' : 'no';
    const words = choices.includes(choice) ? wordsOf(props.field.type, choice) : choice;
    return deprecated?.[choice] === undefined ? words : `${words} (deprecated)`;
  };
  return (
    <NativeSelect
      {...useInputFrame(props)}
      value={value}
      data={[
        { value: '', label: 'not set' },
        ...[...choices, ...others].map((choice) => ({ value: choice, label: labelOf(choice) })),
      ]}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        if (chosen === '') props.onChange(undefined);
        else props.onChange(isBoolean ? chosen === 'true' : chosen);
      }}
    />
  );
}

/** Edits the slug of an asset. In a new asset it follows the title until the user writes another one. */
function SlugInput(props: InputProps) {
  const { readTitle } = use(FormContext);
  const { constraint } = props.field;
  const fromTitle = readTitle && (
    <Button
      variant="default"
      flex="none"
      px="sm"
      onClick={() => props.onChange(toSlug(readTitle(), constraint) || undefined)}
    >
      From the title
    </Button>
  );
  return <Line {...props} beside={fromTitle} />;
}

/** Edits an address. */
function UrlInput(props: InputProps) {
  const address = toText(props.draft);
  const [broken, setBroken] = useState('');
  return (
    <Stack gap={6} align="stretch">
      <Line {...props} inputMode="url" />
      {isPicture(address) && address !== broken && (
        <img
          src={address}
          alt=""
          loading="lazy"
          // The other server need not know which installation shows its picture.
          referrerPolicy="no-referrer"
          style={{ maxHeight: 160, maxWidth: '100%', objectFit: 'contain', alignSelf: 'flex-start' }}
          onError={() => setBroken(address)}
        />
      )}
    </Stack>
  );
}

/** Whether an address names a picture by its ending. */
function isPicture(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null && /^https?:$/.test(url.protocol) && /\.(jpe?g|png|gif|webp|avif|svg)$/i.test(url.pathname)
  );
}
